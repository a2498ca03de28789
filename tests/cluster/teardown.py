"""Takes a run down from its record alone, whether its owner does it or somebody after it.

Killing kubelet and containerd leaves shims, containers, mounts, network namespaces, the bridge and
cgroups behind; all of them bear the run's name or lie below its folders.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
from pathlib import Path

from tests.cluster import cgroups
from tests.cluster.base import cache_dir, file_lock, say, until
from tests.cluster.network import (
    bridge_exists,
    delete_bridge,
    mounts_below,
    unmount_below,
)
from tests.cluster.node_config import containerd_socket
from tests.cluster.processes import descendants, end, kill_pid, pids_with_argument
from tests.cluster.state import Run, command_line, load_runs, state_of

_FOLDERS = ("node", "etcd", "pki", "kubeconfigs", "kubectl-cache", "no-plugins")
_CNI_RESULTS = Path("/var/lib/cni/results")
_CONTAINER_LOGS = Path("/var/log/containers")
_DEVICE_PLUGINS = Path("/var/lib/kubelet/device-plugins/kubelet.sock")


def take_down(run: Run) -> None:
    """Ends everything of a run; only the logs stay."""
    root = Path(run.root)
    # Nothing here is worth an orderly end, and node parts come first lest they start anything anew.
    for process in reversed(run.processes):
        end(process, kill=True)
    for pid in _strays(run):
        kill_pid(pid)
    if run.node:
        containers = cgroups.container_ids(run)
        _remove_containers(run, containers)
        until(lambda: _unmounted(run), 5)
        delete_bridge(run.bridge)
        until(lambda: cgroups.remove(containers), 5)
        _remove_files_elsewhere(run, containers)
    for folder in (*(root / name for name in _FOLDERS), run.runtime_dir):
        _remove_folder(folder)
    run.forget()


def sweep_leftovers() -> list[Run]:
    """Takes down every run whose owner is gone."""
    swept = []
    with file_lock("sweep"):
        for run in load_runs():
            if not run.owned():
                say(f"taking down what a run that ended left in {run.root}")
                take_down(run)
                swept.append(run)
    return swept


def leftovers(run: Run) -> list[str]:
    """What is still there of a run that was taken down, in words."""
    root = Path(run.root)
    found = [f"process {p.pid} ({p.name})" for p in run.processes if p.alive()]
    found += [f"process {pid}: {' '.join(command_line(pid))[:200]}" for pid in _strays(run)]
    found += [f"shim {pid}" for pid in pids_with_argument(str(containerd_socket(run)))]
    found += [f"mount {point}" for folder in (root, run.runtime_dir) for point in mounts_below(folder)]
    found += [f"cgroup {folder}" for folder in cgroups.folders(cgroups.container_ids(run))]
    if bridge_exists(run.bridge):
        found.append(f"bridge {run.bridge}")
    if run.runtime_dir.exists():
        found.append(f"folder {run.runtime_dir}")
    return found


def _strays(run: Run) -> list[int]:
    """Our programs that work below these folders: just started when somebody was killed."""
    built = f"{cache_dir() / 'bin'}/"
    folders = (f"{run.root}/", f"{run.runtime_dir}/")
    found = []
    for entry in Path("/proc").iterdir():
        words = command_line(int(entry.name)) if entry.name.isdigit() else []
        ours = bool(words) and (words[0].startswith(built) or Path(words[0]).name == "runc")
        if ours and any(folder in word for folder in folders for word in words[1:]):
            found.append(int(entry.name))
    return [pid for pid in found if state_of(pid) != "Z"]


def _remove_containers(run: Run, containers: set[str]) -> None:
    for shim in pids_with_argument(str(containerd_socket(run))):
        children = descendants(shim)
        kill_pid(shim)
        for pid in reversed(children):
            kill_pid(pid)
    for pid in cgroups.pids(containers):
        kill_pid(pid)


def _unmounted(run: Run) -> bool:
    # Again and again: a mount that kubelet or runc had begun may be done only now.
    folders = (Path(run.root), run.runtime_dir)
    for folder in folders:
        unmount_below(folder)
    return not any(mounts_below(folder) for folder in folders)


def _remove_files_elsewhere(run: Run, containers: set[str]) -> None:
    """The files for which kubelet and CNI know no other place, and their folders if these are empty then."""
    for path in _CNI_RESULTS.glob("*"):
        if any(word in containers for word in path.name.split("-")):
            path.unlink(missing_ok=True)
    for link in _CONTAINER_LOGS.glob("*.log"):
        if link.is_symlink() and str(link.readlink()).startswith((f"{run.root}/", f"{run.runtime_dir}/")):
            link.unlink(missing_ok=True)
    if _nobody_listens(_DEVICE_PLUGINS):
        _DEVICE_PLUGINS.unlink()
    for file in (_CNI_RESULTS / "any", _CNI_RESULTS, _CONTAINER_LOGS / "any", _DEVICE_PLUGINS, _DEVICE_PLUGINS.parent):
        with contextlib.suppress(OSError):
            file.parent.rmdir()


def _nobody_listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
    return False


def _remove_folder(folder: Path) -> None:
    if left := mounts_below(folder):
        raise RuntimeError(f"not removing {folder}: still mounted: {', '.join(left[:3])}")
    shutil.rmtree(folder, ignore_errors=True)
