"""Commands, what they took, and the medians of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import NamedTuple, Self

from tests.bench import meter


class Sample(NamedTuple):
    """One finished process: seconds, bytes, exit status."""

    wall: float
    cpu: float
    peak: int
    status: int


class Series(NamedTuple):
    """All counted runs of one command."""

    name: str
    samples: tuple[Sample, ...]

    @property
    def walls(self) -> tuple[float, ...]:
        """Seconds from start to end, sorted."""
        return tuple(sorted(sample.wall for sample in self.samples))

    @property
    def wall(self) -> float:
        """The median of them."""
        return median(self.walls)

    @property
    def cpu(self) -> float:
        """The median of user and system time together."""
        return median(sample.cpu for sample in self.samples)

    @property
    def peak(self) -> float:
        """The largest resident size of any run, in MB."""
        return max(sample.peak for sample in self.samples) / 1e6


class Command(NamedTuple):
    """What to run, and the exit statuses that it may have."""

    name: str
    argv: tuple[str, ...]
    statuses: frozenset[int] = frozenset({0})


def whypending(name: str, *arguments: str, statuses: Sequence[int] = (0, 1)) -> Command:
    """Whypending as it is installed beside this Python."""
    script = Path(sys.executable).with_name("whypending")
    start = (str(script),) if script.exists() else (sys.executable, "-m", "whypending")
    return Command(name, (*start, *arguments), frozenset(statuses))


class Meter:
    """Runs commands one after another, with the environment of an installed program: its bytecode is compiled."""

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="whypending-bench-"))
        own = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        self._env = {**own, **(env or {}), "PYTHONPYCACHEPREFIX": str(self._folder)}
        argv = [sys.executable, "-I", "-S", str(meter.__file__)]
        self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait(timeout=60)
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, command: Command) -> Sample:
        """One run. RuntimeError where it ends with a status that it may not have."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the meter has no pipes")
        self._process.stdin.write(json.dumps({"argv": command.argv, "env": self._env}) + "\n")
        self._process.stdin.flush()
        sample = Sample(**json.loads(self._process.stdout.readline()))
        if sample.status not in command.statuses:
            raise RuntimeError(f"{' '.join(command.argv)} ended with {sample.status}")
        return sample

    def in_turn(self, commands: Sequence[Command], runs: int) -> tuple[Series, ...]:
        """So many runs of each, A B A B …, after one of each that does not count."""
        for command in commands:
            self.run(command)
        rounds = [[self.run(command) for command in commands] for _ in range(runs)]
        return tuple(Series(c.name, tuple(r[i] for r in rounds)) for i, c in enumerate(commands))
