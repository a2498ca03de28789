"""The cgroups of a run's containers.

Without a cgroup for each QoS class, kubelet leaves their place to containerd, which puts every
cluster's under the same ``k8s.io``. So ours are told by their names, the containers' IDs, which are
those that our own containerd has on disk or has logged.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from tests.cluster.state import Run

_ROOT = Path("/sys/fs/cgroup")
_PARENT = "k8s.io"
_ID = re.compile(r"\b[0-9a-f]{64}\b")


def container_ids(run: Run) -> set[str]:
    """The containers that the run's containerd ever had, and some names that are none."""
    tasks = run.runtime_dir / "containerd" / "io.containerd.runtime.v2.task" / _PARENT
    log = Path(run.root) / "logs" / "containerd.log"
    found = {path.name for path in tasks.glob("*")}
    if log.exists():
        found.update(_ID.findall(log.read_text(errors="replace")))
    return found


def folders(ids: set[str]) -> list[Path]:
    """The cgroups of these containers, one in each hierarchy of this machine."""
    parents = [_ROOT / _PARENT, *_ROOT.glob(f"*/{_PARENT}")]
    return [child for parent in parents if parent.is_dir() for child in parent.iterdir() if child.name in ids]


def pids(ids: set[str]) -> set[int]:
    """Every process in these containers."""
    found: set[int] = set()
    for folder in folders(ids):
        for path in folder.rglob("cgroup.procs"):
            with contextlib.suppress(OSError):
                found.update(int(word) for word in path.read_text().split())
    return found


def remove(ids: set[str]) -> bool:
    """Removes these containers' cgroups, and those above that are left empty; False if any is left."""
    for top in folders(ids):
        for folder, _, _ in os.walk(top, topdown=False):
            with contextlib.suppress(OSError):
                Path(folder).rmdir()
    left = bool(folders(ids))
    if not left:
        for parent in (_ROOT / _PARENT, *_ROOT.glob(f"*/{_PARENT}")):
            with contextlib.suppress(OSError):
                parent.rmdir()
    return not left
