"""The record of running clusters, by which a later process can take down what an earlier one left.

Each run has a slot: a small number, held by a file lock while its owner lives, from which its
ports, bridge, Pod network and folder under /run follow. The slot's record in the cache names the
owner and every process that was started.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import tempfile
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

from tests.cluster.base import ClusterUnavailable, cache_dir

SLOTS = 100
# Below the range from which Linux takes the ports of outgoing connections, and below NodePorts.
FIRST_PORT = 20000
PORTS_PER_SLOT = 40
FIXED_PORTS = (
    "etcd",
    "etcd-peer",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kubelet",
    "kubelet-healthz",
)


@dataclass
class Process:
    """A process that a run started; ``started`` tells it from a later one with the same pid."""

    name: str
    pid: int
    started: int
    argv: list[str]

    def alive(self) -> bool:
        """Whether this very process still runs."""
        return (
            start_time(self.pid) == self.started
            and command_line(self.pid)[:1] == self.argv[:1]
            and state_of(self.pid) != "Z"
        )


@dataclass
class Run:
    """One cluster: where it is, who owns it, what it started."""

    slot: int
    root: str
    owner_pid: int
    owner_started: int
    node: bool = False
    detached: bool = False
    processes: list[Process] = field(default_factory=list)
    extra_ports: dict[str, int] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The file of this record."""
        return _records() / f"{self.slot}.json"

    @property
    def bridge(self) -> str:
        """The name of the node's bridge and CNI network."""
        return f"whypending{self.slot}"

    @property
    def runtime_dir(self) -> Path:
        """A folder with a path short enough for containerd's sockets."""
        return Path(f"/run/whypending-{self.slot}")

    @property
    def pod_network(self) -> str:
        """The first three numbers of the Pods' addresses."""
        return f"10.244.{self.slot}"

    def port(self, name: str) -> int:
        """The port of that component; names beyond the fixed ones get the next free one."""
        base = FIRST_PORT + self.slot * PORTS_PER_SLOT
        if name in FIXED_PORTS:
            return base + FIXED_PORTS.index(name)
        if name not in self.extra_ports:
            self.extra_ports[name] = base + len(FIXED_PORTS) + len(self.extra_ports)
            self.save()
        return self.extra_ports[name]

    def owned(self) -> bool:
        """Whether somebody still wants this run: its owner lives, or it was left on purpose."""
        return self.detached or start_time(self.owner_pid) == self.owner_started

    def save(self) -> None:
        """Writes the record, whole or not at all."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        partial = self.path.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(asdict(self), indent=1))
        partial.rename(self.path)

    def forget(self) -> None:
        """Removes the record."""
        self.path.unlink(missing_ok=True)


def _records() -> Path:
    return cache_dir() / "runs"


def load_runs() -> list[Run]:
    """Every run on record."""
    runs = []
    for path in sorted(_records().glob("*.json")):
        try:
            data = json.loads(path.read_text())
            data["processes"] = [Process(**p) for p in data["processes"]]
            runs.append(Run(**data))
        except (OSError, ValueError, TypeError, KeyError):
            continue
    return runs


def claim_slot(root: Path, held: ExitStack) -> Run:
    """A new run in a free slot, which stays claimed until ``held`` is closed."""
    # Slots are the machine's, not the cache's: two caches must not share ports.
    folder = Path(tempfile.gettempdir()) / "whypending-slots"
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        folder.chmod(0o1777)
    for slot in range(SLOTS):
        try:
            handle = (folder / str(slot)).open("w")
        except PermissionError:
            continue
        if _locked(handle) and _free(slot):
            held.callback(handle.close)
            run = Run(slot, str(root), os.getpid(), start_time(os.getpid()))
            run.save()
            return run
        handle.close()
    raise ClusterUnavailable("every port range for test clusters is in use")


def _locked(handle: IO[str]) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _free(slot: int) -> bool:
    run = Run(slot, "", 0, 0)
    if run.path.exists() or run.runtime_dir.exists() or Path(f"/sys/class/net/{run.bridge}").exists():
        return False
    base = FIRST_PORT + slot * PORTS_PER_SLOT
    return all(_bindable(port) for port in range(base, base + PORTS_PER_SLOT))


def _bindable(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _stat(pid: int) -> list[str]:
    try:
        # The name in brackets may hold spaces.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def start_time(pid: int) -> int:
    """When the process began, in ticks since boot; 0 if there is none."""
    fields = _stat(pid)
    return int(fields[19]) if fields else 0


def state_of(pid: int) -> str:
    """The process's state letter; empty if there is none."""
    return (_stat(pid) or [""])[0]


def command_line(pid: int) -> list[str]:
    """The process's arguments; empty if there is none."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
    except OSError:
        return []
