"""The kubelet's admission: which final statuses it gives, and what each reason says in plain words.

Reasons as kubelet 1.10 to 1.37 writes them (pkg/kubelet/lifecycle, cm/admission, eviction, nodeshutdown, sysctl). A
refused Pod keeps phase Failed, reason and message; its container statuses and kubelet conditions are gone.
"""

from __future__ import annotations

from whypending.classifiers.words import event_citation, newest
from whypending.diagnosis import Citation
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

RESOURCE_PREFIX = "OutOf"
_PLAIN = {
    "AppArmor": "the node cannot enforce the Pod's AppArmor profile",
    "EmptyPodSharedPoolError": "its exclusive CPUs leave none for its other containers",
    "GeneralPredicates": "it does not fit the node",
    "HostName": "spec.nodeName is not this node",
    "HostPortConflict": "a host port that it wants is taken on the node",
    "InitContainerRestartPolicyForbidden": "this kubelet does not know sidecar init containers",
    "InvalidNodeInfo": "the kubelet could not read its own Node object",
    "MatchNodeSelector": "the node's labels did not match its nodeSelector or node affinity at that moment",
    "NodeAffinity": "the node's labels did not match its nodeSelector or node affinity at that moment",
    "NodeName": "spec.nodeName is not this node",
    "NodePorts": "a host port that it wants is taken on the node",
    "NodeSelectorMismatching": "the node's labels did not match its nodeSelector at that moment",
    "NodeShutdown": "the node was shutting down",
    "NodeUnschedulable": "the node was marked unschedulable",
    "PodFeatureUnsupported": "the node lacks a feature that the Pod needs",
    "PodFitsHostPorts": "a host port that it wants is taken on the node",
    "PodLevelResourcesNotSupported": "this kubelet does not support Pod-level resources",
    "PodOSNotSupported": "spec.os is not the node's operating system",
    "PodOSSelectorNodeLabelDoesNotMatch": "its label kubernetes.io/os is not the node's operating system",
    "PodToleratesNodeNoExecuteTaints": "the node has a NoExecute taint that it does not tolerate",
    "SupplementalGroupsPolicyNotSupported": "the node's runtime cannot enforce its supplementalGroupsPolicy",
    "SysctlForbidden": "it sets a sysctl that this kubelet does not allow",
    "TaintToleration": "the node has a NoExecute taint that it does not tolerate",
    "TopologyAffinityError": "its CPUs, memory and devices cannot be had from one NUMA node",
    "UnexpectedAdmissionError": "preparing its devices, CPUs or memory failed",
    "UnexpectedPredicateFailureType": "it does not fit the node",
    "UnknownReason": "the kubelet gave no reason",
    "VolumeAttachmentLimitExceeded": "the node has no free slot to attach its volume",
}
_REJECTED = Pattern(r"^(?:Pod was rejected: |Pod Predicate \S+ failed|Predicate \S+ failed)")
_PREFIX = Pattern(r"^(?:Pod was rejected: |Pod (?=[A-Z]))")


def refused(pod: Pod) -> bool:
    """Failed with an admission reason: the kubelet never started it (or not again after its own restart)."""
    if pod.status.phase != "Failed":
        return False
    reason = pod.status.reason
    by_pressure = reason == "Evicted" and "The node had condition:" in pod.status.message
    return by_pressure or reason in _PLAIN or reason.startswith(RESOURCE_PREFIX) or _is_rejection(pod)


def _is_rejection(pod: Pod) -> bool:
    return bool(pod.status.reason) and _REJECTED.match(pod.status.message) is not None


def plainly(reason: str) -> str:
    """What a reason says, as the end of a sentence; "" where it is not known."""
    if reason.startswith(RESOURCE_PREFIX):
        return f"the node had not enough {reason.removeprefix(RESOURCE_PREFIX)} left"
    if reason == "Evicted":
        return "the node was under pressure and admits no more Pods"
    return _PLAIN.get(reason, "")


def words(pod: Pod) -> str:
    """The kubelet's own message without the prefix that all refusals share, on one line."""
    return _PREFIX.sub("", " ".join(pod.status.message.split())).rstrip(". ")


def cite_status(evidence: Evidence, pod: Pod) -> tuple[Citation, ...]:
    """Phase, reason and message of the Pod, and the Event of that reason where it has not expired."""
    event = newest(evidence.events, pod.status.reason) if pod.status.reason else None
    when = event.last_seen if event else None
    fields = (("reason", pod.status.reason), ("message", pod.status.message))
    cited = [Citation(object=pod.ref, field=f"status.{f}", value=v, at=when) for f, v in fields if v]
    phase = Citation(object=pod.ref, field="status.phase", value=pod.status.phase, at=when)
    return (phase, *cited, *((event_citation(event),) if event else ()))
