"""A hundred megabytes and more, by the command line: answered or refused, in bounded time and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.cli.conftest import Ended
from tests.cli.objects import REFUSED
from tests.cli.test_bad_input_files import PYTHON, could_not_look

METER = """
import os, sys
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
os.write(int(sys.argv[1]), str(usage.ru_maxrss >> 10).encode())
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""A small parent: the kernel counts the peak of whoever starts a process as the process's own."""


def measured(*arguments: str) -> tuple[Ended, int]:
    """A run and its peak memory in MiB."""
    told, tell = os.pipe()
    command = [sys.executable, "-I", "-S", "-c", METER, str(tell), *PYTHON, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, pass_fds=[tell])
    os.close(tell)
    with os.fdopen(told) as peak:
        return Ended(done.returncode, done.stdout, done.stderr), int(peak.read())


def many(count: int) -> list[dict[str, Any]]:
    pod = yaml.safe_load(REFUSED.replace('"2026-11-30T20:00:00Z"', "'2026-11-30T20:00:00Z'"))
    pod["metadata"]["annotations"] = {"padding": "x" * 4000}
    pod["spec"]["containers"][0]["env"] = [{"name": f"VALUE_{n}", "value": "y" * 20} for n in range(16)]
    found = []
    for number in range(count):
        meta = {**pod["metadata"], "name": f"web-{number}", "uid": f"u-{number}"}
        found.append({**pod, "metadata": meta})
    return found


def test_a_hundred_megabytes_of_json(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    with path.open("w") as file:
        json.dump({"apiVersion": "v1", "kind": "List", "items": many(18_000)}, file, indent=1)
    assert path.stat().st_size > 100 << 20
    ended, peak = measured("pod", "web-77", "--from", str(path))
    assert ended.status == 1
    assert ended.out.startswith("Pod shop/web-77 · unschedulable · insufficient-cpu")
    assert peak < 250


def test_a_hundred_megabytes_of_yaml_are_refused_with_a_way_out(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    item = "- " + yaml.safe_dump(many(1)[0], width=10_000).replace("\n", "\n  ").rstrip(" ")
    path.write_text(f"apiVersion: v1\nitems:\n{item * ((101 << 20) // len(item))}kind: List\n")
    assert path.stat().st_size > 100 << 20
    ended, peak = measured("pod", "web-0", "--from", str(path))
    assert could_not_look(ended) == (
        f"{path}:1 was skipped: more than 32 MiB of YAML. Saved with -o json it has no such limit.",
        "Save the Pods and their Events with: kubectl get pods,events -n NAMESPACE -o json > pods.json",
    )
    assert peak < 450


def test_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "endless.json"
    with path.open("wb") as file:
        file.truncate(513 << 20)
    ended, _ = measured("pod", "web-0", "--from", str(path))
    assert could_not_look(ended) == (
        f"{path} holds more than 512 MiB.",
        "Give --from only what matters: the Pod's namespace, its Events, the Nodes.",
    )
