"""The words of the text report: a class, a confidence, a moment and an age as a person says them."""

from __future__ import annotations

from datetime import datetime

from whypending.diagnosis import Diagnosis, Finding, Triage
from whypending.objects.times import in_utc

CLASS_WORDS = {
    Triage.NO_SCHEDULER: "waiting, no scheduler took it up",
    Triage.UNSCHEDULABLE: "unschedulable",
    Triage.SCHEDULED_NOT_READY: "scheduled, not ready",
    Triage.HELD: "held on purpose",
    Triage.NO_POD: "no Pod was made",
    Triage.NOT_STUCK: "not stuck",
    Triage.UNKNOWN: "undecided",
}
REFINED_BY = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "
_SKEW = 2
_MINUTE, _HOUR, _DAY, _YEAR = 60, 3600, 86400, 365 * 86400


def class_words(diagnosis: Diagnosis) -> str:
    """The class in words that hold for this very target: of a workload some Pods may be there, or have been."""
    if any(f.name == "job-failed" for f in diagnosis.findings[:1]):
        return "given up"
    if diagnosis.triage is Triage.NO_POD and diagnosis.some_made:
        return "not all Pods were made"
    return CLASS_WORDS[diagnosis.triage]


def chain_of(diagnosis: Diagnosis) -> tuple[Finding, ...]:
    """The primary cause and what refines it, broadest first: the causes that the verdict names."""
    chain = list(diagnosis.findings[:1])
    for finding in diagnosis.findings[1:]:
        if finding.refines and finding.refines == chain[-1].name:
            chain.append(finding)
    return tuple(chain)


def ago(since: datetime, now: datetime) -> str:
    """`45s ago`; `in 82s` for what lies ahead of the clock by more than clocks differ."""
    ahead = (since - now).total_seconds()
    return f"in {age(now, since)}" if ahead > _SKEW else f"{age(since, now)} ago"


def age(since: datetime, now: datetime) -> str:
    """An age as kubectl's AGE column writes it: 45s, 3m20s, 15m, 5h2m, 30h, 3d4h, 12d, 2y30d."""
    seconds = max(int((now - since).total_seconds()), 0)
    if seconds < 2 * _MINUTE:
        return f"{seconds}s"
    if seconds < 10 * _MINUTE:
        return _pair(seconds, _MINUTE, "m", 1, "s")
    if seconds < 3 * _HOUR:
        return f"{seconds // _MINUTE}m"
    if seconds < 8 * _HOUR:
        return _pair(seconds, _HOUR, "h", _MINUTE, "m")
    if seconds < 2 * _DAY:
        return f"{seconds // _HOUR}h"
    return _days(seconds)


def _days(seconds: int) -> str:
    if seconds < 8 * _DAY:
        return _pair(seconds, _DAY, "d", _HOUR, "h")
    if seconds < 2 * _YEAR:
        return f"{seconds // _DAY}d"
    return _pair(seconds, _YEAR, "y", _DAY, "d")


def _pair(seconds: int, large: int, large_unit: str, small: int, small_unit: str) -> str:
    rest = seconds % large // small
    return f"{seconds // large}{large_unit}" + (f"{rest}{small_unit}" if rest else "")


def moment(when: datetime) -> str:
    """A time as the API writes it, in whole seconds: `2026-11-30T22:15:03Z`."""
    return in_utc(when).isoformat(timespec="seconds").replace("+00:00", "Z")
