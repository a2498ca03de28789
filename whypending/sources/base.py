"""The one protocol of all sources: queries in, tuples or Gaps out, and a clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import msgspec

from whypending.evidence import Known, LogLine, Scrape
from whypending.objects.base import KubeObject
from whypending.objects.kinds import Kind

T = TypeVar("T", bound=KubeObject)


class Query(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """What to read. With `name`: that object (a tuple of 0 or 1). Without: the list, `namespace` "" = all of them.

    `fields` and `labels` are selectors as the API writes them, evaluated by the server (by the source itself for
    files). `would_decide` and `what` go into the Gap if it can't be read. `limit` ends a list early,
    `pages` after so many pages of 500 items, kept or not (files are read whole).
    `keep` reduces each item of a page before it is stored; None drops the item.
    """

    kind: Kind[T]
    namespace: str = ""
    name: str = ""
    fields: str = ""
    labels: str = ""
    limit: int | None = None
    pages: int | None = None
    would_decide: str = ""
    what: str = ""
    keep: Callable[[T], T | None] | None = None


class LogQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a container's log; `previous` is the run before the last restart.

    since_seconds: not older than that; None = however old.
    """

    namespace: str
    pod: str
    container: str = ""
    previous: bool = False
    tail_lines: int = 500
    limit_bytes: int = 1_000_000
    since_seconds: int | None = None
    would_decide: str = ""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A SubjectAccessReview: may that user, in these groups, do this.

    resource: with its subresource, `pods/binding`. namespace, name: empty = all of them.
    """

    user: str
    groups: tuple[str, ...] = ()
    verb: str
    group: str
    resource: str
    namespace: str = ""
    name: str = ""


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

    def review(self, review: Review) -> Known[bool]:
        """One answer, or a Gap. The only thing that is not a GET; asked for by --check-access alone."""

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run the calls, concurrently where that helps, and return their results in order."""

    def close(self) -> None:
        """Give back connections and files."""


@runtime_checkable
class KeepsMetrics(Protocol):
    """A source that may hold metrics of schedulers from when they were asked for (`--metrics`): files."""

    def saved_metrics(self) -> Known[Scrape]:
        """Those of a snapshot; NOT_READ where they were not asked for."""
