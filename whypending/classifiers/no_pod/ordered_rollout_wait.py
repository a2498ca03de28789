"""ordered-rollout-wait: the StatefulSet waits for an earlier Pod before it makes the next one.

What it means
    With podManagementPolicy OrderedReady, Pod N is made only once Pod N-1 is Running and Ready. Look at that Pod.

How it is recognised
    The workload is a StatefulSet with podManagementPolicy OrderedReady (the default) that has fewer Pods than it asks
    for, nothing was refused, and its highest Pod so far is not Ready: proved where that Pod was read. Where the Pods
    were not read, `status.readyReplicas` below `status.replicas` makes it likely.

What to do
    Diagnose the Pod that is named. After a change of the template delete that Pod: with OrderedReady a Pod that is not
    Ready is never replaced by a rollout; where its label controller-revision-hash is not `status.updateRevision`, the
    template has been changed already. If order does not matter, Parallel starts all at once (the StatefulSet must be
    made anew for that).

Limits
    `spec.ordinals.start` shifts the numbers; they are taken from the Pods' names.

References
    apps/v1 spec.podManagementPolicy; pkg/controller/statefulset/stateful_set_control.go (v1.37);
    https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#deployment-and-scaling-guarantees
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, destroy, look
from whypending.classifiers.no_pod._refusal import refusal, shortfall
from whypending.classifiers.words import condition_citation, field_citation, kubectl
from whypending.diagnosis import Citation, Confidence, Finding, Role, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload
from whypending.triage import is_well

CAUSE = Cause("WP514", "ordered-rollout-wait", Triage.NO_POD, explained_by=("pod-creation-rejected",))


_REVISION = "controller-revision-hash"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Which Pod is in the way."""
    workload = next((w for w in seen(evidence.owners) if w.kind == "StatefulSet"), None)
    if workload is not None and evidence.the_pod is not None:
        yield from _outdated(workload, evidence.the_pod)
    if workload is None or workload.spec.pod_management_policy == "Parallel" or refusal(evidence) is not None:
        return
    if (workload.status.replicas or 0) >= (workload.wanted or 0):
        return
    pods = sorted((*seen(evidence.pod), *seen(evidence.siblings)), key=_ordinal)
    waiting = next((p for p in pods if not is_well(p)), None)
    if waiting is not None:
        yield _waits(evidence, workload, waiting)
    elif not pods and (workload.status.ready_replicas or 0) < (workload.status.replicas or 0):
        yield CAUSE.finding(
            f"{workload.ref} {shortfall(workload)}, of which {workload.status.ready_replicas or 0} Ready: "
            "it waits for an earlier Pod before it makes the next one.",
            confidence=Confidence.LIKELY,
            citations=(field_citation(workload, "status.readyReplicas", workload.status.ready_replicas or 0),),
            remedies=(look("Find the Pod that is not Ready.", kubectl(workload.namespace, "get", "pods")),),
        )


def _waits(evidence: Evidence, workload: Workload, pod: Pod) -> Finding:
    until = "is gone and made anew" if pod.metadata.deletion_timestamp else "is Running and Ready"
    return CAUSE.finding(
        f"{workload.ref} {shortfall(workload)}: it makes the next one only when Pod {pod.name} {until}.",
        citations=(_not_ready(pod), field_citation(workload, "spec.podManagementPolicy", _policy(workload))),
        remedies=(
            look(
                f"Look at Pod {pod.name}: that is where it stops.", kubectl(pod.namespace, "describe", "pod", pod.name)
            ),
        ),
        role=Role.CONTRIBUTING if evidence.the_pod is not None else Role.CAUSE,
    )


def _outdated(workload: Workload, pod: Pod) -> Iterator[Finding]:
    """The Pod that is not Ready was made from a template that has been changed since."""
    mine, now = pod.metadata.labels.get(_REVISION, ""), workload.status.update_revision
    strategy = workload.spec.update_strategy
    rolling = strategy.rolling_update if strategy else None
    held_back = rolling is not None and _ordinal(pod) < (rolling.partition or 0)
    if is_well(pod) or not workload.keeps_pods or not mine or not now or mine == now or held_back:
        return
    yield CAUSE.finding(
        f"{pod.ref} was made from an older template ({mine}) than {workload.ref} has now ({now}), and it stays so "
        f"until it is deleted: {workload.keeps_pods}.",
        citations=(
            field_citation(pod, f"metadata.labels[{_REVISION}]", mine),
            field_citation(workload, "status.updateRevision", now),
        ),
        remedies=(
            destroy(
                f"Delete {pod.ref}, if the template is mended: it is made anew from the present one.",
                kubectl(pod.namespace, "delete", "pod", pod.name),
            ),
        ),
        role=Role.CONTRIBUTING,
    )


def _policy(workload: Workload) -> str:
    return workload.spec.pod_management_policy or "OrderedReady"


def _not_ready(pod: Pod) -> Citation:
    deleted = pod.metadata.deletion_timestamp
    if deleted is not None:
        return field_citation(pod, "metadata.deletionTimestamp", f"{deleted:%Y-%m-%dT%H:%M:%SZ}", deleted)
    ready = pod.condition("Ready")
    return condition_citation(pod, ready) if ready else field_citation(pod, "status.phase", pod.status.phase)


def _ordinal(pod: Pod) -> int:
    match = re.search(r"-(\d+)$", pod.name)
    return int(match[1]) if match else 0
