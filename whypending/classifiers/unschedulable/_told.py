"""What the verdict tells for one cause; a verdict that the objects contradict by now tells it with less weight."""

from __future__ import annotations

import msgspec

from whypending.classifiers.unschedulable._nominated import FRESH, since_verdict
from whypending.classifiers.unschedulable._reasons import Told, told_all
from whypending.classifiers.unschedulable._refuted import refuted
from whypending.classifiers.unschedulable._verdict import verdict_of
from whypending.diagnosis import Confidence, Role
from whypending.evidence import Evidence

__all__ = ["Told", "is_stale", "told", "told_all"]


def told(evidence: Evidence, name: str) -> Told | None:
    """What the verdict tells for this cause, or None where it does not speak of it."""
    this = next((t for t in told_all(evidence) if t.name == name), None)
    if this is None or not is_stale(evidence):
        return this
    return msgspec.structs.replace(this, role=Role.CONTRIBUTING, confidence=Confidence.LIKELY, tail="")


def is_stale(evidence: Evidence) -> bool:
    """Whether every reason is contradicted by now, and no attempt was seen for ten minutes."""
    verdict = verdict_of(evidence)
    age = since_verdict(evidence, verdict) if verdict else None
    return age is not None and age > FRESH and bool(refuted(evidence))
