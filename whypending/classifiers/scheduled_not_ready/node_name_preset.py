"""node-name-preset: spec.nodeName was set by the user, bypassing the scheduler.

What it means
    The Pod was created with a node already in it. Nobody checked that the node exists, has room or can reach the
    Pod's volumes; no scheduler will ever look at it.

How it is recognised
    The owner's template sets `spec.template.spec.nodeName`, or the untouched Pending Pod has `spec.nodeName` without
    the condition PodScheduled, which the API server writes for every Binding. It is shown only where it matters: the
    node is missing, closed or not posting, the kubelet refused the Pod for its fit, a claim waits for a scheduler, or
    nothing has happened to the Pod at all.

What to do
    Remove nodeName and say what the Pod needs by nodeSelector, affinity or tolerations.

Limits
    DaemonSet and static Pods are placed without a scheduler on purpose and are left out. Once a kubelet has posted a
    status, only the template can still prove it. Where the kubelet refused the Pod and no Event Scheduled stands beside
    its refusal, it is likely.

References
    https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.words import field_citation
from whypending.diagnosis import Confidence, Finding, Role, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod

from ._admission import RESOURCE_PREFIX, refused
from ._containers import began
from ._node import is_well, missing
from ._owner import edit
from ._preset import is_told, preset, setter
from ._volumes import waiting_claims

CAUSE = Cause("WP409", "node-name-preset", Triage.SCHEDULED_NOT_READY, refines=("kubelet-admission-rejected",))
_FOR_FIT = ("Node", "TaintToleration", "PodFits", "MatchNodeSelector", "HostName", RESOURCE_PREFIX)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A node that no scheduler chose, where that is what went wrong."""
    pod = evidence.the_pod
    proof = preset(evidence)
    if pod is None or proof is None or not _matters(evidence, pod):
        return
    refused = pod.status.phase == "Failed" and pod.status.reason
    said = f", and its kubelet refused it ({pod.status.reason})" if refused else ""
    yield CAUSE.finding(
        f"{setter(evidence)}, so no scheduler ever checked that this node fits{_whom(evidence, pod)}{said}.",
        confidence=Confidence.PROVED if is_told(evidence) else Confidence.LIKELY,
        role=Role.CONTRIBUTING if evidence.the_node and not is_well(evidence) else Role.CAUSE,
        citations=(*proof, field_citation(pod, "spec.nodeName", pod.spec.node_name)) if len(proof) == 1 else proof,
        remedies=(
            edit(evidence, "Remove spec.nodeName and choose nodes by nodeSelector, affinity or tolerations instead."),
        ),
    )


def _whom(evidence: Evidence, pod: Pod) -> str:
    return " it" if setter(evidence).startswith(pod.ref) else f" {pod.ref}"


def _matters(evidence: Evidence, pod: Pod) -> bool:
    if refused(pod):
        return pod.status.reason.startswith(_FOR_FIT)
    if began(pod) or pod.status.phase == "Failed":
        return False
    if missing(evidence) or not is_well(evidence):
        return True
    untouched = pod.status.start_time is None and not pod.status.container_statuses
    return untouched or any(waiting_claims(evidence))
