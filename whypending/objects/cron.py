"""When a CronJob was due, and is next: five fields, as robfig/cron reads them in kube-controller-manager."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice, product

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
    return tuple(islice(_times(schedule, time_zone, now, -1), count))


def next_due(schedule: str, time_zone: str, now: datetime) -> datetime | None:
    """The first due time after `now`, in UTC; None where there is none within a year, or it is not understood."""
    return next(_times(schedule, time_zone, now, 1), None)


def missed(schedule: str, time_zone: str, last: datetime, now: datetime) -> tuple[datetime, ...]:
    """The due times since `last` (the last run, else the creation), newest first and at most two; empty if none.

    Where neither a zone is given nor `last` fits the schedule in UTC, one due time may be another zone's: two count.
    """
    due = due_times(schedule, time_zone, now)
    sure = bool(time_zone) or last in due_times(schedule, "", last, count=1)
    since = tuple(at for at in due if at > last)
    return since if sure or len(since) > 1 else ()


def _times(schedule: str, time_zone: str, now: datetime, step: int) -> Iterator[datetime]:
    """Due times from `now` on, back (step -1, `now` included) or forward (step 1), for a year."""
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - only for CronJobs

    words = _MACROS.get(schedule.strip().lower(), schedule).split()
    try:
        zone: tzinfo = ZoneInfo(time_zone) if time_zone else UTC
        minutes, hours, days, months, weekdays = _fields(words)
        local = now.astimezone(zone)
        every = [local.date() + timedelta(days=step * n) for n in range(_YEAR)]
    except (ValueError, KeyError, OSError, OverflowError):
        return
    either = words[2][0] not in "*?" and words[4][0] not in "*?"
    for day in every:
        on = (day.day in days, (day.isoweekday() % 7) in weekdays)
        if day.month not in months or not (any(on) if either else all(on)):
            continue
        for hour, minute in sorted(product(hours, minutes), reverse=step < 0):
            at = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)
            if (at <= local) is (step < 0):
                yield at.astimezone(UTC)


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
