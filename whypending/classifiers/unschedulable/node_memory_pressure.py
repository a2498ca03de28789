"""node-memory-pressure: node is under memory pressure.

What it means
    The node's free memory is below the kubelet's eviction threshold. It takes no Pods that have no memory request,
    and evicts others.

How it is recognised
    The taint `node.kubernetes.io/memory-pressure`, named by the scheduler or found on the Nodes, or `had memory
    pressure` in older texts. The Node's MemoryPressure condition is quoted beside it.

What to do
    Find what uses the memory; set requests and limits that match real use; add a node.

Limits
    What uses it up is known on the node only.

References
    Kubelet eviction manager; kubernetes.io "Node-pressure Eviction".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.unschedulable._node_taints import describe, node_trouble
from whypending.classifiers.unschedulable._told import Told
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP342", "node-memory-pressure", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    yield from node_trouble(CAUSE, evidence, ("MemoryPressure", "True"), _message, _remedies)


def _message(this: Told, which: str) -> str:
    verb = this.verb("is", "are")
    return f"{this.subject}{which} {verb} under memory pressure, so {this.pod.ref} can't go there"


def _remedies(node: str) -> Iterable[Remedy]:
    yield describe(node)
    yield change("Move memory-hungry Pods away or give them limits; the taint goes by itself some minutes later.")
