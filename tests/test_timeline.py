"""The timeline: what is told, in which order, from which source, and what is not claimed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import Case, evidence_of, fixtures
from tests.renderers.documents import validate
from whypending.engine import diagnose
from whypending.evidence import Evidence, Gap, GapReason, Target
from whypending.objects.base import Condition, ObjectMeta
from whypending.objects.event import Event, EventSeries, EventSource
from whypending.objects.node import Lease, LeaseSpec, Node, NodeSpec, NodeStatus, Taint
from whypending.objects.pod import (
    ContainerState,
    ContainerStatus,
    NamedReference,
    Pod,
    PodSpec,
    PodStatus,
    StateRunning,
    StateTerminated,
)
from whypending.renderers import Format, render
from whypending.renderers.json_v1 import tree
from whypending.renderers.layout import Canvas
from whypending.timeline import MOST, timeline

NOW = datetime(2026, 3, 2, 3, 0, tzinfo=UTC)
FIXTURES = fixtures()


def ago(**span: float) -> datetime:
    return NOW - timedelta(**span)


def pod(spec: PodSpec | None = None, **status: Any) -> Pod:
    meta = ObjectMeta(name="web", namespace="shop", creation_timestamp=ago(minutes=30))
    return Pod(metadata=meta, spec=spec or PodSpec(), status=PodStatus(**status))


def scheduled(status: str, reason: str = "", **span: float) -> Condition:
    return Condition(type="PodScheduled", status=status, reason=reason, last_transition_time=ago(**span))


def lease(name: str = "kube-scheduler", **spec: Any) -> Lease:
    held = {"holder_identity": "a_1", "lease_duration_seconds": 15, "renew_time": NOW, "acquire_time": ago(hours=1)}
    return Lease(metadata=ObjectMeta(name=name, namespace="kube-system"), spec=LeaseSpec(**{**held, **spec}))


def told(of: Pod, **more: Any) -> list[tuple[str, str]]:
    """Text and source, in order."""
    evidence = Evidence(target=Target(namespace="shop", name="web"), now=NOW, pod=(of,), **more)
    return [(moment.text, moment.source) for moment in timeline(evidence)]


def texts(of: Pod, **more: Any) -> list[str]:
    return [text for text, _ in told(of, **more)]


def test_a_pod_without_anything() -> None:
    assert told(pod()) == [("created", "Pod shop/web metadata.creationTimestamp")]


def test_a_leaderless_wait() -> None:
    gone = lease(renew_time=ago(minutes=40), acquire_time=ago(hours=2), lease_transitions=3)
    assert told(pod(), leases=(gone,)) == [
        ("Lease kube-system/kube-scheduler acquired by a_1, change 3 of holder",
         "Lease kube-system/kube-scheduler spec.acquireTime"),
        ("Lease kube-system/kube-scheduler renewed for the last time",
         "Lease kube-system/kube-scheduler spec.renewTime"),
        ("Lease kube-system/kube-scheduler lost: it ran out",
         "Lease kube-system/kube-scheduler spec.renewTime + spec.leaseDurationSeconds"),
        ("created", "Pod shop/web metadata.creationTimestamp"),
    ]  # fmt: skip


def test_a_lease_that_was_given_back() -> None:
    free = lease(holder_identity="", renew_time=ago(minutes=20), lease_duration_seconds=1)
    assert texts(pod(), leases=(free,)) == ["created", "Lease kube-system/kube-scheduler given back by its holder"]


def test_a_lease_that_was_taken_over_after_the_pod_came() -> None:
    new = lease(acquire_time=ago(minutes=5), holder_identity="b_2", lease_transitions=1)
    assert texts(pod(), leases=(new,)) == [
        "created", "Lease kube-system/kube-scheduler acquired by b_2, change 1 of holder",
    ]  # fmt: skip


def test_only_the_lease_of_its_own_scheduler_where_a_name_tells() -> None:
    both = (lease(), lease("mine"), lease("my-scheduler"), lease("kube-controller-manager"))
    mine = pod(PodSpec(scheduler_name="mine"))
    other = pod(PodSpec(scheduler_name="another"))
    assert [t for t in texts(mine, leases=both) if "Lease" in t] == ["Lease kube-system/mine acquired by a_1"]
    assert [t for t in texts(other, leases=both) if "Lease" in t] == ["Lease kube-system/my-scheduler acquired by a_1"]
    assert [t for t in texts(pod(), leases=both) if "Lease" in t] == [
        "Lease kube-system/kube-scheduler acquired by a_1"
    ]


def test_gates() -> None:
    gated = PodSpec(scheduling_gates=(NamedReference(name="a/b"), NamedReference(name="c")))
    held = scheduled("False", "SchedulingGated", minutes=30)
    assert texts(pod(gated, conditions=(held,))) == ["created", "held by its scheduling gates a/b, c"]
    assert texts(pod(conditions=(held,))) == ["created", "held by scheduling gates"]


def attempts(times: int, **span: float) -> Event:
    series = EventSeries(count=times, last_observed_time=ago(minutes=1)) if times > 1 else None
    return Event(
        reason="FailedScheduling", note="0/1 nodes are available.", event_time=ago(**span),
        reporting_controller="default-scheduler", series=series,
    )  # fmt: skip


def test_attempts_by_their_first_and_last_time_and_count() -> None:
    refused = pod(conditions=(scheduled("False", "Unschedulable", minutes=29),), nominated_node_name="n1")
    assert told(refused, events=(attempts(7, minutes=29),)) == [
        ("created", "Pod shop/web metadata.creationTimestamp"),
        ("refused by its scheduler: Unschedulable", "Pod shop/web status.conditions[type=PodScheduled]"),
        ("scheduling attempt by default-scheduler failed: 0/1 nodes are available.",
         "Event FailedScheduling by default-scheduler"),
        ("scheduling attempt by default-scheduler failed again, 7 times so far",
         "Event FailedScheduling by default-scheduler"),
        ("nominated to node n1, where room is made for it", "Pod shop/web status.nominatedNodeName"),
    ]  # fmt: skip


def test_an_autoscalers_opinion_is_no_attempt() -> None:
    event = Event(reason="FailedScheduling", message="no", last_timestamp=ago(minutes=2),
                  source=EventSource(component="karpenter"))  # fmt: skip
    assert texts(pod(), events=(event,)) == ["created", "FailedScheduling: no"]


def test_a_bind_is_told_once() -> None:
    bound = pod(PodSpec(node_name="n1"), conditions=(scheduled("True", minutes=29),))
    event = Event(reason="Scheduled", message="assigned", event_time=ago(minutes=29, seconds=-1))
    late = Event(reason="Scheduled", message="assigned", event_time=ago(minutes=3))
    assert texts(bound, events=(event,)) == ["created", "bound to node n1"]
    assert texts(bound, events=(late,)) == ["created", "bound to node n1", "Scheduled: assigned"]


def container(**parts: Any) -> ContainerStatus:
    return ContainerStatus(name="app", **parts)


def test_containers_by_their_own_status() -> None:
    last = StateTerminated(exit_code=137, reason="OOMKilled", started_at=ago(minutes=9), finished_at=ago(minutes=8))
    running = container(
        restart_count=2, last_state=ContainerState(terminated=last),
        state=ContainerState(running=StateRunning(started_at=ago(minutes=5))),
    )  # fmt: skip
    ended = ContainerStatus(name="init", state=ContainerState(terminated=StateTerminated(
        exit_code=0, reason="Completed", started_at=ago(minutes=12), finished_at=ago(minutes=11))))  # fmt: skip
    both = pod(start_time=ago(minutes=20), init_container_statuses=(ended,), container_statuses=(running,))
    started = Event(reason="Started", message="Started container app", last_timestamp=ago(minutes=5))
    assert texts(both, events=(started,)) == [
        "created",
        "taken up by the kubelet",
        'container "init" started',
        'container "init" ended with exit code 0, Completed',
        'container "app" started',
        'container "app" ended with exit code 137, OOMKilled',
        'container "app" started (restart 2)',
    ]


def test_node_events_and_the_node() -> None:
    ready = Condition(type="Ready", status="Unknown", reason="NodeStatusUnknown", last_transition_time=ago(minutes=3))
    taint = Taint(key="node.kubernetes.io/unreachable", effect="NoExecute", time_added=ago(minutes=2))
    node = Node(metadata=ObjectMeta(name="n1"), spec=NodeSpec(taints=(taint,)), status=NodeStatus(conditions=(ready,)))
    spoke = LeaseSpec(holder_identity="n1", lease_duration_seconds=40, renew_time=ago(minutes=4))
    beat = Lease(metadata=ObjectMeta(name="n1", namespace="kube-node-lease"), spec=spoke)
    mount = Event(reason="FailedMount", message="no such\nsecret", count=9, first_timestamp=ago(minutes=10),
                  last_timestamp=ago(minutes=1), source=EventSource(component="kubelet"))  # fmt: skip
    assert texts(pod(), node=(node,), node_lease=(beat,), events=(mount,)) == [
        "created",
        "FailedMount: no such secret",
        "the kubelet of Node n1 spoke for the last time",
        "Node n1 became not ready (NodeStatusUnknown)",
        "Node n1 tainted node.kubernetes.io/unreachable:NoExecute",
        "FailedMount again, 9 times so far",
    ]


def test_a_deletion_counts_from_when_it_was_asked_for() -> None:
    meta = ObjectMeta(name="web", deletion_timestamp=ago(minutes=1), deletion_grace_period_seconds=30)
    (moment,) = timeline(Evidence(target=Target(namespace="", name="web"), now=NOW, pod=(Pod(metadata=meta),)))
    assert (moment.text, moment.at) == ("deleted", ago(minutes=1, seconds=30))


@pytest.mark.parametrize("pods", [(), Gap(what="the Pod", reason=GapReason.FORBIDDEN)])
def test_without_a_pod_there_is_none(pods: Any) -> None:
    assert timeline(Evidence(target=Target(namespace="a", name="b"), now=NOW, pod=pods)) == ()


def test_events_without_a_time_are_left_out() -> None:
    assert texts(pod(), events=(Event(reason="Pulled", message="x"),)) == ["created"]


def test_a_long_life_keeps_its_beginning_and_its_end() -> None:
    events = tuple(Event(reason=f"R{n}", last_timestamp=ago(seconds=1000 - n)) for n in range(500))
    found = texts(pod(), events=events)
    assert len(found) == MOST + 1
    assert (found[0], found[1], found[-1]) == ("created", "R0", "R499")
    assert found[40] == "301 moments are left out here"


@given(st.lists(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)), max_size=6))  # noqa: DTZ001
def test_it_is_in_order_whatever_the_times(times: list[datetime]) -> None:
    events = tuple(Event(reason="X", last_timestamp=at, first_timestamp=at) for at in times)
    leases = tuple(lease(renew_time=at, acquire_time=at, lease_duration_seconds=10**9) for at in times)
    evidence = Evidence(
        target=Target(namespace="shop", name="web"), now=NOW, pod=(pod(),), events=events, leases=leases
    )
    found = [moment.at for moment in timeline(evidence)]
    assert found == sorted(found)


@pytest.mark.parametrize("case", FIXTURES, ids=[case.id for case in FIXTURES])
def test_of_every_fixture(case: Case) -> None:
    evidence = evidence_of(case)
    found = timeline(evidence)
    assert list(found) == sorted(found, key=lambda moment: moment.at)
    assert len(set(found)) == len(found)
    assert all(moment.text and moment.source and "\n" not in moment.text for moment in found)
    assert bool(found) or evidence.the_pod is None or not evidence.the_pod.metadata.creation_timestamp


def test_wide_shows_it_and_text_does_not() -> None:
    evidence = Evidence(target=Target(namespace="shop", name="web"), now=NOW, pod=(pod(),), leases=(lease(),))
    diagnosis = diagnose(evidence)
    wide = render(diagnosis, Format.WIDE, Canvas())
    assert (
        "\nTimeline\n  2026-03-02T02:00:00Z (60m ago) Lease kube-system/kube-scheduler acquired by a_1 · Lease" in wide
    )
    assert "\n  2026-03-02T02:30:00Z (30m ago) created · metadata.creationTimestamp\n" in wide
    assert "Timeline" not in render(diagnosis, Format.TEXT, Canvas())


def test_the_json_of_it() -> None:
    evidence = Evidence(target=Target(namespace="shop", name="web"), now=NOW, pod=(pod(),))
    written = tree(diagnose(evidence))
    validate(written)
    assert written["timeline"] == [
        {"at": "2026-03-02T02:30:00Z", "text": "created", "source": "Pod shop/web metadata.creationTimestamp"}
    ]
