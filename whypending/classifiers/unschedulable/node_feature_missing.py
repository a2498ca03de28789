"""node-feature-missing: the Pod needs a node-declared feature that the nodes lack.

What it means
    Kubelets declare which features they support (`status.declaredFeatures`). The Pod uses one that the refused nodes
    do not declare: their kubelets are older, or have the feature gate off.

How it is recognised
    `didn't match Pod's required features` in the scheduler's verdict: proved. The kubelet versions and declared
    features of the Nodes are quoted.

What to do
    Upgrade the kubelets or turn the feature gate on there, or do without the feature in the Pod.

Limits
    The text does not say which feature; the scheduler infers it from the Pod's spec.

References
    NodeDeclaredFeatures, kube-scheduler 1.35 to 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import names, sentence, unique
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.node import Node

CAUSE = Cause("WP350", "node-feature-missing", Triage.UNSCHEDULABLE)
_COLUMNS = "NAME:.metadata.name,KUBELET:.status.nodeInfo.kubeletVersion,FEATURES:.status.declaredFeatures"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    versions = unique(n.status.node_info.kubelet_version for n in seen(evidence.nodes))
    with_ = f" (kubelets: {names(versions)})" if versions else ""
    lacks = f"{this.subject} {this.verb('lacks', 'lack')}"
    yield CAUSE.finding(
        sentence(f"{lacks} a declared node feature that {this.pod.ref} needs{with_}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(_cite(n) for n in seen(evidence.nodes)[:2])),
        remedies=(
            look("Compare what the nodes declare.", f"kubectl get nodes -o custom-columns={_COLUMNS}"),
            change("Upgrade the kubelets, or turn the feature gate on there."),
        ),
    )


def _cite(node: Node) -> Citation:
    declared = ", ".join(node.status.declared_features) or "none"
    return Citation(object=node.ref, field="status.declaredFeatures", value=declared)
