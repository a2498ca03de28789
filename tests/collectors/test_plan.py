"""What is read for which class, and nothing beyond it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from whypending.collectors import collect
from whypending.diagnosis import Triage
from whypending.errors import ForbiddenError, NotFoundError, UsageError
from whypending.evidence import Gap, GapReason, seen
from whypending.objects.base import Condition, ObjectMeta, OwnerReference
from whypending.objects.event import Event, ObjectReference
from whypending.objects.pod import Pod, PodSpec, PodStatus
from whypending.objects.workload import Workload, WorkloadSpec
from whypending.sources.base import LogQuery, Query, Review

NOW = datetime(2026, 5, 12, 9, 0, tzinfo=UTC)
BORN = datetime(2026, 5, 12, 8, 0, tzinfo=UTC)


class Fake:
    """A source that answers from a dict by (plural, name) and remembers what it was asked."""

    kind = "live"
    details = ()
    now = NOW
    clock_is_floor = False
    server_version = "v1.37.2"
    notes = ()

    def __init__(self, answers: dict[tuple[str, str], Any]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str]] = []

    def read(self, query: Query[Any]) -> Any:
        key = (query.kind.plural, query.name or query.fields or query.labels)
        self.asked.append(key)
        return self.answers.get(key, self.answers.get((query.kind.plural, ""), ()))

    def log(self, query: LogQuery) -> Any:
        raise AssertionError(query)

    def log_lines(self) -> Any:
        return ()

    def review(self, review: Review) -> Any:
        raise AssertionError(review)

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        return [call() for call in calls]

    def close(self) -> None:
        pass

    def kinds(self) -> set[str]:
        return {plural for plural, _ in self.asked}


def pod(uid: str = "u1", spec: PodSpec | None = None, owner: str = "", **status: Any) -> Pod:
    owners = (OwnerReference(kind="ReplicaSet", name=owner, controller=True),) if owner else ()
    meta = ObjectMeta(name="web", namespace="shop", uid=uid, creation_timestamp=BORN, owner_references=owners)
    return Pod(metadata=meta, spec=spec or PodSpec(), status=PodStatus(**{"phase": "Pending", **status}))


def event(uid: str, seen_at: datetime, text: str) -> Event:
    about = ObjectReference(kind="Pod", namespace="shop", name="web", uid=uid)
    return Event(reason="X", message=text, involved_object=about, last_timestamp=seen_at)


def fake(target: Pod, **more: Any) -> Fake:
    return Fake({("pods", "web"): (target,), **{(k, ""): v for k, v in more.items()}})


REFUSED = (Condition(type="PodScheduled", status="False", reason="Unschedulable", message="0/1 nodes are available"),)
READY = (Condition(type="Ready", status="True"),)


def test_a_ready_pod_costs_two_reads() -> None:
    source = fake(pod(phase="Running", conditions=READY))
    collect(source, "Pod", "shop", "web")
    assert sorted(source.kinds()) == ["events", "pods"]
    assert len(source.asked) == 2


def test_a_refused_pod_needs_nodes_and_no_list_of_pods() -> None:
    source = fake(pod(conditions=REFUSED))
    collect(source, "Pod", "shop", "web")
    assert source.kinds() == {"pods", "events", "nodes", "leases"}
    assert [a for a in source.asked if a[0] == "pods"] == [("pods", "web")]


def test_each_class_is_told_when_it_is_known() -> None:
    told: list[Triage] = []
    collect(fake(pod(conditions=REFUSED)), "Pod", "shop", "web", told.append)
    assert told == [Triage.UNSCHEDULABLE]


def test_a_bound_pod_needs_its_node_and_its_lease_only() -> None:
    source = fake(pod(spec=PodSpec(node_name="n1")))
    collect(source, "Pod", "shop", "web")
    assert set(source.asked) == {
        ("pods", "web"), ("events", "involvedObject.name=web"), ("nodes", "n1"), ("leases", "n1"),
    }  # fmt: skip


def test_events_of_an_earlier_pod_of_that_name_are_left_out() -> None:
    mine, other = event("u1", NOW, "mine"), event("u0", NOW, "another's")
    old = event("", datetime(2026, 5, 12, 7, 0, tzinfo=UTC), "older than the Pod")
    evidence = collect(fake(pod(phase="Running", conditions=READY), events=(mine, other, old)), "Pod", "shop", "web")
    assert [e.text for e in seen(evidence.events)] == ["mine"]


def test_an_older_event_by_name_is_kept_for_a_name_that_cannot_come_again() -> None:
    old = event("", datetime(2026, 5, 12, 7, 59, tzinfo=UTC), "clocks differ")
    target = pod(owner="web-5d8f", phase="Running", conditions=READY)
    evidence = collect(fake(target, events=(old,)), "Pod", "shop", "web")
    assert [e.text for e in seen(evidence.events)] == ["clocks differ"]


def test_forbidden_events_are_a_gap_and_the_pod_is_still_judged() -> None:
    gap = Gap(what="Events", reason=GapReason.FORBIDDEN)
    evidence = collect(fake(pod(conditions=REFUSED), events=gap), "Pod", "shop", "web")
    assert evidence.events is gap
    assert evidence.the_pod is not None


def test_a_forbidden_pod_is_an_error_with_a_way_out() -> None:
    gap = Gap(what="Pod web", reason=GapReason.FORBIDDEN, grant="get pods", detail="no")
    source = Fake({("pods", "web"): gap, ("pods", ""): gap})
    with pytest.raises(ForbiddenError) as raised:
        collect(source, "Pod", "shop", "web")
    assert "get pods" in raised.value.hint


def test_a_missing_pod_offers_near_names() -> None:
    source = Fake({("pods", "wbe"): (), ("pods", "metadata.name=wbe"): (), ("pods", ""): (pod(),)})
    with pytest.raises(NotFoundError) as raised:
        collect(source, "Pod", "shop", "wbe")
    assert "web" in raised.value.hint


def hint_of(source: Fake, name: str) -> str:
    with pytest.raises(NotFoundError) as raised:
        collect(source, "Pod", "data", name)
    return raised.value.hint


def stateful(replicas: int) -> Workload:
    spec = WorkloadSpec(replicas=replicas)
    return Workload(kind="StatefulSet", metadata=ObjectMeta(name="db", namespace="data", uid="s"), spec=spec)


def member(name: str) -> Pod:
    owner = OwnerReference(kind="StatefulSet", name="db", uid="s", controller=True)
    return Pod(metadata=ObjectMeta(name=name, namespace="data", owner_references=(owner,)), status=PodStatus())


def test_a_member_that_is_not_made_yet_is_told_by_its_statefulset() -> None:
    source = Fake({("statefulsets", "db"): (stateful(3),), ("pods", ""): (member("db-0"),), ("pods", "db-1"): ()})
    assert "makes db-1 only when db-0 is Running and Ready: whypending pod db-0 -n data" in hint_of(source, "db-1")


def test_a_member_beyond_the_replicas_is_told_by_its_statefulset() -> None:
    source = Fake({("statefulsets", "db"): (stateful(3),), ("pods", ""): (member("db-0"),), ("pods", "db-3"): ()})
    assert hint_of(source, "db-3") == "StatefulSet db asks for 3 Pods, up to db-2."


def test_the_name_of_a_workload_leads_to_it_and_its_pods() -> None:
    source = Fake({("statefulsets", "db"): (stateful(1),), ("pods", ""): (member("db-0"),), ("pods", "db"): ()})
    assert hint_of(source, "db") == "StatefulSet db is there (its Pods: db-0): whypending pod statefulset/db -n data."


def test_a_kind_that_makes_no_pods_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        collect(Fake({}), "Service", "shop", "web")
