"""kubelet-not-acting: the kubelet posts Ready but does not act on a bound Pod.

What it means
    The Pod has a node, the node is Ready and its heartbeat is fresh, yet the kubelet has not touched the Pod: no start
    time, no container status, no Event. Its loop hangs, or it does not see the Pod (a broken watch, a full work queue).

How it is recognised
    Pending and bound for more than two minutes, `status.startTime` and all container statuses absent (the kubelet
    writes them first of all), no Event by the kubelet. Proved with a Ready Node and a fresh Lease; possible where the
    Node could not be read.

What to do
    Restart the kubelet on that node; read its log first (`PLEG is not healthy`, `skipping pod synchronization`).

Limits
    On a virtual node (virtual-kubelet) the provider is meant, not a kubelet.

References
    pkg/kubelet/kubelet.go (syncLoop), Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.words import field_citation, since
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence, is_known

from ._node import OVER, cite_lease, cite_ready, is_well, lease
from ._preset import preset
from ._untouched import bound_at, untouched

CAUSE = Cause("WP408", "kubelet-not-acting", Triage.SCHEDULED_NOT_READY, explained_by=OVER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A bound Pod that nobody on its node has touched."""
    pod = evidence.the_pod
    if pod is None or not untouched(evidence) or _is_unwell(evidence):
        return
    bound = bound_at(pod)
    node = evidence.the_node
    yield CAUSE.finding(
        f"{pod.ref} has been on node {pod.spec.node_name} for {since(bound, evidence.now)}, and the kubelet there has "
        f"not touched it{', though the node is Ready' if node else ''}.",
        confidence=_confidence(evidence),
        citations=(
            field_citation(pod, "spec.nodeName", pod.spec.node_name, bound),
            field_citation(pod, "status.startTime", None),
            *(cite_ready(node) if node else ()),
            *cite_lease(evidence),
        ),
        remedies=(
            look(f"Log in to {pod.spec.node_name} and read the kubelet's log: journalctl -u kubelet."),
            change("Restart the kubelet on that node: systemctl restart kubelet (running containers go on)."),
        ),
    )


def _is_unwell(evidence: Evidence) -> bool:
    if is_known(evidence.node):
        return not is_well(evidence)
    return preset(evidence) is not None


def _confidence(evidence: Evidence) -> Confidence:
    if not is_well(evidence):
        return Confidence.POSSIBLE
    return Confidence.PROVED if lease(evidence) and is_known(evidence.events) else Confidence.LIKELY
