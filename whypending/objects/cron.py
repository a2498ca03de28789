"""The last time a CronJob was due: five fields, as robfig/cron reads them in kube-controller-manager."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
_MACROS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_YEAR = 366


def due_times(schedule: str, time_zone: str, now: datetime, count: int = 2) -> tuple[datetime, ...]:
    """The last `count` due times up to `now`, newest first, in UTC; empty where the schedule or zone is not understood.

    Without a zone the controller's own is used, which is UTC nearly everywhere.
    """
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - only for CronJobs

    words = _MACROS.get(schedule.strip().lower(), schedule).split()
    try:
        zone: tzinfo = ZoneInfo(time_zone) if time_zone else UTC
        minutes, hours, days, months, weekdays = _fields(words)
    except (ValueError, KeyError, OSError):
        return ()
    either = words[2][0] not in "*?" and words[4][0] not in "*?"
    local = now.astimezone(zone)
    found: list[datetime] = []
    for back in range(_YEAR):
        day = local.date() - timedelta(days=back)
        on = (day.day in days, (day.isoweekday() % 7) in weekdays)
        if day.month not in months or not (any(on) if either else all(on)):
            continue
        for hour in sorted(hours, reverse=True):
            for minute in sorted(minutes, reverse=True):
                at = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)
                if at <= local:
                    found.append(at.astimezone(UTC))
                    if len(found) == count:
                        return tuple(found)
    return tuple(found)


def _fields(words: Sequence[str]) -> tuple[frozenset[int], ...]:
    names: tuple[Sequence[str], ...] = ((), (), (), _MONTHS, _DAYS)
    bounds = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
    return tuple(_field(w.lower(), b, n) for w, b, n in zip(words, bounds, names, strict=True))


def _field(text: str, bounds: tuple[int, int], names: Sequence[str]) -> frozenset[int]:
    """`*/15`, `1-5`, `mon,wed`, `10-50/20`, `?`."""
    low, high = bounds
    values: set[int] = set()
    for part in text.split(","):
        span, slash, step = part.partition("/")
        first, dash, last = span.partition("-")
        if span in {"*", "?"}:
            start, end = low, high
        else:
            start = _number(first, low, names)
            end = _number(last, low, names) if dash else high if slash else start
        if not low <= start <= end <= high:
            raise ValueError(text)
        values.update(range(start, end + 1, int(step) if slash else 1))
    return frozenset(values)


def _number(text: str, low: int, names: Sequence[str]) -> int:
    return names.index(text) + low if text in names else int(text)
