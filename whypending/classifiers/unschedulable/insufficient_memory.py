"""insufficient-memory: not enough unrequested memory on the nodes that remain.

What it means
    The memory requests of the Pods on a node leave less than this Pod asks for. How much memory is really free does
    not matter, only requests.

How it is recognised
    `Insufficient memory` in the scheduler's verdict: proved. The Pod's own request is set beside
    `status.allocatable` of the Nodes, to tell a node that is full from one that is too small.

What to do
    Where no node is large enough, add a larger one or lower the request. Where nodes are full, add a node, remove
    Pods that hold requests they do not need, or lower the request in the workload.

Limits
    How much is unrequested on each node is not added up here. A node can fail on CPU too and be named only once.

References
    NodeResourcesFit, kube-scheduler 1.2 to 1.37; kubernetes.io "Resource Management for Pods and Containers".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.unschedulable._resources import shortage
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP302", "insufficient-memory", Triage.UNSCHEDULABLE, explained_by=("preemption-in-progress",))


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    yield from shortage(CAUSE, evidence, "memory")
