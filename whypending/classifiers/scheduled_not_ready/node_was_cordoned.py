"""node-was-cordoned: the node was unschedulable when the kubelet re-admitted its Pods.

What it means
    A kubelet that restarts judges its Pods again. While the node was cordoned or drained, it refused this one; that
    is final even after the node is open again.

How it is recognised
    `status.reason` NodeUnschedulable (`Predicate NodeUnschedulable failed`) is proof. A refusal for a NoExecute taint
    (TaintToleration) is likely this if the Node is marked unschedulable (`spec.unschedulable`) or carries such a taint
    now.

What to do
    Let the owner make a new Pod; uncordon the node when the maintenance is over.

Limits
    Kubernetes' own kubelet (1.10 to 1.37) tests NoExecute taints only, not spec.unschedulable: the first form is
    written by other distributions and drain tools. When the node was cordoned is not recorded on the Node.

References
    pkg/kubelet/lifecycle/predicate.go (generalFilter), Kubernetes 1.37;
    https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.words import field_citation, names
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence

from ._admission import cite_status, refused
from ._owner import recreate

CAUSE = Cause("WP405", "node-was-cordoned", Triage.SCHEDULED_NOT_READY, refines=("kubelet-admission-rejected",))
_CORDONED = "NodeUnschedulable"
_TAINTED = {"TaintToleration", "PodToleratesNodeNoExecuteTaints"}


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A refusal for the node being closed."""
    pod = evidence.the_pod
    if pod is None or not refused(pod):
        return
    reason, closed = pod.status.reason, _closed(evidence)
    if reason != _CORDONED and not (reason in _TAINTED and closed):
        return
    yield CAUSE.finding(
        f"Node {pod.spec.node_name} was closed for maintenance when its kubelet judged {pod.ref} again, and refused it "
        f"({reason}).",
        confidence=Confidence.PROVED if reason == _CORDONED else Confidence.LIKELY,
        citations=(*cite_status(evidence, pod), *closed),
        remedies=(recreate(evidence), *_uncordon(evidence)),
    )


def _closed(evidence: Evidence) -> tuple[Citation, ...]:
    node = evidence.the_node
    if node is None:
        return ()
    if node.spec.unschedulable:
        return (field_citation(node, "spec.unschedulable", value=True),)
    taints = names(str(t) for t in node.spec.taints if t.effect == "NoExecute")
    return (field_citation(node, "spec.taints", taints),) if taints else ()


def _uncordon(evidence: Evidence) -> Iterator[Remedy]:
    node = evidence.the_node
    if node is not None and node.spec.unschedulable:
        yield change("Open the node again when its maintenance is over.", f"kubectl uncordon {quote(node.name)}")
