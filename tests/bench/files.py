"""`whypending pod --from` a large file, against a plain reader of JSON."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.bench.measure import Command, Meter, whypending
from tests.bench.objects import MEGABYTES, NAMESPACE, PODS, REFUSED, write_pods
from tests.bench.report import Report

_ORJSON = "import orjson; orjson.loads(open({!r},'rb').read())"


def bench(report: Report, runs: int) -> None:
    """At most 0.6 of orjson's time, and 200 MB."""
    report.title(f"whypending pod --from a JSON List of {PODS:,} Pods, {MEGABYTES} MB ({runs} runs each, in turn)")
    with tempfile.TemporaryDirectory(prefix="whypending-bench-") as folder, Meter() as meter:
        path = Path(folder) / "pods.json"
        write_pods(path)
        ours = whypending("whypending pod --from", "pod", "-n", NAMESPACE, REFUSED, "--from", str(path), statuses=[1])
        theirs = Command("orjson.loads", (sys.executable, "-c", _ORJSON.format(str(path))))
        rows = meter.in_turn((ours, theirs), runs)
    report.table(rows)
    report.ratio(rows[0], rows[1], 0.6)
    report.peak(rows[0], 200)


def bench_offline(report: Report, runs: int) -> None:
    """Commands that read nothing; no target."""
    report.title(f"Commands that need no cluster ({runs} runs each, in turn)")
    commands = (
        whypending("whypending --help", "--help"),
        whypending("whypending explain", "explain", "insufficient-cpu"),
        whypending("whypending demo", "demo"),
        Command("python -c pass", (sys.executable, "-c", "pass")),
    )
    with Meter() as meter:
        report.table(meter.in_turn(commands, runs))
