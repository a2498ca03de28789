"""What whypending asks an API server for: the queries of its collectors, as RBAC sees them.

The collectors run on real Sources that hold files; only what they ask is written down. So that they go as far as they
can, `WORLDS` has objects that point at everything a collector follows, beside all fixtures and shared cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

import yaml

from tests.cases import fixtures, shared_cases
from tests.worlds import NAMESPACE, WORLDS, Target
from whypending.collectors import collect
from whypending.collectors.inventory import roster
from whypending.errors import WhypendingError
from whypending.evidence import Gap, GapReason, Known, LogLine
from whypending.objects.base import KubeObject
from whypending.sources.base import LogQuery, Query, Review, Source
from whypending.sources.files import FilesSource

T = TypeVar("T", bound=KubeObject)
_SOMETHING = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}}
"""So that a world without objects is a file that can be read."""
NOW = datetime(2026, 11, 30, 22, 15, tzinfo=UTC)


class Right(NamedTuple):
    """One cell of an RBAC rule."""

    group: str
    resource: str
    verb: str


def right_of(query: Query[Any]) -> Right:
    """What the API server checks for this query."""
    single = bool(query.name) and (bool(query.namespace) or not query.kind.namespaced)
    return Right(query.kind.group, query.kind.plural, "get" if single else "list")


class AskedSource:
    """A Source that passes as a live one and remembers which rights were used; `allowed` refuses the others."""

    kind = "live"

    def __init__(self, inner: Source, allowed: Callable[[Query[Any]], bool]) -> None:
        self._inner = inner
        self._allowed = allowed
        self.granted: set[Right] = set()
        self.details, self.now, self.clock_is_floor = inner.details, inner.now, inner.clock_is_floor
        self.server_version, self.notes = inner.server_version, inner.notes

    def read(self, query: Query[T]) -> Known[T]:
        if not self._allowed(query):
            return Gap(what=query.kind.resource, reason=GapReason.FORBIDDEN)
        self.granted.add(right_of(query))
        return self._inner.read(query)

    def log(self, query: LogQuery) -> Known[str]:
        self.granted.add(Right("", "pods/log", "get"))
        return self._inner.log(query)

    def log_lines(self) -> Known[LogLine]:
        return self._inner.log_lines()

    def review(self, review: Review) -> Known[bool]:
        return self._inner.review(review)

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        return self._inner.gather(calls)

    def close(self) -> None:
        self._inner.close()


def granted(text: str) -> Iterator[Right]:
    """What the YAML of a Role or ClusterRole gives."""
    for rule in yaml.safe_load(text)["rules"]:
        for group in rule["apiGroups"]:
            for resource in rule["resources"]:
                yield from (Right(group, resource, verb) for verb in rule["verbs"])


def everything(_: Query[Any]) -> bool:
    """The rights of an administrator."""
    return True


def in_namespace(query: Query[Any]) -> bool:
    """The rights of a person who may look at everything in one namespace and at nothing else."""
    return query.kind.namespaced and query.namespace == NAMESPACE


def asked(allowed: Callable[[Query[Any]], bool] = everything) -> frozenset[Right]:
    """The rights used over all worlds, and with all rights also over the fixtures and shared cases."""
    found: set[Right] = set()
    for inner, target in _inputs(cases=allowed is everything):
        source = AskedSource(inner, allowed)
        with suppress(WhypendingError):
            collect(source, *target)
        with suppress(WhypendingError):
            roster(source, target.namespace)
        found |= source.granted
    return frozenset(found)


def _inputs(*, cases: bool) -> Iterator[tuple[Source, Target]]:
    with TemporaryDirectory() as folder:
        for world in WORLDS:
            path = Path(folder) / "objects.yaml"
            path.write_text(yaml.safe_dump_all([*world.objects, _SOMETHING]))
            yield FilesSource.open([str(path)], now=NOW), world.target
    for case in (*fixtures(), *shared_cases()) if cases else ():
        told = case.target
        target = Target(told.get("kind", "Pod"), told.get("namespace", ""), told["name"])
        yield FilesSource.open(case.inputs, now=case.now), target
