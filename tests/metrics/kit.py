"""What the tests of metrics share: captured texts, series as Prometheus answers, evidence around them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from whypending.evidence import Evidence, Known, Sample, Scrape, Target
from whypending.metrics.exposition import parse
from whypending.metrics.questions import readings

HOME = Path(__file__).parent / "captured"
RELEASES = ("1.30", "1.32", "1.34", "1.37")
NOW = datetime(2026, 12, 1, 12, 11, tzinfo=UTC)
PENDING = {"__name__": "scheduler_pending_pods", "job": "kube-scheduler", "instance": "10.0.0.1:10259"}


def captured(release: str) -> str:
    """What a real kube-scheduler exposed, without most of its histograms."""
    return (HOME / f"kube-scheduler-{release}.prom").read_text()


def scrape(text: str) -> Scrape:
    return Scrape(origin="saved.prom", how="file", samples=parse(text).samples)


def evidence(metrics: Known[Scrape]) -> Evidence:
    return Evidence(target=Target(namespace="prod", name="api-1"), now=NOW, metrics=metrics)


def figures(of: Scrape, question: str) -> dict[tuple[str, ...], float]:
    """The question's figures by the values of their labels and their statistic."""
    (reading,) = [r for r in readings(of) if r.question == question]
    return {(*(value for _, value in f.labels), f.statistic): f.value for f in reading.figures}


def sample(metric: str, value: float, /, **labels: str) -> Sample:
    return Sample(name=metric, labels=tuple(sorted(labels.items())), value=value)


def series(value: str = "1", at: float = 1_796_127_060.5, /, **metric: str) -> dict[str, Any]:
    return {"metric": metric, "value": [at, value]}


def vector(*found: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The answer of /api/v1/query as Prometheus' documentation shows it."""
    return {"status": "success", "data": {"resultType": "vector", "result": list(found)}, **more}


def error(kind: str, message: str) -> dict[str, Any]:
    return {"status": "error", "errorType": kind, "error": message}
