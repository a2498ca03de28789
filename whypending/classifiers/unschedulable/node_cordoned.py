"""node-cordoned: a node is marked unschedulable now.

What it means
    Somebody ran `kubectl cordon` or `kubectl drain`, or an upgrade tool did: the node takes no new Pods on purpose.

How it is recognised
    `node(s) were unschedulable` in the scheduler's verdict: proved. The Nodes with `spec.unschedulable: true` are
    named where they could be read.

What to do
    Uncordon the node if its maintenance is over. If an upgrade is running, wait for it.

Limits
    Who cordoned it, and whether maintenance still runs, is not in the Node's spec.

References
    NodeUnschedulable, kube-scheduler 1.12 to 1.37; kubernetes.io "Manual Node administration"; "Safely Drain a Node".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._node_taints import named, on_nodes
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.node import Node

CAUSE = Cause("WP312", "node-cordoned", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    cordoned = [n for n in seen(evidence.nodes) if n.spec.unschedulable]
    verb = this.verb("is", "are")
    which = named(n.name for n in cordoned)
    yield CAUSE.finding(
        sentence(
            f"{this.subject}{which} {verb} cordoned (marked unschedulable), so {this.pod.ref} can't go there{this.tail}"
        ),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(_cite(n) for n in cordoned[:2])),
        remedies=_remedies(cordoned),
    )


def _cite(node: Node) -> Citation:
    return Citation(object=node.ref, field="spec.unschedulable", value="true")


def _remedies(cordoned: list[Node]) -> Iterator[Remedy]:
    if cordoned:
        found = tuple(n.name for n in cordoned)
        yield change(f"Uncordon {names(found)} once the maintenance is over.", on_nodes("kubectl uncordon", found))
    else:
        yield look("See which nodes are marked SchedulingDisabled.", "kubectl get nodes")
