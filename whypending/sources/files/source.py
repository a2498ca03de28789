"""FilesSource: what people saved or pasted, asked as a cluster is."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from whypending.errors import UnreadableFileError
from whypending.evidence import NOT_READ, Gap, Known, LogLine, Scrape, seen
from whypending.objects.base import KubeObject
from whypending.sources.base import LogQuery, Query, Review
from whypending.sources.files import clock, logs, text
from whypending.sources.files.answers import answer
from whypending.sources.files.documents import TOO_MUCH_YAML, Documents
from whypending.sources.files.index import Index
from whypending.sources.files.inputs import Blob, Reader
from whypending.sources.files.layouts import errors_of
from whypending.sources.files.logs import LogFile
from whypending.sources.files.replay import Replay
from whypending.sources.manifest import NAME

_NEWEST = "the newest time in the objects"
T = TypeVar("T", bound=KubeObject)
_HOW_TO_SAVE = "Save the Pods and their Events with: kubectl get pods,events -n NAMESPACE -o yaml > pods.yaml"
_AS_JSON = "Save the Pods and their Events with: kubectl get pods,events -n NAMESPACE -o json > pods.json"
_MAX_PROBLEMS = 20


class FilesSource:
    """The objects of files, folders, archives and standard input, as a `Source`. Made by `open`."""

    kind = "files"

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = tuple(paths)
        self._index = Index()
        self._logs: list[LogFile] = []
        self._replays: list[Replay] = []
        self._notes: list[str] = []
        self._newest = ""
        self._now: datetime | None = None
        self._clock = ""
        self._server_version = ""
        self._documents = Documents(self._index, self._fact)

    @classmethod
    def open(cls, paths: Sequence[str], now: datetime | None = None) -> FilesSource:
        """Read all paths ("-" = standard input). UnreadableFileError where they hold no object that can be used."""
        source = cls(paths)
        collecting = gc.isenabled()
        gc.disable()  # hundreds of thousands of small values, none of them garbage
        try:
            source._take(list(Reader(source._notes).read(paths)))
        finally:
            if collecting:
                gc.enable()
        source._finish(now)
        return source

    def _take(self, blobs: list[Blob]) -> None:
        roots = {blob.origin.removesuffix(NAME): blob for blob in blobs if blob.path.rpartition("/")[2] == NAME}
        for root, manifest in roots.items():
            if manifest.asked:
                raise UnreadableFileError(f"{manifest.origin} is a part of a snapshot.", "Give --from its folder.")
            mine = {b.origin.removeprefix(root): b.content for b in blobs if b.origin.startswith(root)}
            self._replays.append(Replay(manifest.origin, mine, self._notes))
        for blob in blobs:
            if not any(blob.origin.startswith(root) for root in roots):
                self._take_file(blob)

    def _take_file(self, blob: Blob) -> None:
        if blob.is_log:
            self._logs.append(LogFile(blob))
            return
        if key := errors_of(blob.path):
            self._index.errors[key] = _refusals(blob.data)
            return
        if blob.is_of_objects(text.looks_like_objects):
            blob = blob._replace(data=text.to_utf8(blob.data))
            if self._documents.read(blob):
                self._newest = max(self._newest, clock.newest(blob.data))

    def _fact(self, value: Mapping[str, Any]) -> None:
        """A document that is no object: the answer of `kubectl version`, or an API server's Status."""
        if value.get("kind") == "Status" and isinstance(value.get("message"), str):
            words = value["message"].rstrip(".")
            self._documents.problems.append(f"An API server's answer was saved in place of objects: {words}.")
        for holder in (value.get("serverVersion"), value.get("info"), value):
            version = holder.get("gitVersion") if isinstance(holder, Mapping) else None
            if isinstance(version, str):
                self._server_version = version
                return

    def _finish(self, now: datetime | None) -> None:
        problems, remarks = self._documents.problems, self._documents.remarks
        if not len(self._index) and not self._index.complete and not self._replays:
            sentence = self._nothing([*problems, *remarks])
            raise UnreadableFileError(sentence, _AS_JSON if TOO_MUCH_YAML in sentence else _HOW_TO_SAVE)
        self._notes += problems[:_MAX_PROBLEMS]
        if len(problems) > _MAX_PROBLEMS:
            self._notes.append(f"{len(problems) - _MAX_PROBLEMS} more documents were skipped.")
        if self._index.repeated:
            first = self._index.repeated[0]
            self._notes.append(
                f"{len(self._index.repeated)} objects occur in several versions; the newest of each is used "
                f"({first.key[0]} {first.namespace}/{first.name})."
            )
        self._set_clock(now)

    def _nothing(self, problems: list[str]) -> str:
        if problems:
            return " ".join(problems[:3])
        names = ", ".join("standard input" if p == "-" else p for p in self._paths) or "--from"
        held = [*self._index.unknown, *(["Secret"] if self._index.secrets else [])]
        if held:
            return f"{names} holds only {', '.join(sorted(held)[:5])}, which say nothing of a Pod."
        return f"{names} holds no Kubernetes objects."

    def _set_clock(self, now: datetime | None) -> None:
        if now is not None:
            self._now, self._clock = now, "--now"
            return
        if self._replays:
            manifest = self._replays[0].manifest
            self._now, self._clock = manifest.clock, "the snapshot"
            self._server_version = self._server_version or manifest.server_version
            self._notes += manifest.notes
            return
        self._now = clock.parse(self._newest)
        if self._now is None:
            raise UnreadableFileError("The files hold no time to judge by.", "Say when they were saved: --now TIME")
        self._clock = _NEWEST
        self._notes.append(f"The clock is the newest time in the objects, {self._newest}Z; --now sets another.")

    @property
    def now(self) -> datetime:
        """`--now`, the snapshot's clock, else the newest time in the objects."""
        assert self._now is not None  # noqa: S101 - set by open
        return self._now

    @property
    def clock_is_floor(self) -> bool:
        """Neither `--now` nor a snapshot gave the time."""
        return self._clock == _NEWEST

    @property
    def server_version(self) -> str:
        """From a saved `kubectl version`, a bundle or a snapshot; else empty."""
        return self._server_version

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """The paths, how the clock was found, and what was not used."""
        unknown = ", ".join(f"{count} {kind}" for kind, count in sorted(self._index.unknown.items()))
        found = (
            ("paths", ", ".join(self._paths)),
            ("clock", self._clock),
            ("objects", str(len(self._index) + sum(len(replay.index) for replay in self._replays))),
            ("notUsed", unknown),
            ("secretsDropped", str(self._index.secrets or "")),
            ("serverVersion", self._server_version),
        )
        return tuple((name, value) for name, value in found if value)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was skipped or repaired, in the order in which it was met."""
        return tuple(dict.fromkeys(self._notes))

    def read(self, query: Query[T]) -> Known[T]:
        """Matches (several of one name where the namespace is open), () where the files show that there is none.

        A snapshot's own answer comes first; files beside it close its Gaps.
        """
        recorded = next((known for r in self._replays if (known := r.read(query)) is not None), None)
        if isinstance(recorded, tuple):
            return recorded
        known = answer(self._index, query, self._notes)
        if not isinstance(known, Gap):
            return known
        others = (r.otherwise(query) for r in self._replays)
        return recorded or next((o for o in others if not isinstance(o, Gap)), known)

    def log(self, query: LogQuery) -> Known[str]:
        """The end of a container's log, where a `*.log` of it is among the files."""
        recorded = next((known for r in self._replays if (known := r.log(query)) is not None), None)
        if isinstance(recorded, tuple):
            return recorded
        known = logs.answer(self._logs, query)
        return recorded or known if isinstance(known, Gap) else known

    def log_lines(self) -> Known[LogLine]:
        """All lines of the `*.log` files, bounded."""
        known = [logs.every_line(self._logs)] if self._logs or not self._replays else []
        known += [replay.log_lines() for replay in self._replays]
        lines = tuple(line for lines in known for line in seen(lines))
        return known[0] if all(isinstance(k, Gap) for k in known) else lines

    def review(self, review: Review) -> Known[bool]:
        """A snapshot's own answer; otherwise not read: files can't be asked."""
        return next((known for r in self._replays if (known := r.review(review)) is not None), NOT_READ)

    def saved_metrics(self) -> Known[Scrape]:
        """Those of the first snapshot that holds some."""
        known = [replay.metrics() for replay in self._replays]
        return next((k for k in known if k is not NOT_READ), NOT_READ)

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        """One after the other: nothing here waits."""
        return [call() for call in calls]

    def close(self) -> None:
        """Nothing is held open."""


def _refusals(data: bytes) -> dict[str, str]:
    """A support-bundle's `…-errors.json`: messages by namespace, or a list of messages."""
    try:
        told = msgspec.json.decode(data)
    except msgspec.DecodeError:
        return {}
    if isinstance(told, dict):
        return {str(place): str(words) for place, words in told.items()}
    return {"": "; ".join(map(str, told))} if isinstance(told, list) and told else {}
