"""A hundred megabytes and more, by the command line: answered or refused, in bounded time and memory."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import yaml

from tests.cli.conftest import Ended
from tests.cli.objects import REFUSED
from tests.cli.test_bad_input_files import PYTHON, could_not_look


def measured(*arguments: str) -> tuple[Ended, float, int]:
    """A run, its seconds and its peak memory in MiB."""
    start = time.monotonic()
    with subprocess.Popen([*PYTHON, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        out, err = running.stdout.read(), running.stderr.read()
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    return Ended(running.returncode, out, err), time.monotonic() - start, usage.ru_maxrss >> 10


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
    ended, seconds, peak = measured("pod", "web-77", "--from", str(path))
    assert ended.status == 1
    assert ended.out.startswith("Pod shop/web-77 · unschedulable · insufficient-cpu")
    assert seconds < 30
    assert peak < 250


def test_a_hundred_megabytes_of_yaml_are_refused_with_a_way_out(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    item = "- " + yaml.safe_dump(many(1)[0], width=10_000).replace("\n", "\n  ").rstrip(" ")
    path.write_text(f"apiVersion: v1\nitems:\n{item * ((101 << 20) // len(item))}kind: List\n")
    assert path.stat().st_size > 100 << 20
    ended, seconds, peak = measured("pod", "web-0", "--from", str(path))
    assert could_not_look(ended) == (
        f"{path}:1 was skipped: more than 32 MiB of YAML. Saved with -o json it has no such limit.",
        "Save the Pods and their Events with: kubectl get pods,events -n NAMESPACE -o json > pods.json",
    )
    assert seconds < 30
    assert peak < 450


def test_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "endless.json"
    with path.open("wb") as file:
        file.truncate(513 << 20)
    ended, seconds, _ = measured("pod", "web-0", "--from", str(path))
    assert could_not_look(ended) == (
        f"{path} holds more than 512 MiB.",
        "Give --from only what matters: the Pod's namespace, its Events, the Nodes.",
    )
    assert seconds < 30
