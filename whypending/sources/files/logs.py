"""The `*.log` files beside the objects."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.evidence import Known, LogLine
from whypending.sources.base import LogQuery
from whypending.sources.files.gaps import no_log, no_logs
from whypending.sources.files.inputs import Blob
from whypending.sources.files.layouts import LogPlace, is_of_a_scheduler, log_of
from whypending.sources.files.text import to_text, to_utf8

MAX_LINES = 100_000
MAX_LINE = 8_000


class LogFile:
    """One log: whose it is, and its text, read and decoded when it is asked for."""

    def __init__(self, blob: Blob) -> None:
        self.origin = blob.origin
        self.place: LogPlace = log_of(blob.path)
        self.is_of_a_scheduler = is_of_a_scheduler(blob.path)
        self._blob = blob

    def lines(self) -> list[str]:
        """Its last lines, cut where one is absurdly long; none where it is binary or unreadable."""
        text = to_text(to_utf8(self._blob.content)) or ""
        return [line[:MAX_LINE] for line in text.split("\n")]

    def lines_before(self) -> int:
        """How many lines lie before these."""
        return self._blob.lines_before

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
    every = mine[0].lines()
    lines = (every if every[-1] else every[:-1])[-query.tail_lines :]
    size = 0
    for at in range(len(lines) - 1, -1, -1):
        size += len(lines[at].encode()) + 1
        if size > query.limit_bytes:
            return tuple(lines[at + 1 :])
    return tuple(lines)


def every_line(files: list[LogFile]) -> Known[LogLine]:
    """The lines of logs that may speak of any Pod, the last 100,000 in all; a Gap where there is no such log.

    A container's log in a bundle that is not a scheduler's or autoscaler's is left to `answer`.
    """
    shared = [file for file in files if file.is_of_a_scheduler]
    return tuple(_lines(shared)) if shared else no_logs()


def _lines(files: list[LogFile]) -> Iterator[LogLine]:
    share = max(1_000, MAX_LINES // len(files))
    for file in files:
        lines = file.lines()
        first = max(0, len(lines) - share)
        for number, text in enumerate(lines[first:], start=first + 1 + file.lines_before()):
            if text.strip():
                yield LogLine(origin=file.origin, number=number, text=text)
