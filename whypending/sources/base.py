"""The one protocol of all sources: queries in, tuples or Gaps out, and a clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from whypending.evidence import Known, LogLine
from whypending.objects.base import KubeObject
from whypending.objects.kinds import Kind

T = TypeVar("T", bound=KubeObject)


class Query(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """What to read. With `name`: that object (a tuple of 0 or 1). Without: the list, `namespace` "" = all of them.

    `fields` and `labels` are selectors as the API writes them, evaluated by the server (by the source itself for
    files). `would_decide` and `what` go into the Gap if it can't be read. `limit` ends a list early.
    `keep` reduces each item of a page before it is stored; None drops the item.
    """

    kind: Kind[T]
    namespace: str = ""
    name: str = ""
    fields: str = ""
    labels: str = ""
    limit: int | None = None
    would_decide: str = ""
    what: str = ""
    keep: Callable[[T], T | None] | None = None


class LogQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a container's log; `previous` is the run before the last restart."""

    namespace: str
    pod: str
    container: str = ""
    previous: bool = False
    tail_lines: int = 500
    limit_bytes: int = 1_000_000
    would_decide: str = ""


class Source(Protocol):
    """Where evidence comes from. Methods may be called from several threads at once."""

    @property
    def kind(self) -> str:
        """`live` or `files`."""

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """What the report says of the source: server and version, or the paths and how the clock was found."""

    @property
    def now(self) -> datetime:
        """The clock: the server's Date header, the snapshot's, `--now`, or the newest time in the files. UTC."""

    @property
    def clock_is_floor(self) -> bool:
        """Whether `now` is only the newest time in the files, so that the real time may be much later."""

    @property
    def server_version(self) -> str:
        """GitVersion such as v1.37.2, empty where it is not known."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings that reach stderr: skipped documents, malformed fields."""

    def read(self, query: Query[T]) -> Known[T]:
        """Answer one query: what was found (an empty tuple = looked, and there is none) or a Gap."""

    def log(self, query: LogQuery) -> Known[str]:
        """Log lines, oldest first, or a Gap."""

    def log_lines(self) -> Known[LogLine]:
        """Lines of the `*.log` files beside the objects; NOT_READ from a live cluster, which has none."""

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run the calls, concurrently where that helps, and return their results in order."""

    def close(self) -> None:
        """Give back connections and files."""
