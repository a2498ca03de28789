"""The newest time in a text of objects, found without decoding them."""

from __future__ import annotations

import re
from datetime import datetime

_VALUE = rb"[\"']?: ?[\"']?(\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d)(?:\.\d+)?Z"
_TIMES = (
    re.compile(rb"Time(?<!deletionTime)(?<!expirationTime)(?:stamp)?" + _VALUE),
    re.compile(rb"edAt(?:(?<=startedAt)|(?<=finishedAt))" + _VALUE),
)
"""creationTimestamp, lastTransitionTime, renewTime, startedAt …: what has happened. What is still to come (the end of
a deletion's grace, expiry) is left out. Each begins with letters, which lets `re` skip fast."""

_FIRST_YEAR, _LAST_YEAR = 2000, 9000


def newest(data: bytes) -> str:
    """The newest well-formed UTC time of a known field, as `2026-01-02T03:04:05`; empty where there is none."""
    times = {time for pattern in _TIMES for time in pattern.findall(data)}
    return next((text for text in sorted((t.decode() for t in times), reverse=True) if parse(text)), "")


def parse(text: str) -> datetime | None:
    """A time of that shape, in UTC; None where the digits are no date, or none that a cluster has seen."""
    try:
        when = datetime.fromisoformat(f"{text}+00:00") if text else None
    except ValueError:
        return None
    return when if when and _FIRST_YEAR <= when.year <= _LAST_YEAR else None
