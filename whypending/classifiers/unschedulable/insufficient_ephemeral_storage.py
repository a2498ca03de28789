"""insufficient-ephemeral-storage: the ephemeral-storage request does not fit, or the kubelet reports none.

What it means
    The Pod asks for local disk (`ephemeral-storage`) and no remaining node has that much unrequested. A node whose
    kubelet does not report the resource offers none at all.

How it is recognised
    `Insufficient ephemeral-storage` in the scheduler's verdict: proved. Nodes whose `status.allocatable` lacks
    `ephemeral-storage` are named.

What to do
    Lower the request, add a node with a larger disk, or repair the kubelet that does not report its disk.

Limits
    This is about requests, not about a full disk: that is node-disk-pressure. Claims are another matter.

References
    NodeResourcesFit, kube-scheduler 1.8 to 1.37; kubernetes.io "Local ephemeral storage".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._owner import edited
from whypending.classifiers.unschedulable._resources import shortage
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.node import Node

CAUSE = Cause("WP303", "insufficient-ephemeral-storage", Triage.UNSCHEDULABLE, explained_by=("preemption-in-progress",))
RESOURCE = "ephemeral-storage"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    silent = [n for n in seen(evidence.nodes) if n.status.allocatable and RESOURCE not in n.status.allocatable]
    if this is None or not silent:
        yield from shortage(CAUSE, evidence, RESOURCE)
        return
    reporting = f"{names([n.name for n in silent])} {'does' if len(silent) == 1 else 'do'} not report any"
    yield CAUSE.finding(
        sentence(f"{this.pod.ref} asks for ephemeral-storage, and {reporting} in status.allocatable{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(_cite(n) for n in silent[:1])),
        remedies=(
            look(
                "See what the node reports, then its kubelet's log.",
                f"kubectl describe node {shlex.quote(silent[0].name)}",
            ),
            change("Repair the kubelet so that it reports its disk, or use other nodes."),
            edited(evidence, this.pod, "Or drop the ephemeral-storage request"),
        ),
    )


def _cite(node: Node) -> Citation:
    return Citation(object=node.ref, field=f"status.allocatable[{RESOURCE}]", value="absent")
