"""What the benchmarks print, and whether a target was missed."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from tests.bench.measure import Series


class Report:
    """Lines on stdout; `missed` holds the names of the targets that were not met."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def title(self, text: str) -> None:
        """What follows."""
        self.line(f"\n{text}")

    def line(self, text: str) -> None:
        """A line."""
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def table(self, rows: Iterable[Series]) -> None:
        """The figures of some commands."""
        self.line(f"  {'':34}{'wall min':>10}{'median':>10}{'max':>10}{'cpu':>10}{'peak':>11}")
        for row in rows:
            low, *_, high = row.walls
            figures = f"{low:8.3f} s{row.wall:8.3f} s{high:8.3f} s{row.cpu:8.3f} s{row.peak:8.1f} MB"
            self.line(f"  {row.name:34}{figures}")

    def ratio(self, ours: Series, theirs: Series, limit: float) -> None:
        """The ratio of the medians, and what it may be."""
        cpu = f"  (cpu {ours.cpu / theirs.cpu:.2f})"
        self.judge(f"{ours.name} / {theirs.name}", ours.wall / theirs.wall, limit, "times", cpu)

    def peak(self, ours: Series, limit: float) -> None:
        """The peak, and what it may be, in MB."""
        self.judge(f"{ours.name}, peak", ours.peak, limit, "MB")

    def judge(self, name: str, value: float, limit: float, unit: str, note: str = "") -> None:
        """A figure that has a limit."""
        met = value <= limit
        if not met:
            self.missed.append(name)
        self.line(f"  {'PASS' if met else 'OVER'}  {name}: {value:.2f} {unit} of at most {limit:g}{note}")
