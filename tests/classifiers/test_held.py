"""Causes of held: gates, queues, gangs and suspended owners."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whypending.classifiers import held
from whypending.classifiers.held import (
    job_suspended_by_queue,
    owner_suspended,
    permit_wait,
    queue_not_found,
    queue_not_permitted,
    queue_quota_exhausted,
    scheduling_gate_unresolved,
)
from whypending.diagnosis import Confidence, Finding
from whypending.evidence import Evidence, Gap, GapReason, Target
from whypending.objects.base import Condition, CustomObject, ObjectMeta, OwnerReference
from whypending.objects.pod import NamedReference, Pod, PodSpec, PodStatus
from whypending.objects.workload import Workload, WorkloadSpec

NOW = datetime(2026, 5, 12, 9, 30, tzinfo=UTC)
GAP = Gap(what="x", reason=GapReason.FORBIDDEN)
QUEUE = {"kueue.x-k8s.io/queue-name": "q"}


def pod(*gates: str, labels: dict[str, str] | None = None, **status: Any) -> Pod:
    return Pod(
        metadata=ObjectMeta(
            name="p", namespace="ml", uid="u", labels=labels or {}, creation_timestamp=NOW - timedelta(hours=1)
        ),
        spec=PodSpec(scheduling_gates=tuple(NamedReference(name=g) for g in gates)),
        status=PodStatus(phase="Pending", **status),
    )


def evidence(*pods: Pod, **fields: Any) -> Evidence:
    return Evidence(target=Target(namespace="ml", name="p"), now=NOW, pod=pods, **fields)


def custom(kind: str, name: str, *parts: Any, api: str = "", uid: str = "") -> CustomObject:
    spec, status = (*parts, None, None)[:2]
    owner = (OwnerReference(kind="Pod", name="p", uid=uid, controller=True),) if uid else ()
    meta = ObjectMeta(name=name, namespace="ml", owner_references=owner)
    return CustomObject(api_version=api, kind=kind, metadata=meta, spec=spec or {}, status=status or {})


def reserved(message: str, reason: str = "Pending", **spec: Any) -> CustomObject:
    condition = {"type": "QuotaReserved", "status": "False", "reason": reason, "message": message}
    return custom("Workload", "w", spec, {"conditions": [condition]}, uid="u")


def only(findings: Iterator[Finding]) -> Finding:
    (finding,) = findings
    return finding


@pytest.mark.parametrize("module", held.MODULES, ids=lambda m: m.CAUSE.name)
def test_nothing_is_said_of_nothing(module: Any) -> None:
    assert list(module.classify(evidence())) == []
    assert list(module.classify(evidence(Pod(), owners=GAP, pod_groups=GAP))) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "status", "message", "name", "state"]), inner, max_size=4)
    ),
    max_leaves=10,
)


@given(
    st.dictionaries(st.sampled_from(["clusterQueue", "stopPolicy", "active", "minMember", "queue"]), JSON),
    st.dictionaries(st.sampled_from(["conditions", "admissionChecks", "state", "phase"]), JSON),
)
def test_malformed_custom_resources_break_nothing(spec: dict[str, Any], status: dict[str, Any]) -> None:
    gated = pod("kueue.x-k8s.io/admission", labels=QUEUE)
    fields: dict[str, Any] = {
        "local_queues": (custom("LocalQueue", "q", spec, status),),
        "cluster_queues": (custom("ClusterQueue", "c", spec, status),),
        "kueue_workloads": (custom("Workload", "w", spec, status, uid="u"),),
        "pod_groups": (custom("PodGroup", "g", spec, status, api="scheduling.volcano.sh/v1beta1"),),
        "volcano_queues": (custom("Queue", "default", spec, status),),
    }
    found = [f for m in held.MODULES for f in m.classify(evidence(gated, **fields))]
    assert found[0].name == "scheduling-gate-unresolved"
    assert all(f.message.endswith(".") for f in found)


@pytest.mark.parametrize(
    ("gate", "who"),
    [
        ("kueue.x-k8s.io/topology", "Kueue"),
        ("scheduling.volcano.sh/queue-allocation-gate", "Volcano"),
        ("example.com/scan", "the controller of example.com"),
        ("odd", "whoever put it there"),
    ],
)
def test_each_gate_has_somebody_who_removes_it(gate: str, who: str) -> None:
    assert f"{gate} (removed by {who}" in only(scheduling_gate_unresolved.classify(evidence(pod(gate)))).message


def test_a_deactivated_workload_is_said() -> None:
    gated = pod("kueue.x-k8s.io/admission", labels=QUEUE)
    found = scheduling_gate_unresolved.classify(evidence(gated, kueue_workloads=(reserved("", active=False),)))
    assert "is deactivated" in only(found).message


def test_a_workload_of_another_pod_is_not_taken() -> None:
    other = custom("Workload", "w", {"active": False}, uid="other")
    found = scheduling_gate_unresolved.classify(evidence(pod("kueue.x-k8s.io/admission"), kueue_workloads=(other,)))
    assert "deactivated" not in only(found).message


def test_a_pod_group_is_found_by_its_label() -> None:
    gated = pod("kueue.x-k8s.io/admission", labels={**QUEUE, "kueue.x-k8s.io/pod-group-name": "w"})
    workload = custom("Workload", "w", {"active": False})
    found = scheduling_gate_unresolved.classify(evidence(gated, kueue_workloads=(workload,)))
    assert "deactivated" in only(found).message


def test_a_missing_queue_is_proved_only_where_the_queues_were_read() -> None:
    gated = pod("kueue.x-k8s.io/admission", labels=QUEUE)
    assert only(queue_not_found.classify(evidence(gated, local_queues=()))).confidence is Confidence.PROVED
    assert only(queue_not_found.classify(evidence(gated, local_queues=GAP))).confidence is Confidence.POSSIBLE


def test_a_queue_of_another_namespace_does_not_count() -> None:
    other = CustomObject(kind="LocalQueue", metadata=ObjectMeta(name="q", namespace="other"))
    gated = pod("kueue.x-k8s.io/admission", labels=QUEUE)
    assert "LocalQueue ml/q" in only(queue_not_found.classify(evidence(gated, local_queues=(other,)))).message


def test_kueues_words_are_proof_without_the_queues() -> None:
    gated = pod("kueue.x-k8s.io/admission", labels=QUEUE)
    found = evidence(gated, local_queues=GAP, kueue_workloads=(reserved("LocalQueue q doesn't exist"),))
    assert only(queue_not_found.classify(found)).confidence is Confidence.PROVED


def test_an_open_queue_is_permitted() -> None:
    gated = pod("kueue.x-k8s.io/admission", labels=QUEUE)
    queue = custom("LocalQueue", "q", {"clusterQueue": "c", "stopPolicy": "None"})
    assert list(queue_not_permitted.classify(evidence(gated, local_queues=(queue,)))) == []


@pytest.mark.parametrize("message", ["", "Workload is pending evaluation in the scheduling queue"])
def test_a_workload_that_only_waits_has_no_quota_finding(message: str) -> None:
    gated = pod("kueue.x-k8s.io/admission", labels=QUEUE)
    assert list(queue_quota_exhausted.classify(evidence(gated, kueue_workloads=(reserved(message),)))) == []


@pytest.mark.parametrize(
    ("message", "reason", "words"),
    [
        ("insufficient unused quota for cpu in flavor a, 2 more needed", "Pending", "has no quota left for"),
        ("insufficient quota for cpu in flavor a, request > maximum capacity (9 > 8)", "Pending", "can never hold"),
        ("too big", "ExceedsMaxQuota", "can never hold"),
    ],
)
def test_what_never_fits_is_told_from_what_waits(message: str, reason: str, words: str) -> None:
    gated = pod("kueue.x-k8s.io/admission", labels=QUEUE)
    found = queue_quota_exhausted.classify(evidence(gated, kueue_workloads=(reserved(message, reason),)))
    assert words in only(found).message


def job(labels: dict[str, str] | None = None, **spec: Any) -> Workload:
    return Workload(
        kind="Job",
        metadata=ObjectMeta(name="j", namespace="ml", uid="j", labels=labels or {}),
        spec=WorkloadSpec(**spec),
    )


def test_a_queued_job_is_not_suspended_by_hand() -> None:
    queued = evidence(owners=(job(QUEUE, suspend=True),))
    assert only(job_suspended_by_queue.classify(queued)).confidence is Confidence.PROVED
    assert list(owner_suspended.classify(queued)) == []


def test_a_suspended_job_without_a_queue_is_suspended_by_hand() -> None:
    by_hand = evidence(owners=(job(suspend=True),))
    assert only(owner_suspended.classify(by_hand)).remedies[0].patch == '{"spec":{"suspend":false}}'
    assert list(job_suspended_by_queue.classify(by_hand)) == []


def test_a_queued_job_that_runs_is_not_suspended() -> None:
    assert list(job_suspended_by_queue.classify(evidence(owners=(job(QUEUE, suspend=False),)))) == []


def gang(members: Any) -> CustomObject:
    return custom("PodGroup", "g", {"minMember": members}, {"phase": "Pending"}, api="scheduling.x-k8s.io/v1alpha1")


def test_a_permit_wait_is_never_more_than_possible() -> None:
    assert only(permit_wait.classify(evidence(pod(), pod_groups=(gang(3),)))).confidence is Confidence.POSSIBLE


@pytest.mark.parametrize("members", [1, 0, None, "3", True])
def test_a_gang_of_one_waits_for_nobody(members: Any) -> None:
    assert list(permit_wait.classify(evidence(pod(), pod_groups=(gang(members),)))) == []


def test_a_verdict_is_no_wait() -> None:
    judged = pod(conditions=(Condition(type="PodScheduled", status="False", reason="Unschedulable"),))
    assert list(permit_wait.classify(evidence(judged, pod_groups=(gang(3),)))) == []


def test_kueue_that_is_not_installed_resumes_nothing() -> None:
    absent = Gap(what="LocalQueues", reason=GapReason.UNSUPPORTED)
    job = Workload(
        kind="Job", metadata=ObjectMeta(name="sweep", namespace="ml", labels=QUEUE), spec=WorkloadSpec(suspend=True)
    )
    found = Evidence(
        target=Target(kind="Job", namespace="ml", name="sweep"), now=NOW, pod=(), owners=(job,),
        local_queues=absent, cluster_queues=absent, kueue_workloads=absent,
    )  # fmt: skip
    finding = next(iter(job_suspended_by_queue.classify(found)))
    assert "not installed: nothing will resume it" in finding.message
    assert finding.confidence is Confidence.PROVED
    assert finding.remedies[0].command == """kubectl -n ml patch job/sweep -p '{"spec":{"suspend":false}}'"""
    assert list(queue_not_found.classify(found)) == []


def test_a_gate_of_kueue_that_is_not_installed() -> None:
    absent = Gap(what="LocalQueues", reason=GapReason.UNSUPPORTED)
    gated = pod("kueue.x-k8s.io/admission", labels=QUEUE)
    found = Evidence(
        target=Target(namespace="ml", name="p"), now=NOW, pod=(gated,), local_queues=absent, kueue_workloads=absent
    )
    finding = next(iter(scheduling_gate_unresolved.classify(found)))
    assert finding.message.endswith("; Kueue is not installed, so nothing will remove it.")
    assert any("schedulingGates" in r.command for r in finding.remedies)
