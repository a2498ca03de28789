"""Starts, stops and freezes the cluster's processes, each with a log and an entry in the record."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.cluster.base import until
from tests.cluster.state import Process, Run, command_line, start_time, state_of


class ProcessEndedError(RuntimeError):
    """A component ended by itself; the message has the end of its log."""


class Processes:
    """The processes of one run."""

    def __init__(self, run: Run, logs: Path) -> None:
        self.run = run
        self.logs = logs
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._recipes: dict[str, tuple[list[str], dict[str, str]]] = {}

    def start(self, name: str, argv: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        """Starts a component in a session of its own, so that a Ctrl-C meant for us spares it."""
        if self.alive(name):
            raise RuntimeError(f"{name} already runs")
        self._recipes[name] = (list(argv), dict(env or {}))
        self.logs.mkdir(parents=True, exist_ok=True)
        with self.log(name).open("ab") as log:
            child = subprocess.Popen(
                list(argv),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **(env or {})},
                start_new_session=True,
            )
        self._children[name] = child
        self.run.processes = [p for p in self.run.processes if p.name != name]
        self.run.processes.append(Process(name, child.pid, start_time(child.pid), list(argv)))
        self.run.save()

    def restart(self, name: str) -> None:
        """Starts a stopped component with the arguments it had."""
        if name not in self._recipes:
            raise KeyError(f"no component {name!r} was started; there are: {', '.join(self._recipes)}")
        self.start(name, *self._recipes[name])

    def stop(self, name: str, *, kill: bool = False, timeout: float = 20) -> None:
        """Ends a component, by SIGKILL at once or after the time is up."""
        if process := self._find(name):
            end(process, kill=kill, timeout=timeout)
        if child := self._children.pop(name, None):
            child.wait()
        self.run.processes = [p for p in self.run.processes if p.name != name]
        self.run.save()

    def freeze(self, name: str) -> None:
        """Stops a component where it is (SIGSTOP)."""
        self._signal(name, signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        """Lets a frozen component go on."""
        self._signal(name, signal.SIGCONT)

    def alive(self, name: str) -> bool:
        """Whether the component runs."""
        process = self._find(name)
        return process is not None and process.alive()

    def require(self, name: str) -> None:
        """Raises if the component has ended."""
        if not self.alive(name):
            raise ProcessEndedError(f"{name} ended: {self.log_tail(name)}")

    def log(self, name: str) -> Path:
        """The component's log file."""
        return self.logs / f"{name}.log"

    def log_tail(self, name: str, size: int = 1500) -> str:
        """The end of the component's log."""
        try:
            return self.log(name).read_text(errors="replace")[-size:].strip()
        except OSError:
            return "(no log)"

    def reap(self) -> None:
        """Takes note of children that were ended by their record."""
        for child in self._children.values():
            child.wait()
        self._children.clear()

    def _find(self, name: str) -> Process | None:
        return next((p for p in self.run.processes if p.name == name), None)

    def _signal(self, name: str, number: signal.Signals) -> None:
        process = self._find(name)
        if process is None or not process.alive():
            raise RuntimeError(f"{name} does not run")
        os.kill(process.pid, number)


def end(process: Process, *, kill: bool = False, timeout: float = 20) -> None:
    """Ends a process that is still the one on record."""
    if not process.alive():
        return
    if not kill:
        os.kill(process.pid, signal.SIGTERM)
        os.kill(process.pid, signal.SIGCONT)
        if until(lambda: not process.alive(), timeout, 0.05):
            return
    kill_pid(process.pid)


def kill_pid(pid: int) -> None:
    """Kills a process and waits until it is gone or only its parent has to take notice."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    until(lambda: state_of(pid) in ("", "Z"), 10, 0.02)


def pids_with_argument(argument: str) -> list[int]:
    """Every process that has this very argument."""
    pids = (int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit())
    return [pid for pid in pids if argument in command_line(pid)]


def descendants(pid: int) -> list[int]:
    """The children of a process, and theirs, youngest generation last."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        for path in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            try:
                children = [int(word) for word in path.read_text().split()]
            except OSError:
                continue
            found += children
            waiting += children
    return found
