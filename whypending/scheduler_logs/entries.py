"""Raw lines into LogLines: time and severity of each entry, which its continuation lines share.

What is understood: klog's text (`E0512 08:09:10.123456 1 file.go:1] …`), component-base's JSON
(`--logging-format=json`), lines that begin with an RFC 3339 time, and each of these behind what kubectl
(`--timestamps`, `--prefix`) or a container runtime writes in front. JSON is put into klog's form, so that one pattern
finds a message in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from whypending.evidence import LogLine
from whypending.patterns import Pattern
from whypending.scheduler_logs.structured import as_klog

MAX_LINE = 8_000
"""Characters of a line that are kept."""
_STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
_FRONT = Pattern(rf"(?:\[pod/[^\]\s]{{1,300}}\] )?(?P<stamp>{_STAMP})?(?: std(?:out|err) [FP])?[ \t]?")
_KLOG = Pattern(r"([IWEF])(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?\d*\s")
_LEVEL = Pattern(r"\b(?:(INFO|DEBUG|TRACE)|(WARN)(?:ING)?|(ERROR)|(FATAL|PANIC|DPANIC))\b", re.IGNORECASE)
_SEVERITIES = "IWEF"
_YEAR = timedelta(days=183)


class _Head(msgspec.Struct, frozen=True):
    at: datetime | None
    severity: str
    text: str


_NONE = _Head(None, "", "")


def lines_of(  # noqa: PLR0913 - each is one property of the lines
    texts: Iterable[str], origin: str, now: datetime, *, first: int = 1, previous: bool = False, pod: str = ""
) -> Iterator[LogLine]:
    """The lines of one log, oldest first, without empty ones; `first` is the number of the first.

    now: the clock, which the year of klog's times is taken from. A line that begins no entry has the time and severity
    of the entry before it.
    """
    entry = _NONE
    for number, text in enumerate(texts, start=first):
        if not text.strip():
            continue
        head = _head(text, now)
        entry = head or entry
        yield LogLine(
            origin=origin,
            number=number,
            text=(head.text if head else text)[:MAX_LINE],
            at=entry.at,
            severity=entry.severity,
            previous=previous,
            pod=pod,
        )


def _head(text: str, now: datetime) -> _Head | None:
    """The time and severity of an entry that begins with this line; None where it goes on with the one before."""
    front = _FRONT.match(text)
    stamp, start = (front["stamp"], front.end()) if front else (None, 0)
    if match := _KLOG.match(text, start):
        return _Head(_klog_time(match, now), match[1], text)
    if text.startswith("{", start) and (entry := _json(text[start:])) is not None:
        at = _epoch(entry.get("ts")) or _written(stamp)
        return _Head(at, "I" if "v" in entry else "E", as_klog(entry, at))
    if stamp is None:
        return None
    return _Head(_written(stamp), _severity(text[start : start + 40]), text)


def _json(text: str) -> dict[str, Any] | None:
    """An object with a message; None for anything else, cut lines too."""
    try:
        entry = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    return entry if isinstance(entry, dict) and isinstance(entry.get("msg"), str) else None


def _klog_time(match: re.Match[str], now: datetime) -> datetime | None:
    """It has no year and is UTC in containers: the year is that which brings it nearest to the clock."""
    month, day, hour, minute, second = (int(x) for x in match.groups()[1:6])
    micro = int((match[7] or "0").ljust(6, "0"))
    for year in (now.year, now.year - 1, now.year + 1):
        try:
            at = datetime(year, month, day, hour, minute, second, micro, tzinfo=UTC)
        except ValueError:
            continue
        if abs(at - now) < _YEAR:
            return at
    return None


def _epoch(value: object) -> datetime | None:
    """`ts`: component-base writes milliseconds, plain zap seconds."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return _written(value) if isinstance(value, str) else None
    try:
        return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)  # noqa: PLR2004 - the year 5138
    except (OverflowError, ValueError, OSError):
        return None


def _written(stamp: str | None) -> datetime | None:
    """RFC 3339, with more digits than Python takes; UTC where it names no zone."""
    if not stamp:
        return None
    try:
        at = datetime.fromisoformat(re.sub(r"[.,](\d{1,6})\d*", r".\1", stamp))
    except ValueError:
        return None
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def _severity(text: str) -> str:
    found = _LEVEL.search(text)
    return _SEVERITIES[(found.lastindex or 1) - 1] if found else ""
