"""`whypending.json` of a snapshot: the clock, and every read with its outcome."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec

from whypending.evidence import Gap
from whypending.sources.base import LogQuery, Query, Review

NAME = "whypending.json"
LOG_LINES = "log-lines.json"
METRICS = "metrics.json"
VERSION = "1"


class QueryKey(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """What makes two queries the same one; `keep` is the name of the reducing function."""

    kind: str
    group: str
    namespace: str = ""
    name: str = ""
    fields: str = ""
    labels: str = ""
    limit: int | None = None
    keep: str = ""


class Read(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A query and its outcome: positions in `objects/RESOURCE.json`, or a Gap."""

    query: QueryKey
    resource: str
    objects: tuple[int, ...] = ()
    gap: Gap | None = None


class LogKey(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """What makes two reads of a log the same one."""

    namespace: str
    pod: str
    container: str = ""
    previous: bool = False
    tail_lines: int = 0
    limit_bytes: int = 0
    since_seconds: int | None = None


class LogRead(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A log and its outcome: a file below `logs/`, or a Gap."""

    query: LogKey
    file: str = ""
    gap: Gap | None = None


class Reviewed(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """An access review and its outcome."""

    review: Review
    allowed: bool | None = None
    gap: Gap | None = None


class Manifest(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The snapshot's table of contents. `source` says where it was taken, `lines` is the Gap of the log files."""

    schema_version: str = VERSION
    tool: dict[str, str] = {}
    clock: datetime
    server_version: str = ""
    source: dict[str, str] = {}
    notes: tuple[str, ...] = ()
    reads: tuple[Read, ...] = ()
    logs: tuple[LogRead, ...] = ()
    reviews: tuple[Reviewed, ...] = ()
    lines: Gap | None = None
    metrics: Gap | None = None


def key_of(query: Query[Any]) -> QueryKey:
    """The key of a query."""
    return QueryKey(
        query.kind.kind, query.kind.group, query.namespace, query.name, query.fields, query.labels, query.limit,
        _name(query.keep),
    )  # fmt: skip


def log_key_of(query: LogQuery) -> LogKey:
    """The key of a log's read."""
    return LogKey(
        query.namespace, query.pod, query.container, query.previous, query.tail_lines, query.limit_bytes,
        query.since_seconds,
    )  # fmt: skip


def _name(keep: Callable[..., Any] | None) -> str:
    if keep is None:
        return ""
    return f"{getattr(keep, '__module__', '')}.{getattr(keep, '__qualname__', type(keep).__qualname__)}"
