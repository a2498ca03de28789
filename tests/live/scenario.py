"""A scenario: how to bring a real cluster into a state, how to know that it is there, and what is true then."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.cluster import Cluster

Object = dict[str, Any]
Reached = Callable[[Object], bool]
BUSYBOX = "whypending.test/busybox:1"


def nothing(_: Cluster, __: str) -> None:
    """All is done with the manifest."""


def no_fault(_: Cluster) -> AbstractContextManager[None]:
    """Nothing is broken."""
    return nullcontext()


@dataclass(frozen=True)
class Scenario:
    """One state of a real cluster.

    cause: the fixture's folder. causes: the chain in the first line; also: the findings after it.
    manifest: YAML, applied to a new namespace.
    target: KIND/NAME as the command line takes it. nodes: simulated Nodes by name, with the keywords of
    Cluster.simulated_node; none = the real node. kind, name: the object whose `reached` is awaited.
    from_files: how sure it is from a dump, where that leaves a doubt that a cluster does not.
    fault: breaks something for as long as the state is looked at. then: what is done once the manifest is applied.
    """

    cause: str
    slug: str
    triage: str
    causes: tuple[str, ...]
    manifest: str
    target: str = "web"
    kind: str = "Pod"
    name: str = "web"
    reached: Reached = lambda _: True
    nodes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    fault: Callable[[Cluster], AbstractContextManager[None]] = no_fault
    then: Callable[[Cluster, str], None] = nothing
    timeout: float = 90
    confidence: str = "proved"
    from_files: str = ""
    namespace_labels: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.cause}-{self.slug}"


def condition(type_: str, status: str, reason: str = "") -> Reached:
    """The object's condition of that type has that status (and reason)."""

    def reached(obj: Object) -> bool:
        found = (c for c in obj.get("status", {}).get("conditions", []) if c["type"] == type_)
        return any(c["status"] == status and reason in c.get("reason", "") for c in found)

    return reached


def older_than(seconds: float) -> Reached:
    """The object was made that long ago."""

    def reached(obj: Object) -> bool:
        born = datetime.fromisoformat(obj["metadata"]["creationTimestamp"])
        return datetime.now(UTC) - born > timedelta(seconds=seconds)

    return reached


UNSCHEDULABLE = condition("PodScheduled", "False", "Unschedulable")


def waiting(reason: str, kind: str = "containerStatuses") -> Reached:
    """A container waits for that reason."""

    def reached(obj: Object) -> bool:
        statuses = obj.get("status", {}).get(kind, [])
        return any(s.get("state", {}).get("waiting", {}).get("reason") == reason for s in statuses)

    return reached


def await_event(cluster: Cluster, namespace: str, reason: str, timeout: float = 30) -> None:
    """Until there is an Event with that reason."""
    deadline = time.monotonic() + timeout
    while reason not in cluster.kubectl("get", "events", "-n", namespace, "-o", "jsonpath={.items[*].reason}").split():
        assert time.monotonic() < deadline, f"no Event {reason}"
        time.sleep(0.2)


def terminated(obj: Object) -> list[Object]:
    """The statuses of the containers that have ended."""
    return [s for s in obj.get("status", {}).get("containerStatuses", []) if s.get("state", {}).get("terminated")]


def pod(spec: str, *, name: str = "web", labels: str = "app: web") -> str:
    """A Pod's manifest: `spec` is YAML, indented by two spaces."""
    return f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: {name}\n  labels:\n    {labels}\nspec:\n{spec}"


def sleeper(extra: str = "", container: str = "") -> str:
    """A container that sleeps; `extra` is YAML of the Pod's spec, `container` of the container."""
    lines = [f"  terminationGracePeriodSeconds: 0\n{extra}  containers:\n  - name: web\n    image: {BUSYBOX}\n"]
    lines.append('    command: ["sleep", "3600"]\n')
    return "".join(lines) + container
