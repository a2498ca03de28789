"""The class, in the order of the design."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from whypending.diagnosis import Triage
from whypending.evidence import Evidence, Gap, GapReason, Target
from whypending.objects.base import Condition, CustomObject, ObjectMeta
from whypending.objects.event import Event
from whypending.objects.node import Lease, LeaseSpec
from whypending.objects.pod import NamedReference, Pod, PodSpec, PodStatus
from whypending.objects.storage import ClaimStatus, PersistentVolumeClaim
from whypending.objects.workload import Workload, WorkloadSpec
from whypending.triage import triage

NOW = datetime(2026, 5, 12, 9, 0, tzinfo=UTC)
FORBIDDEN = Gap(what="Events", reason=GapReason.FORBIDDEN)


def pod(age: float = 3600, spec: dict[str, Any] | None = None, **status: Any) -> Pod:
    meta = ObjectMeta(name="web", namespace="shop", creation_timestamp=NOW - timedelta(seconds=age))
    return Pod(metadata=meta, spec=PodSpec(**(spec or {})), status=PodStatus(**{"phase": "Pending", **status}))


def of(target: Pod | None, **fields: Any) -> Triage:
    found = (target,) if target else ()
    return triage(
        Evidence(target=Target(namespace="shop", name="web"), now=NOW, **{"pod": found, "events": (), **fields})
    )


def said(status: str, reason: str = "", type_: str = "PodScheduled") -> tuple[Condition, ...]:
    return (Condition(type=type_, status=status, reason=reason),)


GATED = {"scheduling_gates": (NamedReference(name="example.com/x"),)}
REFUSAL = Event(reason="FailedScheduling", message="0/1 nodes are available", reporting_component="default-scheduler")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (pod(phase="Running", conditions=said("True", type_="Ready")), Triage.NOT_STUCK),
        (pod(phase="Succeeded"), Triage.NOT_STUCK),
        (pod(age=5), Triage.NOT_STUCK),
        (pod(spec={"node_name": "n1"}), Triage.SCHEDULED_NOT_READY),
        (pod(phase="Failed", reason="Evicted"), Triage.SCHEDULED_NOT_READY),
        (pod(spec=GATED), Triage.HELD),
        (pod(conditions=said("False", "SchedulingGated")), Triage.HELD),
        (pod(conditions=said("False", "Unschedulable")), Triage.UNSCHEDULABLE),
        (pod(conditions=said("False", "SchedulerError")), Triage.UNSCHEDULABLE),
        (pod(), Triage.NO_SCHEDULER),
        (pod(phase=""), Triage.UNKNOWN),
    ],
)
def test_class_of_a_pod(target: Pod, expected: Triage) -> None:
    assert of(target) == expected


def test_a_lone_pod_is_not_young_by_its_own_creation_time() -> None:
    assert of(pod(age=0), clock_is_floor=True) == Triage.NO_SCHEDULER


def test_a_young_pod_that_was_refused_is_stuck() -> None:
    assert of(pod(age=5, conditions=said("False", "Unschedulable"))) == Triage.UNSCHEDULABLE


def test_a_young_bound_pod_that_warned_is_stuck() -> None:
    warned = (Event(type="Warning", reason="FailedMount"),)
    assert of(pod(age=5, spec={"node_name": "n1"})) == Triage.NOT_STUCK
    assert of(pod(age=5, spec={"node_name": "n1"}), events=warned) == Triage.SCHEDULED_NOT_READY


def test_the_absent_condition_decides_where_events_are_forbidden() -> None:
    assert of(pod(), events=FORBIDDEN) == Triage.NO_SCHEDULER


def test_a_schedulers_event_alone_is_a_refusal() -> None:
    assert of(pod(), events=(REFUSAL,)) == Triage.UNSCHEDULABLE


def test_an_autoscalers_opinion_is_no_refusal() -> None:
    karpenter = Event(reason="FailedScheduling", message="incompatible", reporting_component="karpenter")
    assert of(pod(), events=(karpenter,)) == Triage.NO_SCHEDULER


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(5, Triage.UNSCHEDULABLE), (60, Triage.UNSCHEDULABLE), (120, Triage.NO_SCHEDULER)],
)
def test_an_old_refusal_of_a_scheduler_that_has_vanished(seconds: float, expected: Triage) -> None:
    spec = LeaseSpec(holder_identity="a_1", lease_duration_seconds=15, renew_time=NOW - timedelta(seconds=seconds))
    lease = Lease(metadata=ObjectMeta(name="kube-scheduler", namespace="kube-system"), spec=spec)
    assert of(pod(conditions=said("False", "Unschedulable")), leases=(lease,)) == expected


def test_a_gang_that_was_not_let_in_is_held() -> None:
    group = CustomObject(kind="PodGroup", status={"phase": "Pending"})
    assert of(pod(), pod_groups=(group,)) == Triage.HELD


def test_a_deleted_pod_is_not_well_though_ready() -> None:
    ready = pod(spec={"node_name": "n1"}, phase="Running", conditions=said("True", type_="Ready"))
    gone = Pod(
        metadata=ObjectMeta(name="web", namespace="shop", deletion_timestamp=NOW - timedelta(minutes=2)),
        spec=ready.spec,
        status=ready.status,
    )
    assert of(gone) == Triage.SCHEDULED_NOT_READY


def test_a_pod_in_its_grace_period_is_not_stuck_unless_the_clock_may_be_slow() -> None:
    ends = ObjectMeta(name="web", namespace="shop", deletion_timestamp=NOW + timedelta(seconds=20))
    ending = Pod(metadata=ends, spec=PodSpec(node_name="n1"), status=PodStatus(phase="Running"))
    assert of(ending) == Triage.NOT_STUCK
    evidence = Evidence(target=Target(namespace="shop", name="web"), now=NOW, clock_is_floor=True, pod=(ending,))
    assert triage(evidence) == Triage.SCHEDULED_NOT_READY


@pytest.mark.parametrize(
    ("workload", "expected"),
    [
        (Workload(kind="Deployment"), Triage.NO_POD),
        (Workload(kind="Job", spec=WorkloadSpec(suspend=True)), Triage.HELD),
        (Workload(kind="Deployment", spec=WorkloadSpec(paused=True)), Triage.HELD),
    ],
)
def test_class_of_a_workload_without_pods(workload: Workload, expected: Triage) -> None:
    assert of(None, owners=(workload,)) == expected


def _claim(node: str, phase: str = "Pending") -> PersistentVolumeClaim:
    notes = {"volume.kubernetes.io/selected-node": node} if node else {}
    return PersistentVolumeClaim(
        metadata=ObjectMeta(name="data", namespace="shop", annotations=notes), status=ClaimStatus(phase=phase)
    )


def _device(user: str, *, allocated: bool = True) -> CustomObject:
    status: dict[str, Any] = {"reservedFor": [{"resource": "pods", "name": user}]}
    return CustomObject(
        kind="ResourceClaim", metadata=ObjectMeta(name="gpu"), status=status | ({"allocation": {}} if allocated else {})
    )


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"claims": (_claim("n1"),)}, Triage.UNSCHEDULABLE),
        ({"claims": (_claim("n1", "Bound"),)}, Triage.NO_SCHEDULER),
        ({"claims": (_claim(""),)}, Triage.NO_SCHEDULER),
        ({"claims": FORBIDDEN}, Triage.NO_SCHEDULER),
        ({"resource_claims": (_device("other"),)}, Triage.NO_SCHEDULER),
        ({"resource_claims": (_device("web", allocated=False),)}, Triage.NO_SCHEDULER),
    ],
)
def test_a_chosen_node_shows_in_the_claims_before_any_condition(fields: dict[str, Any], expected: Triage) -> None:
    assert of(pod(), **fields) == expected


def test_a_device_that_is_reserved_shows_it_too() -> None:
    reserved = CustomObject(
        kind="ResourceClaim",
        metadata=ObjectMeta(name="gpu"),
        status={"allocation": {"devices": {}}, "reservedFor": [{"resource": "pods", "name": "web"}]},
    )
    assert of(pod(), resource_claims=(reserved,)) == Triage.UNSCHEDULABLE


def test_what_was_chosen_by_a_scheduler_that_is_gone_waits_for_a_scheduler() -> None:
    gone = Lease(metadata=ObjectMeta(name="kube-scheduler", namespace="kube-system"), spec=LeaseSpec())
    assert of(pod(), claims=(_claim("n1"),), leases=(gone,), source="live") == Triage.NO_SCHEDULER
