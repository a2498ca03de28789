"""``python -m tests.bench``: prints every figure, and ends with 1 where a target is missed."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench import files, large, live
from tests.bench.report import Report


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the benchmarks and gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--large", action="store_true", help="only the look into a cluster of 30,000 Pods (minutes)")
    parser.add_argument("--runs", type=int, default=15, help="of each command that is compared (default 15)")
    options = parser.parse_args(arguments)
    report = Report()
    with tempfile.TemporaryDirectory(prefix="whypending-bench-") as folder:
        if options.large:
            large.bench(report, options.runs, Path(folder))
        else:
            files.bench(report, options.runs)
            files.bench_offline(report, options.runs)
            live.bench(report, options.runs, Path(folder))
            report.line("\nA refused Pod among 30,000 others takes some minutes: python -m tests.bench --large")
    if report.missed:
        report.line(f"\nMissed: {'; '.join(report.missed)}")
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
