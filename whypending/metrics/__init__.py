"""Scheduler metrics, pure: texts and answers into samples, samples into what they say, and the profiles they prove.

Names and labels differ by release: they are looked for among what is there (`questions`), and what is not there is
said to be missing. Classifiers need `profiles` alone.
"""

from __future__ import annotations

from datetime import UTC, datetime

from whypending.diagnosis import SchedulerMetrics
from whypending.evidence import Evidence, Gap, Scrape
from whypending.metrics.profiles import ProfileSeen, profiles
from whypending.metrics.questions import readings

_BUILD = "kubernetes_build_info"
_START = "process_start_time_seconds"
_LAST = 4_102_444_800
"""Seconds: the year 2100. A later start is no start."""


def shown(evidence: Evidence) -> tuple[SchedulerMetrics, ...] | None:
    """What the report says of the metrics; None where they were not asked for or could not be read (then a Gap)."""
    return None if isinstance(evidence.metrics, Gap) else tuple(_of(scrape) for scrape in evidence.metrics)


def _of(scrape: Scrape) -> SchedulerMetrics:
    return SchedulerMetrics(
        origin=scrape.origin,
        how=scrape.how,
        at=scrape.at,
        version=next((version for s in scrape.samples if s.name == _BUILD and (version := s.label("git_version"))), ""),
        started=_start(scrape),
        readings=readings(scrape),
        warnings=scrape.warnings,
    )


def _start(scrape: Scrape) -> datetime | None:
    seconds = next((s.value for s in scrape.samples if s.name == _START), 0.0)
    return datetime.fromtimestamp(int(seconds), UTC) if 0 < seconds < _LAST else None


__all__ = ["ProfileSeen", "profiles", "readings", "shown"]
