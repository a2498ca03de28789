"""Objects of a swept namespace, and a Source over files that counts what is asked of it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from whypending.evidence import Gap, GapReason, Known, LogLine
from whypending.sources.base import LogQuery, Query, Review, Source
from whypending.sources.files import FilesSource

NOW = datetime(2026, 11, 30, 22, 15, tzinfo=UTC)
BORN = "2026-11-30T22:00:00Z"
Object = dict[str, Any]


def pod(name: str, spec: Object | None = None, *, namespace: str = "shop", status: Object | None = None,
        **meta: Any) -> Object:  # fmt: skip
    container = {"name": "web", "image": "web:1"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": f"uid-{name}" if namespace == "shop" else f"uid-{namespace}-{name}",
            "creationTimestamp": BORN,
            **meta,
        },
        "spec": {"schedulerName": "default-scheduler", "containers": [container], **(spec or {})},
        "status": {"phase": "Pending", **(status or {})},
    }


def orphan(name: str, scheduler: str, owner: str = "", **more: Any) -> Object:
    return pod(name, {"schedulerName": scheduler}, **(owned(owner) if owner else {}), **more)


def owned(by: str) -> Object:
    return {"ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": by, "uid": f"uid-{by}",
                                 "controller": True}]}  # fmt: skip


def condition(type_: str, status: str, reason: str = "", message: str = "") -> Object:
    return {"type": type_, "status": status, "reason": reason, "message": message, "lastTransitionTime": BORN}


def refused(name: str, cpu: str = "64", message: str = "0/1 nodes are available: 1 Insufficient cpu.",
            **more: Any) -> Object:  # fmt: skip
    container = {"name": "web", "image": "web:1", "resources": {"requests": {"cpu": cpu}}}
    said = [condition("PodScheduled", "False", "Unschedulable", message)]
    return pod(name, {"containers": [container]}, status={"conditions": said}, **more)


def gated(name: str, **more: Any) -> Object:
    said = [condition("PodScheduled", "False", "SchedulingGated", "Scheduling is blocked due to non-empty gates")]
    return pod(name, {"schedulingGates": [{"name": "example.com/hold"}]}, status={"conditions": said}, **more)


def ready(name: str, scheduler: str = "default-scheduler", node: str = "n1") -> Object:
    said = [condition("PodScheduled", "True"), condition("Ready", "True")]
    return pod(name, {"nodeName": node, "schedulerName": scheduler}, status={"phase": "Running", "conditions": said})


def unready(name: str) -> Object:
    said = [condition("PodScheduled", "True"), condition("Ready", "False", "ContainersNotReady")]
    statuses = [{"name": "web", "ready": False, "started": True, "state": {"running": {"startedAt": BORN}}}]
    status = {"phase": "Running", "conditions": said, "containerStatuses": statuses}
    return pod(name, {"nodeName": "n1"}, status=status)


def node(name: str = "n1") -> Object:
    status = {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}, "conditions": [condition("Ready", "True")]}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "creationTimestamp": BORN}, "status": status}


def event(about: str, reason: str, message: str, kind: str = "Pod") -> Object:
    regarding = {"kind": kind, "namespace": "shop", "name": about, "uid": f"uid-{about}"}
    return {"apiVersion": "v1", "kind": "Event", "metadata": {"name": f"{about}.{reason}", "namespace": "shop"},
            "involvedObject": regarding, "reason": reason, "message": message, "type": "Warning",
            "lastTimestamp": BORN, "reportingComponent": "default-scheduler"}  # fmt: skip


def replica_set(name: str, wanted: int, made: int, message: str = "", **meta: Any) -> Object:
    said = [condition("ReplicaFailure", "True", "FailedCreate", message)] if message else []
    labels = {"app": name}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet",
            "metadata": {"name": name, "namespace": "shop", "uid": f"uid-{name}", "creationTimestamp": BORN, **meta},
            "spec": {"replicas": wanted, "selector": {"matchLabels": labels},
                     "template": {"metadata": {"labels": labels}, "spec": {"containers": []}}},
            "status": {"replicas": made, "conditions": said}}  # fmt: skip


MIXED: tuple[Object, ...] = (
    orphan("web-1", "defualt-scheduler", owner="web"), orphan("web-2", "defualt-scheduler", owner="web"),
    orphan("lone", "volcano"), gated("gated-1"), gated("gated-2"), refused("big-1"), refused("big-2", cpu="65"),
    ready("fine"), unready("slow"), node(),
)  # fmt: skip


def source_of(folder: Path, *objects: Object) -> FilesSource:
    path = folder / "objects.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*objects, node("other")]}))
    return FilesSource.open([str(path)], now=NOW)


class Counting:
    """Passes as a live source with those objects; remembers queries; `refuse` makes Gaps."""

    kind = "live"
    clock_is_floor = False
    server_version = "v1.37.2"
    notes = ()
    details = (("server", "https://example.invalid"),)

    def __init__(self, inner: Source, refuse: Callable[[Query[Any]], bool] = lambda _: False) -> None:
        self._inner, self._refuse = inner, refuse
        self.now = inner.now
        self.queries: list[Query[Any]] = []

    def read(self, query: Query[Any]) -> Known[Any]:
        self.queries.append(query)
        if self._refuse(query):
            return Gap(what=query.kind.plural, reason=GapReason.FORBIDDEN, grant=f"list {query.kind.resource}")
        known = self._inner.read(query)
        return () if isinstance(known, Gap) else known

    def log(self, query: LogQuery) -> Known[str]:
        return self._inner.log(query)

    def log_lines(self) -> Known[LogLine]:
        return Gap(what="", reason=GapReason.NOT_READ)

    def review(self, review: Review) -> Known[bool]:
        return self._inner.review(review)

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        return [call() for call in calls]

    def close(self) -> None:
        self._inner.close()

    def of(self, plural: str) -> list[Query[Any]]:
        return [query for query in self.queries if query.kind.plural == plural]


def copies(make: Callable[..., Object], count: int, prefix: str, *given: Any, **more: Any) -> list[Object]:
    return [make(f"{prefix}-{n}", *given, **more) for n in itertools.islice(itertools.count(), count)]
