"""Whether what the Pod's status says is current: its node exists, posts Ready, and renews its Lease."""

from __future__ import annotations

from datetime import timedelta
from shlex import quote

from whypending.classifiers.cause import look
from whypending.classifiers.words import condition_citation, field_citation
from whypending.diagnosis import Citation, Remedy
from whypending.evidence import Evidence, is_known, seen
from whypending.objects.base import Condition
from whypending.objects.node import Lease, Node
from whypending.objects.times import later, seconds

SLACK = timedelta(seconds=60)
"""Beyond leaseDurationSeconds: a snapshot reads the Lease and the clock some time apart."""

OVER = (
    "node-not-found",
    "node-not-ready-after-bind",
    "pod-terminating-stuck",
    "kubelet-admission-rejected",
    "node-shutdown",
    "evicted",
)
"""Beside these causes, what the containers' statuses or older Events say is a mere symptom."""


def missing(evidence: Evidence) -> bool:
    """The Pod names a node, and no such Node exists (looked up, not merely unread)."""
    pod = evidence.the_pod
    return bool(pod and pod.spec.node_name) and is_known(evidence.node) and not seen(evidence.node)


def ready(node: Node) -> Condition | None:
    """The Node's Ready condition."""
    return node.condition("Ready")


def lease(evidence: Evidence) -> Lease | None:
    """The node's heartbeat Lease in kube-node-lease, if it was found."""
    return next(iter(seen(evidence.node_lease)), None)


def lease_is_stale(evidence: Evidence) -> bool:
    """The Lease was found and has not been renewed for its duration and a minute more."""
    found = lease(evidence)
    if found is None or found.spec.renew_time is None:
        return False
    duration = seconds(found.spec.lease_duration_seconds or 40)
    return later(found.spec.renew_time, duration + SLACK) < evidence.now


def is_silent(evidence: Evidence) -> bool:
    """The kubelet posts nothing: Ready is Unknown, or its Lease is stale."""
    node = evidence.the_node
    condition = ready(node) if node else None
    unknown = condition is not None and condition.status == "Unknown"
    return unknown or lease_is_stale(evidence)


def is_well(evidence: Evidence) -> bool:
    """The Node was read, is Ready, and its Lease (where there is one) is fresh."""
    node = evidence.the_node
    condition = ready(node) if node else None
    return condition is not None and condition.status == "True" and not lease_is_stale(evidence)


def cite_ready(node: Node) -> tuple[Citation, ...]:
    """The Ready condition as proof."""
    condition = ready(node)
    return (condition_citation(node, condition),) if condition else ()


def cite_lease(evidence: Evidence) -> tuple[Citation, ...]:
    """The Lease's renewTime as proof."""
    found = lease(evidence)
    if found is None or found.spec.renew_time is None:
        return ()
    renewed = found.spec.renew_time
    return (field_citation(found, "spec.renewTime", renewed.isoformat().replace("+00:00", "Z"), renewed),)


def look_at_node(name: str, text: str) -> Remedy:
    """Reading the Node."""
    return look(text, f"kubectl describe node {quote(name)}")
