"""node-pid-pressure: node is under PID pressure.

What it means
    The node has nearly run out of process ids: some Pod or service makes too many processes or threads.

How it is recognised
    The taint `node.kubernetes.io/pid-pressure`, named by the scheduler or found on the Nodes, or `had PID pressure`
    in older texts. The Node's PIDPressure condition is quoted beside it.

What to do
    Find the Pod that makes the processes, limit it (kubelet `podPidsLimit`), or raise the node's `kernel.pid_max`.

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

CAUSE = Cause("WP343", "node-pid-pressure", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    yield from node_trouble(CAUSE, evidence, ("PIDPressure", "True"), _message, _remedies)


def _message(this: Told, which: str) -> str:
    verb = this.verb("is", "are")
    return f"{this.subject}{which} {verb} under PID pressure, so {this.pod.ref} can't go there"


def _remedies(node: str) -> Iterable[Remedy]:
    yield describe(node)
    yield change("End the Pod that makes too many processes, or limit it with podPidsLimit; the taint goes by itself.")
