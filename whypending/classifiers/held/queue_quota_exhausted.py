"""queue-quota-exhausted: the queue admits no more now: its quota is used, or others are before.

What it means
    The queueing system lets work in only as far as the queue's quota goes. This work waits its turn; the nodes may be
    empty meanwhile.

How it is recognised
    Kueue: the Workload's condition QuotaReserved is False with `couldn't assign flavors …`, `insufficient … quota …` or
    reason WaitingForQuota or ExceedsMaxQuota: proved. `request > maximum capacity` and ExceedsMaxQuota mean that it
    never fits. Volcano: the PodGroup is Pending (not yet Inqueue) although its Queue is there and open: likely, as the
    Queue's capability or share is what keeps it out.

What to do
    Wait, free quota, ask for less, or raise the quota of the ClusterQueue or Queue.

Limits
    Kueue's QuotaReserved=False with no message, or `Workload is pending evaluation`, only says that it waits.

References
    https://kueue.sigs.k8s.io/docs/concepts/workload/; Kueue pkg/scheduler/flavorassigner;
    Volcano pkg/scheduler/plugins/capacity and proportion (`queue resource quota insufficient`)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.held._kueue import (
    cluster_queue_of,
    condition,
    local_queue,
    queue_of,
    workload_of,
)
from whypending.classifiers.held._volcano import pod_group
from whypending.classifiers.held._volcano import queue_of as volcano_queue
from whypending.classifiers.words import condition_citation, field_citation, kubectl, sentence
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.base import CustomObject
from whypending.patterns import Pattern

CAUSE = Cause(
    "WP205", "queue-quota-exhausted", Triage.HELD, refines=("scheduling-gate-unresolved", "job-suspended-by-queue")
)

_TEXT = Pattern(r"insufficient|quota|didn't fit|couldn't assign flavors|maximum capacity", re.IGNORECASE)
_REASONS = ("WaitingForQuota", "ExceedsMaxQuota", "WaitingForPreemptedWorkloads")
_NEVER = Pattern(r"maximum capacity|insufficient quota for \S+ in flavor \S+ in ClusterQueue")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Kueue's words on this Workload, or Volcano's PodGroup that was not let in."""
    workload = workload_of(evidence)
    reserved = condition(workload, "QuotaReserved")
    if workload is not None and reserved is not None and reserved.status == "False":
        if reserved.reason in _REASONS or _TEXT.search(reserved.message):
            yield _kueue(evidence, workload, reserved.reason, reserved.message)
        return
    group, queue = pod_group(evidence), volcano_queue(evidence)
    if group is not None and group.status.get("phase") == "Pending" and queue is not None:
        yield from _volcano(group, queue)


def _kueue(evidence: Evidence, workload: CustomObject, reason: str, message: str) -> Finding:
    reserved = condition(workload, "QuotaReserved")
    namespace = workload.namespace
    name = queue_of(evidence)[0] or str(workload.spec.get("queueName") or "")
    behind = cluster_queue_of(local_queue(evidence, namespace, name))
    queue = f"ClusterQueue {behind}" if behind else f"LocalQueue {namespace}/{name}"
    never = reason == "ExceedsMaxQuota" or _NEVER.search(message)
    how = "can never hold" if never else "has no quota left for"
    describe = ("describe", "clusterqueue", behind) if behind else ("get", "clusterqueues", "-o", "wide")
    ask = "Ask for less, or raise its nominalQuota." if never else "See who uses it; wait, free some, or raise it."
    return CAUSE.finding(
        f"{queue} {how} {_subject(evidence, workload)}: {sentence(message or reason)}",
        citations=(condition_citation(workload, reserved),) if reserved else (),
        remedies=(
            look(ask, kubectl("", *describe)),
            look("See what else waits in the queue.", kubectl(namespace, "get", "workloads.kueue.x-k8s.io")),
        ),
    )


def _subject(evidence: Evidence, workload: CustomObject) -> str:
    pod = evidence.the_pod
    return pod.ref if pod is not None else f"Workload {workload.namespace}/{workload.name} of {evidence.target.ref}"


def _volcano(group: CustomObject, queue: CustomObject) -> Iterator[Finding]:
    if str(queue.status.get("state") or "Open") not in {"Open", "Unknown"}:
        return
    yield CAUSE.finding(
        f"Volcano has not let {group.ref} into Queue {queue.name}: the queue has no room for it now.",
        confidence=Confidence.LIKELY,
        citations=(
            field_citation(group, "status.phase", "Pending"),
            field_citation(queue, "status.state", queue.status.get("state") or "Open"),
        ),
        remedies=(
            look(
                "Compare minResources of the PodGroup with what the Queue has left; its Events say which resource.",
                kubectl(group.namespace, "describe", f"podgroups.scheduling.volcano.sh/{group.name}"),
            ),
            look("See the Queue.", kubectl("", "describe", f"queues.scheduling.volcano.sh/{queue.name}")),
        ),
    )
