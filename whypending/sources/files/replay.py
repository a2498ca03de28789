"""A snapshot read back: the recorded queries get the recorded answers, Gaps included."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from whypending.errors import UnreadableFileError
from whypending.evidence import NOT_READ, Gap, GapReason, Known, LogLine, Scrape
from whypending.objects.base import KubeObject
from whypending.sources import decode
from whypending.sources.base import LogQuery, Query, Review
from whypending.sources.files.answers import answer
from whypending.sources.files.index import Index
from whypending.sources.files.items import KINDS, from_raw
from whypending.sources.manifest import LOG_LINES, METRICS, NAME, VERSION, LogKey, Manifest, Read, key_of, log_key_of

T = TypeVar("T", bound=KubeObject)
_LINES = msgspec.json.Decoder(tuple[LogLine, ...])
_SCRAPES = msgspec.json.Decoder(tuple[Scrape, ...])


class _List(msgspec.Struct):
    items: list[msgspec.Raw] = []


class Replay:
    """One snapshot: `blobs` are its files by their names below the manifest."""

    def __init__(self, origin: str, blobs: dict[str, bytes], notes: list[str]) -> None:
        self.manifest = _manifest(origin, blobs[NAME])
        self._notes = notes
        self._blobs = blobs
        self._reads = {read.query: read for read in self.manifest.reads}
        self._logs = {read.query: read for read in self.manifest.logs}
        self._reviews = {reviewed.review: reviewed for reviewed in self.manifest.reviews}
        self._raws = {name: _items(origin, name, data) for name, data in blobs.items() if name.startswith("objects/")}
        self.index = self._indexed()

    def read(self, query: Query[T]) -> Known[T] | None:
        """The recorded answer; None where this query was not made."""
        key = key_of(query)
        if read := self._reads.get(key):
            return read.gap or self._objects(read, query, None)
        whole = self._reads.get(msgspec.structs.replace(key, keep="", limit=None)) if key.keep or key.limit else None
        if whole is None:
            return None
        found = whole.gap or self._objects(whole, query, query.keep)
        return found if isinstance(found, Gap) or query.limit is None else found[: query.limit]

    def otherwise(self, query: Query[T]) -> Known[T]:
        """A query that was not made, answered from all recorded objects."""
        return answer(self.index, query, self._notes)

    def log(self, query: LogQuery) -> Known[str] | None:
        """The recorded log; None where it was not read."""
        key = log_key_of(query)
        read = self._logs.get(key) or next((x for x in self.manifest.logs if _place(x.query) == _place(key)), None)
        if read is None:
            return None
        if read.gap is None and read.file not in self._blobs:
            return _missing(read.file)
        return read.gap or tuple(self._blobs[read.file].decode("utf-8", "replace").split("\n")[:-1])

    def review(self, review: Review) -> Known[bool] | None:
        """The recorded answer; None where it was not asked for."""
        found = self._reviews.get(review)
        return None if found is None else found.gap or (bool(found.allowed),)

    def metrics(self) -> Known[Scrape]:
        """The recorded metrics of schedulers, or why they could not be read; NOT_READ where nobody asked."""
        saved = self._blobs.get(METRICS)
        if saved is None:
            return self.manifest.metrics or NOT_READ
        try:
            return _SCRAPES.decode(saved)
        except msgspec.DecodeError:
            return _missing(METRICS)

    def log_lines(self) -> Known[LogLine]:
        """The recorded lines of log files, or the recorded Gap."""
        lines = self.manifest.lines
        return lines if lines is not None else _LINES.decode(self._blobs.get(LOG_LINES, b"[]"))

    def _objects(self, read: Read, query: Query[T], keep: Callable[[T], T | None] | None) -> Known[T]:
        raws = self._raws.get(f"objects/{read.resource}.json", [])
        if any(at >= len(raws) for at in read.objects):
            return _missing(f"objects/{read.resource}.json")
        found = (decode.from_json(raws[at], query.kind.struct, self._notes) for at in read.objects)
        kept = (keep(obj) if keep and obj is not None else obj for obj in found)
        return tuple(obj for obj in kept if obj is not None)

    def _indexed(self) -> Index:
        index = Index()
        resources = {kind.resource: kind for kind in KINDS.values()}
        for name, raws in self._raws.items():
            kind = resources.get(name.removeprefix("objects/").removesuffix(".json"))
            for raw in raws:
                item = from_raw(raw, kind.kind, kind.versions[0]) if kind else from_raw(raw)
                if item is not None:
                    index.add(item)
        for read in self.manifest.reads:
            query = read.query
            narrowed = query.name or query.fields or query.labels or query.limit or query.keep
            if read.gap is None and not narrowed and (query.kind, query.group) in KINDS:
                index.has_all((query.kind, query.group), query.namespace)
        return index


def _place(key: LogKey) -> LogKey:
    """Whose log it is, however much of it was asked for."""
    return msgspec.structs.replace(key, tail_lines=0, limit_bytes=0, since_seconds=None)


def _manifest(origin: str, data: bytes) -> Manifest:
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except msgspec.DecodeError as error:
        raise UnreadableFileError(f"{origin} is no manifest of a snapshot: {error}.", "Take a new snapshot.") from error
    if manifest.schema_version != VERSION:
        raise UnreadableFileError(
            f"{origin} is a snapshot of version {manifest.schema_version}; this whypending reads {VERSION}.",
            "Install the whypending that wrote it, or a newer one.",
        )
    return manifest


def _items(origin: str, name: str, data: bytes) -> list[msgspec.Raw]:
    try:
        return msgspec.json.decode(data, type=_List).items
    except msgspec.DecodeError as error:
        raise UnreadableFileError(f"{name} of the snapshot {origin} is damaged: {error}.", "Copy it again.") from error


def _missing(name: str) -> Gap:
    return Gap(what=name, reason=GapReason.NOT_IN_SNAPSHOT, detail="the snapshot's manifest names what is not there")
