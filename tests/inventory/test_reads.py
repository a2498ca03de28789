"""What the inventory reads: bounded, with what is left where the whole cluster may not be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.inventory.world import NAME, NOW, SERVES, deployment, lease, replica, waiting
from whypending.collectors.inventory import roster
from whypending.evidence import NOT_READ, Evidence, Gap, GapReason, seen
from whypending.inventory.roster import records
from whypending.sources.base import Query

FORBIDDEN = Gap(what="x", reason=GapReason.FORBIDDEN)
UNSUPPORTED = Gap(what="LeaseCandidates", reason=GapReason.UNSUPPORTED)
PENDING = "spec.nodeName=,status.phase=Pending"


class Fake:
    """A live source that answers through a function and remembers the queries."""

    kind = "live"
    details = ()
    now = NOW
    clock_is_floor = False
    server_version = "v1.37.2"
    notes = ()

    def __init__(self, answer: Callable[[Query[Any]], Any]) -> None:
        self.answer = answer
        self.asked: list[Query[Any]] = []

    def read(self, query: Query[Any]) -> Any:
        self.asked.append(query)
        known = self.answer(query)
        if query.keep is None or isinstance(known, Gap):
            return known
        return tuple(kept for x in known if (kept := query.keep(x)) is not None)

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        return [call() for call in calls]

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


def read(answer: Callable[[Query[Any]], Any], namespace: str = "shop") -> tuple[Evidence, Fake]:
    source = Fake(answer)
    return roster(source, namespace), source


def test_leases_of_kubelets_are_dropped() -> None:
    found, _ = read(lambda q: (lease(), lease("n1", "kube-node-lease")) if q.kind.plural == "leases" else ())
    assert [x.name for x in seen(found.leases)] == ["kube-scheduler"]


def test_a_server_without_lease_candidates_lacks_nothing() -> None:
    found, _ = read(lambda q: UNSUPPORTED if q.kind.plural == "leasecandidates" else ())
    assert found.lease_candidates is NOT_READ
    assert list(found.gaps()) == []


def test_a_name_that_is_waited_for_is_looked_up_among_bound_pods() -> None:
    _, source = read(lambda q: (waiting("web", "own"),) if q.fields == PENDING else ())
    assert "spec.schedulerName=own,spec.nodeName!=" in {q.fields for q in source.asked}


def test_the_holder_of_a_lease_is_looked_up_by_its_name() -> None:
    pod = replica(deployment(NAME, SERVES), "my-sched-1")

    def answer(query: Query[Any]) -> Any:
        if query.kind.plural == "leases":
            return (lease("my-scheduler", "infra", "my-sched-1_77aa"), lease("foo-controller", "infra", "foo_1"))
        return (pod,) if query.name == "my-sched-1" else ()

    found, source = read(answer)
    assert [q.name for q in source.asked if q.kind.plural == "pods" and q.name] == ["my-sched-1"]
    assert [record.title for record in records(found)] == ["Pod infra/my-sched-1"]


def test_without_rights_on_the_whole_cluster_the_namespace_is_read() -> None:
    found, source = read(lambda q: () if q.namespace == "shop" else FORBIDDEN)
    assert found.waiting == ()
    assert {q.kind.plural for q in source.asked if q.namespace == "shop"} == {"pods", "events"}
    assert {name for name, _ in found.gaps()} == {
        "leases", "scheduler_pods", "scheduler_workloads", "lease_candidates",
    }  # fmt: skip


def test_a_part_that_is_forbidden_is_told() -> None:
    found, _ = read(lambda q: FORBIDDEN if q.kind.plural == "statefulsets" else ())
    assert [name for name, _ in found.gaps()] == ["partly"]
    assert found.scheduler_workloads == ()


def test_lists_of_pods_are_bounded() -> None:
    _, source = read(lambda _: ())
    assert {q.limit for q in source.asked if q.kind.plural in {"pods", "events"} and not q.labels} == {500}
