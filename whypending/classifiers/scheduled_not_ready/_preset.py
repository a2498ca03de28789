"""Whether spec.nodeName was set by a user (or a controller) instead of a scheduler's Binding.

The API server writes PodScheduled=True when it takes a Binding (registry/core/pod, assignPod); a Pod that is created
with spec.nodeName gets no such condition until a kubelet posts a status.
"""

from __future__ import annotations

from whypending.classifiers.words import field_citation
from whypending.diagnosis import Citation
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod

from ._owner import is_static


def preset(evidence: Evidence) -> tuple[Citation, ...] | None:
    """The proof that no scheduler chose the node, or None. DaemonSet and static Pods are placed so on purpose."""
    pod = evidence.the_pod
    if pod is None or not pod.spec.node_name or _is_placed_on_purpose(pod):
        return None
    for owner in reversed(seen(evidence.owners)):
        wanted = owner.spec.template.spec.node_name
        if wanted and wanted == pod.spec.node_name:
            return (field_citation(owner, "spec.template.spec.nodeName", wanted),)
    return _never_bound(evidence, pod)


def setter(evidence: Evidence) -> str:
    """How a sentence begins that tells who chose the node: `Deployment prod/web sets spec.nodeName to worker-3`."""
    pod = evidence.the_pod
    if pod is None:
        return ""
    for owner in reversed(seen(evidence.owners)):
        if owner.spec.template.spec.node_name == pod.spec.node_name:
            return f"{owner.ref} sets spec.nodeName to {pod.spec.node_name}"
    return f"{pod.ref} was created with spec.nodeName {pod.spec.node_name}"


def _never_bound(evidence: Evidence, pod: Pod) -> tuple[Citation, ...] | None:
    untouched = pod.status.phase == "Pending" and pod.status.start_time is None and not pod.status.container_statuses
    scheduled = pod.condition("PodScheduled")
    if not untouched or scheduled is not None or any(e.reason == "Scheduled" for e in seen(evidence.events)):
        return None
    return (
        field_citation(pod, "spec.nodeName", pod.spec.node_name),
        field_citation(pod, "status.conditions[type=PodScheduled]", None),
    )


def _is_placed_on_purpose(pod: Pod) -> bool:
    controller = pod.metadata.controller
    return is_static(pod) or (controller is not None and controller.kind == "DaemonSet")
