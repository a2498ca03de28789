"""Which profiles exist, by the metrics: a profile that has tried to schedule a Pod has a series of its own."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from whypending.evidence import Evidence, Sample, Scrape, seen

_COUNTER = re.compile(r"scheduler_\w*attempts(_total)?")
_PROFILE = "profile"
"""The label since 1.20; counters of older releases name no profile and prove none."""


class ProfileSeen(NamedTuple):
    """A profile (a schedulerName that a running process serves) and its attempts since that process started."""

    name: str
    origin: str
    metric: str
    attempts: float
    at: datetime | None = None


def profiles(evidence: Evidence) -> tuple[ProfileSeen, ...]:
    """The profiles that the metrics prove, by name.

    Nothing where metrics were not read. A profile that is not among them may still exist: a counter's series
    begins with the first attempt (kube-scheduler 1.37, seen).
    """
    found = (profile for scrape in seen(evidence.metrics) for profile in _of(scrape))
    return tuple(sorted(found, key=lambda profile: (profile.name, profile.origin)))


def _of(scrape: Scrape) -> list[ProfileSeen]:
    found: dict[str, list[Sample]] = {}
    for sample in scrape.samples:
        if sample.label(_PROFILE) and _COUNTER.fullmatch(sample.name):
            found.setdefault(sample.label(_PROFILE), []).append(sample)
    return [
        ProfileSeen(name, scrape.origin, mine[0].name, sum(s.value for s in mine), scrape.at)
        for name, mine in found.items()
    ]
