"""Sums of times that can't leave the calendar: dumps hold years 1 and 9999, and seconds of any size."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_MOST = 10_000 * 366 * 86_400
"""Seconds: more than the calendar of Python has."""
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def seconds(count: float) -> timedelta:
    """So many seconds, at most ten thousand years."""
    return timedelta(seconds=min(max(count, -_MOST), _MOST))


def later(start: datetime, span: timedelta) -> datetime:
    """`start` and `span` together; the first or last moment of the calendar where that lies outside of it."""
    try:
        return start + span
    except OverflowError:
        return _LAST if span > timedelta() else _FIRST


def in_utc(when: datetime) -> datetime:
    """The same moment in UTC; on the calendar's first and last day the offset is left out."""
    try:
        return when.astimezone(UTC)
    except OverflowError:
        return when.replace(tzinfo=UTC)
