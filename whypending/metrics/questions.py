"""What is asked of a scheduler's metrics, and how it is found: by patterns of names and the labels that are there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from whypending.diagnosis import Figure, Reading
from whypending.evidence import Sample, Scrape
from whypending.metrics.histogram import of_histogram

Samples = dict[str, list[Sample]]
Labels = tuple[tuple[str, str], ...]


class Question(NamedTuple):
    """One question. patterns: names that answer it, the present one first. labels: by which figures are told apart.

    lazy: a series of it begins with its first use, so that a missing one may also mean "never yet".
    """

    name: str
    unit: str
    patterns: tuple[str, ...]
    labels: tuple[str, ...] = ()
    read: Callable[[Samples, str, tuple[str, ...]], Iterator[Figure]] | None = None
    lazy: bool = False

    def answer(self, found: Samples) -> Reading:
        """The Reading, with the first metric that fits; without one where none does."""
        for pattern in self.patterns:
            for name in sorted({_family(name, pattern) for name in found} - {""}):
                figures = tuple((self.read or _sums)(found, name, self.labels))
                if figures:
                    return Reading(question=self.name, metric=name, unit=self.unit, figures=figures, lazy=self.lazy)
        return Reading(question=self.name, unit=self.unit, lazy=self.lazy)


def readings(scrape: Scrape) -> tuple[Reading, ...]:
    """The answers to all questions, in their order."""
    found: Samples = {}
    for sample in scrape.samples:
        found.setdefault(sample.name, []).append(sample)
    return tuple(question.answer(found) for question in QUESTIONS)


def _family(name: str, pattern: str) -> str:
    """The metric that a sample belongs to, where it fits: a histogram's samples end in _sum, _count and _bucket."""
    match = re.fullmatch(f"({pattern})(?:_(?:sum|count|bucket))?", name)
    return match[1] if match else ""


def grouped(samples: Sequence[Sample], wanted: tuple[str, ...]) -> dict[Labels, list[Sample]]:
    """By those of the wanted labels that are there; by all of its labels where it has none of them."""
    there = {name for sample in samples for name, _ in sample.labels} - {"le"}
    by = [name for name in wanted if name in there] or ([] if not wanted else sorted(there))
    groups: dict[Labels, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(tuple((name, sample.label(name)) for name in by), []).append(sample)
    return dict(sorted(groups.items()))


def _sums(found: Samples, name: str, wanted: tuple[str, ...]) -> Iterator[Figure]:
    for labels, mine in grouped(found.get(name, []), wanted).items():
        yield Figure(labels=labels, value=sum(s.value for s in mine))


def _times(found: Samples, name: str, wanted: tuple[str, ...]) -> Iterator[Figure]:
    """How often, how long on average, and the time that 99 of 100 stay below."""
    counts = grouped(found.get(f"{name}_count", []), wanted)
    sums = grouped(found.get(f"{name}_sum", []), wanted)
    buckets = grouped(found.get(f"{name}_bucket", []), wanted)
    for labels, mine in counts.items():
        count, total = (sum(s.value for s in part) for part in (mine, sums.get(labels, [])))
        yield from of_histogram(labels, count, total if labels in sums else None, buckets.get(labels, []))


def _victims(found: Samples, name: str, _: tuple[str, ...]) -> Iterator[Figure]:
    """The sum of the histogram; before it was one (1.17), the last preemption's victims."""
    samples = found.get(f"{name}_sum") or found.get(name, [])
    if samples:
        yield Figure(value=sum(s.value for s in samples))


def _refused(found: Samples, name: str, _: tuple[str, ...]) -> Iterator[Figure]:
    """Answers 429 among all of them."""
    samples = found.get(name, [])
    coded = [s for s in samples if s.label("code")]
    if coded:
        refused = sum(s.value for s in coded if s.label("code") == "429")
        yield Figure(labels=(("code", "429"),), value=refused)
        yield Figure(value=sum(s.value for s in samples), statistic="count")


_ATTEMPT = ("profile", "result")
QUESTIONS = (
    Question("pending by queue", "Pods", (r"scheduler_pending_pods", r"scheduler_\w*pending\w*"), ("queue",)),
    Question(
        "attempts by profile and result", "attempts",
        (r"scheduler_schedule_attempts_total", r"scheduler_schedul\w+_attempts_total"), _ATTEMPT, lazy=True,
    ),
    Question(
        "unschedulable by plugin", "Pods", (r"scheduler_unschedulable_pods", r"scheduler_unschedulable\w*"),
        ("plugin", "profile"), lazy=True,
    ),
    Question(
        "permit waits", "seconds", (r"scheduler_permit_wait_duration_seconds", r"scheduler_\w*permit\w*_seconds"),
        ("result",), _times, lazy=True,
    ),
    Question(
        "preemption attempts", "attempts",
        (r"scheduler_preemption_attempts_total", r"scheduler_total_preemption_attempts"),
    ),
    Question(
        "preemption victims", "Pods", (r"scheduler_preemption_victims", r"scheduler_pod_preemption_victims"), (),
        _victims,
    ),
    Question("API requests refused as too many", "requests", (r"rest_client_requests_total",), (), _refused, lazy=True),
    Question(
        "waits for the client's own rate limit", "seconds", (r"rest_client_rate_limiter_duration_seconds",), (), _times,
        lazy=True,
    ),
    Question(
        "leader status", "", (r"leader_election_master_status", r"leader_election_\w*status"), ("name",), lazy=True
    ),
    Question(
        "attempt latency", "seconds",
        (r"scheduler_scheduling_attempt_duration_seconds", r"scheduler_e2e_scheduling_duration_seconds"), ("result",),
        _times, lazy=True,
    ),
)  # fmt: skip
"""In the order of the report. The leader status names the program, not the Lease (kube-scheduler 1.37, seen).
Older names: total_preemption_attempts (1.17), e2e_scheduling (1.22)."""
