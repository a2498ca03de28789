"""Metrics that could not be read: one Gap, with what would close it."""

from __future__ import annotations

from whypending.evidence import Gap, GapReason

WHAT = "the scheduler's metrics"
_DECIDES = "which profiles run, what they tried, and what holds them up"


def gap(reason: GapReason, detail: str, grant: str = "") -> Gap:
    """The Gap; `detail` is one sentence, `grant` what to give or to ask for."""
    return Gap(what=WHAT, reason=reason, would_decide=_DECIDES, grant=grant, detail=detail)
