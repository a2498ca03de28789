"""Whether spec.nodeName was set by a user (or a controller) instead of a scheduler's Binding.

The API server writes PodScheduled=True when it takes a Binding (registry/core/pod, assignPod); a Pod that is created
with spec.nodeName gets no such condition until a kubelet posts a status.
"""

from __future__ import annotations

from datetime import timedelta

from whypending.classifiers.words import event_citation, field_citation
from whypending.diagnosis import Citation
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod

from ._admission import refused
from ._owner import is_static

_EVENTS_LAST = timedelta(minutes=55)
"""Somewhat less than kube-apiserver's --event-ttl (1h): an Event Scheduled would still be there."""
_AT_ONCE = timedelta(seconds=5)
"""A later refusal is mostly that of a kubelet which judges its Pods again after a restart."""


def preset(evidence: Evidence) -> tuple[Citation, ...] | None:
    """The proof that no scheduler chose the node, or None. DaemonSet and static Pods are placed so on purpose."""
    pod = evidence.the_pod
    if pod is None or not pod.spec.node_name or _is_placed_on_purpose(pod):
        return None
    for owner in reversed(seen(evidence.owners)):
        wanted = owner.spec.template.spec.node_name
        if wanted and wanted == pod.spec.node_name:
            return (field_citation(owner, "spec.template.spec.nodeName", wanted),)
    return _never_bound(evidence, pod) or _refused_unscheduled(evidence, pod)


def is_told(evidence: Evidence) -> bool:
    """The template or the untouched Pod itself says so; else only the missing Event of a scheduler does."""
    pod = evidence.the_pod
    by_template = any(w.spec.template.spec.node_name for w in seen(evidence.owners))
    return by_template or (pod is not None and not refused(pod))


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


def _refused_unscheduled(evidence: Evidence, pod: Pod) -> tuple[Citation, ...] | None:
    """Refused by the kubelet, whose Event is still kept, while no Event Scheduled came before it.

    A refusal wipes the kubelet's conditions, PodScheduled among them, so these tell nothing.
    """
    events = seen(evidence.events)
    refusal = next((e for e in events if e.reason == pod.status.reason), None)
    born = pod.metadata.creation_timestamp
    if not refused(pod) or refusal is None or born is None or any(e.reason == "Scheduled" for e in events):
        return None
    if evidence.now - born > _EVENTS_LAST or refusal.first_seen - born > _AT_ONCE:
        return None
    return (field_citation(pod, "spec.nodeName", pod.spec.node_name), event_citation(refusal))


def _is_placed_on_purpose(pod: Pod) -> bool:
    controller = pod.metadata.controller
    return is_static(pod) or (controller is not None and controller.kind == "DaemonSet")
