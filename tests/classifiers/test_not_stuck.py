"""Causes of not_stuck: nothing is wrong, and what only looks so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from whypending.classifiers import not_stuck
from whypending.classifiers.not_stuck import completed, ready, stale_mount_event, stale_scheduling_event, too_young
from whypending.classifiers.not_stuck._stale import volume_of
from whypending.diagnosis import Confidence, Finding, Role
from whypending.evidence import Evidence, Gap, GapReason, Target
from whypending.objects.base import Condition, ObjectMeta
from whypending.objects.event import Event, ObjectReference
from whypending.objects.pod import (
    ContainerState,
    ContainerStatus,
    Pod,
    PodSpec,
    PodStatus,
    StateRunning,
    StateTerminated,
)

NOW = datetime(2026, 5, 12, 9, 30, tzinfo=UTC)
GAP = Gap(what="Events", reason=GapReason.FORBIDDEN)


def ago(minutes: float) -> datetime:
    return NOW - timedelta(minutes=minutes)


def pod(*statuses: ContainerStatus, phase: str = "Running", is_ready: str = "True", born: float = 60) -> Pod:
    condition = Condition(type="Ready", status=is_ready, last_transition_time=ago(30))
    return Pod(
        metadata=ObjectMeta(name="p", namespace="n", creation_timestamp=ago(born)),
        spec=PodSpec(node_name="n1"),
        status=PodStatus(phase=phase, conditions=(condition,), container_statuses=statuses),
    )


def running(start: float = 30, restarts: int = 0, last: StateTerminated | None = None) -> ContainerStatus:
    state = ContainerState(running=StateRunning(started_at=ago(start)))
    return ContainerStatus(name="web", restart_count=restarts, state=state, last_state=ContainerState(terminated=last))


def ended(finish: float) -> ContainerStatus:
    state = StateTerminated(exit_code=0, reason="Completed", started_at=ago(finish + 1), finished_at=ago(finish))
    return ContainerStatus(name="web", state=ContainerState(terminated=state))


def event(reason: str, minutes: float, message: str = "", reporter: str = "kubelet") -> Event:
    about = ObjectReference(kind="Pod", namespace="n", name="p")
    return Event(
        reason=reason,
        message=message,
        type="Warning",
        involved_object=about,
        last_timestamp=ago(minutes),
        reporting_component=reporter,
    )


def evidence(item: Pod | None, *events: Event, kind: str = "Pod", **fields: Any) -> Evidence:
    pods = (item,) if item else ()
    return Evidence(target=Target(kind=kind, namespace="n", name="t"), now=NOW, pod=pods, events=events, **fields)


def only(findings: Iterator[Finding]) -> Finding:
    (finding,) = findings
    return finding


@pytest.mark.parametrize("module", not_stuck.MODULES, ids=lambda m: m.CAUSE.name)
def test_nothing_is_said_of_nothing(module: Any) -> None:
    assert list(module.classify(Evidence(target=Target(namespace="", name=""), now=NOW, pod=(), owners=GAP))) == []
    assert list(module.classify(evidence(Pod()))) == []


def test_ready_says_since_when_and_how_often_it_was_restarted() -> None:
    last = StateTerminated(exit_code=137, reason="OOMKilled", finished_at=ago(31))
    message = only(ready.classify(evidence(pod(running(restarts=2, last=last))))).message
    assert message == (
        "Pod n/p is not stuck: it has been Running and Ready for 30 minutes, with 2 restarts so far "
        '(the last 31 minutes ago: container "web" ended with OOMKilled).'
    )


def test_restarts_are_not_claimed_without_statuses() -> None:
    assert "restart" not in only(ready.classify(evidence(pod()))).message


def test_the_workload_that_was_asked_about_is_named() -> None:
    assert "Pod n/p of Deployment t is not stuck" in only(ready.classify(evidence(pod(), kind="Deployment"))).message


def test_being_well_only_contributes_beside_a_stale_event() -> None:
    found = evidence(pod(running()), event("FailedScheduling", 50, reporter="default-scheduler"))
    assert only(ready.classify(found)).role is Role.CONTRIBUTING
    assert only(stale_scheduling_event.classify(found)).role is Role.CAUSE


@pytest.mark.parametrize("reporter", ["karpenter", "cluster-autoscaler"])
def test_opinions_of_autoscalers_are_no_stale_refusal(reporter: str) -> None:
    assert (
        list(stale_scheduling_event.classify(evidence(pod(), event("FailedScheduling", 50, reporter=reporter)))) == []
    )


def test_a_pod_that_is_not_ready_has_no_stale_events() -> None:
    unready = pod(running(), is_ready="False")
    found = evidence(unready, event("FailedMount", 1), event("FailedScheduling", 50))
    assert [f for m in not_stuck.MODULES for f in m.classify(found)] == []


@pytest.mark.parametrize(
    ("item", "minutes", "confidence", "words"),
    [
        (pod(running(30)), 40, Confidence.PROVED, "was overcome before its containers started"),
        (pod(running(30)), 5, Confidence.LIKELY, "updates of that volume may not reach its containers"),
        (
            pod(ended(20), phase="Succeeded", is_ready="False"),
            10,
            Confidence.PROVED,
            "came after its containers had ended",
        ),
        (pod(ended(20), phase="Succeeded", is_ready="False"), 20.5, Confidence.PROVED, "did not keep it from ending"),
    ],
)
def test_when_a_mount_failed_decides_what_it_means(
    item: Pod, minutes: float, confidence: Confidence, words: str
) -> None:
    finding = only(stale_mount_event.classify(evidence(item, event("FailedMount", minutes))))
    assert finding.confidence is confidence
    assert words in finding.message


@pytest.mark.parametrize(
    ("text", "volume"),
    [
        ('MountVolume.SetUp failed for volume "a" : no', "a"),
        ("Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data x]: timed out", "data"),
        ("no idea", ""),
    ],
)
def test_the_volume_is_read_from_the_text(text: str, volume: str) -> None:
    assert volume_of(event("FailedMount", 1, text)) == volume


def test_completed_names_the_exit_code() -> None:
    found = completed.classify(evidence(pod(ended(5), phase="Succeeded", is_ready="False")))
    assert (
        only(found).message
        == 'Pod n/p is not stuck: it ended as it should 5 minutes ago: container "web" with exit code 0.'
    )


def test_a_young_pod_is_told_when_to_ask_again() -> None:
    young = Pod(
        metadata=ObjectMeta(name="p", namespace="n", creation_timestamp=NOW - timedelta(seconds=5)),
        status=PodStatus(phase="Pending"),
    )
    assert "ask again in 15 seconds" in only(too_young.classify(evidence(young))).message


def test_a_clock_that_is_behind_gives_no_negative_age() -> None:
    ahead = Pod(
        metadata=ObjectMeta(name="p", creation_timestamp=NOW + timedelta(seconds=9)), status=PodStatus(phase="Pending")
    )
    assert "0 seconds ago" in only(too_young.classify(evidence(ahead))).message
