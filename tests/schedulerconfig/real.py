"""What a real kube-scheduler makes of a configuration: its log names the plugins of each profile before it works."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whypending.schedulerconfig.effective import Effective
from whypending.schedulerconfig.plugins import POINTS

_PLUGINS = re.compile(r'"the scheduler starts to work with those plugins" Plugins=(\{.*\})$', re.MULTILINE)
_ERROR = re.compile(r'"command failed" err=(.*)', re.DOTALL)
Plugins = dict[str, list[str]]
"""`name` or `name:weight` by extension point, without the points at which nothing runs."""


@dataclass(frozen=True)
class Outcome:
    """`profiles` in the order of the text; `error` is empty where it starts."""

    profiles: list[Plugins]
    error: str = ""


def ask(binary: Path, text: str, folder: Path, *arguments: str) -> Outcome:
    """Starts kube-scheduler up to the point where it would look at the cluster (`--write-config-to` ends it there)."""
    config, written = folder / "config.yaml", folder / "written.yaml"
    config.write_text(text)
    written.unlink(missing_ok=True)
    command = [str(binary), f"--config={config}", f"--write-config-to={written}", "--master=https://127.0.0.1:1"]
    done = subprocess.run(
        [*command, "--secure-port=0", "-v=2", *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode == 0:
        assert written.exists(), done.stderr
        return Outcome([_plugins(json.loads(found)) for found in _PLUGINS.findall(done.stderr)])
    failed = _ERROR.search(done.stderr)
    return Outcome([], failed[1].strip()[:300] if failed else done.stderr[-300:])


def _plugins(shown: dict[str, Any]) -> Plugins:
    by_point = {point[0].lower() + point[1:]: found["Enabled"] or [] for point, found in shown.items()}
    return {p: [_named(e["Name"], e["Weight"]) for e in by_point[p]] for p in POINTS if by_point.get(p)}


def told(found: Effective) -> Plugins:
    """What whypending says, in the same form."""
    return {p: [_named(e.name, e.weight) for e in found.points[p]] for p in POINTS if found.points.get(p)}


def _named(name: str, weight: int) -> str:
    return f"{name}:{weight}" if weight else name
