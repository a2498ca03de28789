"""One Source for many targets: every read is made once, and narrow questions are answered from lists read before."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec

from whypending.evidence import Gap, GapReason, Known, LogLine
from whypending.objects.base import KubeObject
from whypending.objects.event import Event
from whypending.objects.kinds import EVENTS, NODES, PODS, Kind
from whypending.sources.base import LogQuery, Query, Review, Source
from whypending.sources.manifest import key_of, log_key_of

T = TypeVar("T", bound=KubeObject)
V = TypeVar("V")
HEARTBEATS = "kube-node-lease"
_ABOUT = "involvedObject.name="


class SharedSource:
    """A Source in front of another that outlives one target.

    Until something is told to it, it only remembers answers. `tell` gives it objects that were read already; `events`
    a namespace's Events; `list_whole` has single objects of a kind answered from one list. A list of all Pods of a
    cluster or a namespace is never passed on to a cluster: such a question stays unread.
    """

    def __init__(self, inner: Source) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self._answers: dict[object, _Once[Any]] = {}
        self._told: dict[tuple[str, str, str, str], KubeObject] = {}
        self._events: dict[str, Known[Event]] = {}
        self._by_name: dict[tuple[str, str], list[Event]] = {}
        self._names: frozenset[tuple[str, str]] = frozenset()
        self._whole: set[tuple[Kind[Any], str]] = set()

    @property
    def kind(self) -> str:
        """The inner source's."""
        return self._inner.kind

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """The inner source's."""
        return self._inner.details

    @property
    def now(self) -> datetime:
        """The inner source's clock."""
        return self._inner.now

    @property
    def clock_is_floor(self) -> bool:
        """Whether the inner source's clock is only the newest time in the files."""
        return self._inner.clock_is_floor

    @property
    def server_version(self) -> str:
        """The inner source's."""
        return self._inner.server_version

    @property
    def notes(self) -> tuple[str, ...]:
        """None: they are not one target's; the inner source has them."""
        return ()

    def tell(self, objects: Sequence[KubeObject]) -> None:
        """Objects that were read whole."""
        self._told.update({(o.kind, _group(o), o.namespace, o.name): o for o in objects})

    def tell_events(self, events: Mapping[str, Known[Event]], names: frozenset[tuple[str, str]]) -> None:
        """Events by namespace ("" = everywhere), all that there are of the objects called `names` (namespace, name)."""
        self._events = dict(events)
        self._names = names
        for known in events.values():
            for event in () if isinstance(known, Gap) else known:
                place = event.about.namespace or event.namespace
                self._by_name.setdefault((place, event.about.name), []).append(event)

    def list_whole(self, kind: Kind[Any], namespace: str = "") -> None:
        """Read all of a kind the first time that one of them is asked for by its name."""
        self._whole.add((kind, namespace))

    def read(self, query: Query[T]) -> Known[T]:
        """From what is there already; else the inner source's answer, remembered."""
        if query.kind == EVENTS and query.fields.startswith(_ABOUT):
            events = self._about(query)
            if events is not None:
                return events  # type: ignore[return-value] # the query's kind is Event
        if query.name:
            found = self._single(query)
            if found is not None:
                return found
        if self.kind == "live" and query.kind == PODS and not (query.name or query.fields or query.labels):
            return Gap(what="all Pods", reason=GapReason.NOT_READ)
        return self._once(key_of(query), lambda: self._inner.read(query))

    def log(self, query: LogQuery) -> Known[str]:
        """The inner source's answer, remembered."""
        return self._once(log_key_of(query), lambda: self._inner.log(query))

    def log_lines(self) -> Known[LogLine]:
        """The inner source's answer, remembered."""
        return self._once("log lines", self._inner.log_lines)

    def review(self, review: Review) -> Known[bool]:
        """The inner source's answer, remembered."""
        return self._once(review, lambda: self._inner.review(review))

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        """As the inner source does it."""
        return self._inner.gather(calls)

    def close(self) -> None:
        """Close the inner source."""
        self._inner.close()

    def _about(self, query: Query[Any]) -> Known[Event] | None:
        """The Events of one object, where they were read with all others; None where they were not."""
        known = self._events.get(query.namespace, self._events.get(""))
        place = (query.namespace, query.fields.removeprefix(_ABOUT))
        if isinstance(known, Gap):
            return known
        return None if known is None or place not in self._names else tuple(self._by_name.get(place, ()))

    def _single(self, query: Query[T]) -> Known[T] | None:
        told = self._told.get((query.kind.kind, query.kind.group, query.namespace, query.name))
        if told is not None:
            return (told,)  # type: ignore[return-value] # of the query's kind
        place = "" if query.kind == NODES else query.namespace
        if (query.kind, place) not in self._whole:
            return None
        known = self.read(msgspec.structs.replace(query, namespace=place, name="", what="", keep=None))
        return None if isinstance(known, Gap) else tuple(o for o in known if o.name == query.name)

    def _once(self, key: object, call: Callable[[], V]) -> V:
        with self._lock:
            once: _Once[V] = self._answers.setdefault(key, _Once())
        return once.get(call)


class _Once(Generic[V]):
    """A value that the first of several threads gets."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._value: list[V] = []

    def get(self, call: Callable[[], V]) -> V:
        with self._lock:
            if not self._value:
                self._value.append(call())
            return self._value[0]


def _group(obj: KubeObject) -> str:
    head, slash, _ = obj.api_version.partition("/")
    return head if slash else ""
