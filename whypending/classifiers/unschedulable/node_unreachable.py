"""node-unreachable: the node's kubelet posts no status any more (Ready Unknown).

What it means
    The control plane has heard nothing from the kubelet for longer than the grace period, so it marked the node
    unreachable. The machine is off, the kubelet is down, or the network between them is broken.

How it is recognised
    The taint `node.kubernetes.io/unreachable`, named by the scheduler or found on the Nodes; the Node's Ready
    condition with status Unknown is quoted beside it.

What to do
    Look at the machine and its kubelet. Add a node meanwhile, or delete the Node object if the machine is gone.

Limits
    From the API alone, a dead machine and a broken network look alike.

References
    Node lifecycle controller; kubernetes.io "Node heartbeats"; "Taint based Evictions".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.unschedulable._node_taints import describe, node_trouble
from whypending.classifiers.unschedulable._told import Told
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP310", "node-unreachable", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    yield from node_trouble(CAUSE, evidence, ("Ready", "Unknown"), _message, _remedies)


def _message(this: Told, which: str) -> str:
    verb = this.verb("is unreachable: its kubelet posts", "are unreachable: their kubelets post")
    return f"{this.subject}{which} {verb} no status, so {this.pod.ref} can't go there"


def _remedies(node: str) -> Iterable[Remedy]:
    yield describe(node)
    yield change("Bring the machine, its kubelet or its network back; the taint goes by itself.")
