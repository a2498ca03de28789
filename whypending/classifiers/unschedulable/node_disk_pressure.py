"""node-disk-pressure: node is under disk pressure (taint and evictions).

What it means
    The node's disk, or its inodes, are nearly used up. The kubelet refuses new Pods, deletes unused images and
    evicts Pods until there is room.

How it is recognised
    The taint `node.kubernetes.io/disk-pressure`, named by the scheduler or found on the Nodes, or `had disk pressure`
    in older texts. The Node's DiskPressure condition is quoted beside it.

What to do
    Free the disk: old images, logs, emptyDir data, left-over volumes; or give the node a larger one.

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

CAUSE = Cause("WP311", "node-disk-pressure", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    yield from node_trouble(CAUSE, evidence, ("DiskPressure", "True"), _message, _remedies)


def _message(this: Told, which: str) -> str:
    verb = this.verb("is", "are")
    return f"{this.subject}{which} {verb} under disk pressure, so {this.pod.ref} can't go there"


def _remedies(node: str) -> Iterable[Remedy]:
    yield describe(node)
    yield change("Free disk space on the node or enlarge its disk; the taint goes by itself some minutes later.")
