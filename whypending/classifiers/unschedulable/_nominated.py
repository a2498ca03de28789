"""What the preemption tail says, and how fresh the verdict is."""

from __future__ import annotations

from datetime import timedelta

from whypending.classifiers.unschedulable._verdict import Verdict
from whypending.evidence import Evidence
from whypending.messages import Reason

FRESH = timedelta(minutes=10)
"""kube-scheduler tries an unschedulable Pod again after five minutes at the latest."""


def said_in_tail(verdict: Verdict, cause: str) -> tuple[Reason, ...]:
    """What the PostFilter plugins added that has this cause."""
    return tuple(r for r in verdict.message.preemption if r.cause == cause)


def since_verdict(evidence: Evidence, verdict: Verdict) -> timedelta | None:
    """How long ago the verdict was last said, None where no time is known."""
    return None if verdict.last is None else max(evidence.now - verdict.last, timedelta())
