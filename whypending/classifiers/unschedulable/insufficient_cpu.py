"""insufficient-cpu: not enough unrequested CPU on the nodes that remain.

What it means
    The scheduler adds up the requests of the Pods on a node. What the Pod asks for does not fit in the rest. Real
    use of CPU does not matter here, only requests.

How it is recognised
    `Insufficient cpu` in the scheduler's verdict (PodScheduled condition or FailedScheduling Event): proved. The
    Pod's own request (containers, sidecars, init containers, overhead) is set beside `status.allocatable` of the
    Nodes, to tell a node that is full from one that is too small.

What to do
    Where no node is large enough, add a larger one or lower the request. Where nodes are full, add a node, remove
    Pods that hold requests they do not need, or lower the request in the workload.

Limits
    How much is unrequested on each node is not added up here. Nodes that failed an earlier filter are not counted.

References
    NodeResourcesFit, kube-scheduler 1.2 to 1.37; kubernetes.io "Resource Management for Pods and Containers".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.unschedulable._resources import shortage
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP301", "insufficient-cpu", Triage.UNSCHEDULABLE, explained_by=("preemption-in-progress",))


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    yield from shortage(CAUSE, evidence, "cpu")
