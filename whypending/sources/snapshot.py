"""Snapshots: a wrapper that remembers every read of a source, and writes what was read as files that `--from` reads.

Environment values, arguments, foreign annotations and ConfigMaps that configure no scheduler are left out
(`redaction`). Logs and messages are saved as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import msgspec

from whypending import __version__
from whypending.evidence import NOT_READ, Gap, Known, LogLine, Scrape
from whypending.objects.base import KubeObject
from whypending.sources.base import LogQuery, Query, Review, Source
from whypending.sources.manifest import (
    LOG_LINES,
    METRICS,
    NAME,
    LogKey,
    LogRead,
    Manifest,
    QueryKey,
    Read,
    Reviewed,
    key_of,
    log_key_of,
)
from whypending.sources.redaction import redacted
from whypending.sources.snapshot_file import write

T = TypeVar("T", bound=KubeObject)


class RecordingSource:
    """A Source that passes everything through to `inner` and remembers queries and answers, Gaps and logs included."""

    def __init__(self, inner: Source) -> None:
        self._inner = inner
        self._lock = Lock()
        self._reads: dict[QueryKey, tuple[Query[Any], Known[Any]]] = {}
        self._logs: dict[LogKey, Known[str]] = {}
        self._lines: Known[LogLine] = NOT_READ
        self._metrics: Known[Scrape] = NOT_READ
        self._reviews: dict[Review, Known[bool]] = {}

    @property
    def kind(self) -> str:
        """The inner source's."""
        return self._inner.kind

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """The inner source's."""
        return self._inner.details

    @property
    def clock_is_floor(self) -> bool:
        """The inner source's."""
        return self._inner.clock_is_floor

    @property
    def now(self) -> datetime:
        """The inner source's clock."""
        return self._inner.now

    @property
    def server_version(self) -> str:
        """The inner source's."""
        return self._inner.server_version

    @property
    def notes(self) -> tuple[str, ...]:
        """The inner source's."""
        return self._inner.notes

    def read(self, query: Query[T]) -> Known[T]:
        """The inner source's answer, remembered; the same query again replaces it."""
        known = self._inner.read(query)
        with self._lock:
            self._reads[key_of(query)] = (query, known)
        return known

    def log(self, query: LogQuery) -> Known[str]:
        """The inner source's answer, remembered."""
        known = self._inner.log(query)
        with self._lock:
            self._logs[log_key_of(query)] = known
        return known

    def log_lines(self) -> Known[LogLine]:
        """The inner source's answer, remembered."""
        known = self._inner.log_lines()
        with self._lock:
            self._lines = known
        return known

    def review(self, review: Review) -> Known[bool]:
        """The inner source's answer, remembered."""
        known = self._inner.review(review)
        with self._lock:
            self._reviews[review] = known
        return known

    def keep_metrics(self, known: Known[Scrape]) -> None:
        """Remember the metrics of schedulers, which come from elsewhere."""
        self._metrics = known

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        """As the inner source does it."""
        return self._inner.gather(calls)

    def close(self) -> None:
        """Close the inner source; what is remembered stays."""
        self._inner.close()

    def save(self, path: Path, *, force: bool = False) -> None:
        """Write the snapshot: an archive where the name ends in .tar.gz or .tgz, else a folder.

        Mode 0600, all or nothing. UsageError where `path` exists (without `force`) or can't be written.
        """
        write(path, self.files(), self.now, force=force)

    def files(self) -> dict[str, bytes]:
        """The snapshot's files by their names, the manifest first."""
        with self._lock:
            reads, logs, lines = dict(self._reads), dict(self._logs), self._lines
            reviews = dict(self._reviews)
        store = _Objects()
        listed = tuple(store.read(key, query, known) for key, (query, known) in reads.items())
        log_reads, log_files = _log_files(logs)
        manifest = Manifest(
            tool={"name": "whypending", "version": __version__},
            clock=self.now,
            server_version=self.server_version,
            source={"kind": self.kind, **dict(self.details)},
            notes=self.notes,
            reads=listed,
            logs=log_reads,
            reviews=tuple(_reviewed(review, known) for review, known in reviews.items()),
            lines=lines if isinstance(lines, Gap) else None,
            metrics=self._metrics if isinstance(self._metrics, Gap) and self._metrics is not NOT_READ else None,
        )
        files = {NAME: msgspec.json.format(msgspec.json.encode(manifest), indent=1), **store.files(), **log_files}
        if not isinstance(self._metrics, Gap):
            files[METRICS] = msgspec.json.encode(self._metrics)
        return files if isinstance(lines, Gap) else {**files, LOG_LINES: msgspec.json.encode(lines)}


def _reviewed(review: Review, known: Known[bool]) -> Reviewed:
    return Reviewed(review, gap=known) if isinstance(known, Gap) else Reviewed(review, allowed=known[0])


class _Objects:
    """Every distinct object once, by resource."""

    def __init__(self) -> None:
        self._positions: dict[str, dict[bytes, int]] = {}

    def read(self, key: QueryKey, query: Query[Any], known: Known[Any]) -> Read:
        resource = query.kind.resource
        if isinstance(known, Gap):
            return Read(key, resource, gap=known)
        positions = self._positions.setdefault(resource, {})
        texts = [msgspec.json.encode(redacted(obj)) for obj in known]
        return Read(key, resource, tuple(positions.setdefault(text, len(positions)) for text in texts))

    def files(self) -> dict[str, bytes]:
        return {f"objects/{name}.json": _as_list(items) for name, items in sorted(self._positions.items()) if items}


def _as_list(items: dict[bytes, int]) -> bytes:
    """As `kubectl get -o json` writes several objects, one a line."""
    return b'{"apiVersion":"v1","kind":"List","items":[\n' + b",\n".join(items) + b"\n]}\n"


def _log_files(logs: dict[LogKey, Known[str]]) -> tuple[tuple[LogRead, ...], dict[str, bytes]]:
    reads: list[LogRead] = []
    files: dict[str, bytes] = {}
    for key, known in logs.items():
        if isinstance(known, Gap):
            reads.append(LogRead(key, gap=known))
            continue
        suffix = "-previous" if key.previous else ""
        stem = f"logs/{key.namespace}/{key.pod}/{key.container or 'main'}{suffix}"
        text = "".join(f"{line}\n" for line in known).encode()
        name = next(n for n in _names(stem) if files.get(n, text) == text)
        files[name] = text
        reads.append(LogRead(key, file=name))
    return tuple(reads), files


def _names(stem: str) -> Iterator[str]:
    yield f"{stem}.log"
    yield from (f"{stem}.{number}.log" for number in count(2))
