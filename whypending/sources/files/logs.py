"""The `*.log` files beside the objects."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.evidence import Known, LogLine
from whypending.sources.base import LogQuery
from whypending.sources.files.gaps import no_log, no_logs
from whypending.sources.files.layouts import LogPlace, log_of
from whypending.sources.files.text import to_text

MAX_LINES = 100_000
MAX_LINE = 8_000


class LogFile:
    """One log: whose it is, and its text, decoded when it is asked for."""

    def __init__(self, origin: str, path: str, data: bytes) -> None:
        self.origin = origin
        self.place: LogPlace = log_of(path)
        self._data = data

    def lines(self) -> list[str]:
        """Its lines, cut where one is absurdly long; none where it is binary."""
        return [line[:MAX_LINE] for line in (to_text(self._data) or "").splitlines()]

    def is_of(self, query: LogQuery) -> bool:
        """Whether it is the log that is asked for, as far as its path says."""
        place = self.place
        return (
            place.pod == query.pod
            and place.namespace in {"", query.namespace}
            and (not query.container or place.container in {"", query.container})
            and place.previous == query.previous
        )


def answer(files: list[LogFile], query: LogQuery) -> Known[str]:
    """The end of that container's log, or a Gap with the command that saves it."""
    mine = [file for file in files if file.is_of(query)]
    if not mine:
        return no_log(query)
    lines = mine[0].lines()[-query.tail_lines :]
    size = 0
    for at in range(len(lines) - 1, -1, -1):
        size += len(lines[at].encode()) + 1
        if size > query.limit_bytes:
            return tuple(lines[at + 1 :])
    return tuple(lines)


def every_line(files: list[LogFile]) -> Known[LogLine]:
    """All lines of all logs (the last 100,000 of each and in all); a Gap where there is no log."""
    return tuple(_lines(files)) if files else no_logs()


def _lines(files: list[LogFile]) -> Iterator[LogLine]:
    share = max(1_000, MAX_LINES // len(files))
    for file in files:
        lines = file.lines()
        first = max(0, len(lines) - share)
        for number, text in enumerate(lines[first:], start=first + 1):
            if text.strip():
                yield LogLine(origin=file.origin, number=number, text=text)
