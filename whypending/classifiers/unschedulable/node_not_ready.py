"""node-not-ready: nodes are tainted not-ready; the cause sits on the node.

What it means
    The kubelet reports that it can't run Pods: most often the network plugin (CNI) is not set up, or the container
    runtime does not answer.

How it is recognised
    The taint `node.kubernetes.io/not-ready` (or `were not ready` in texts up to 1.12), named by the scheduler or
    found on the Nodes. The Node's Ready condition, quoted beside it, holds the kubelet's own words.

What to do
    Read the Ready condition's message and repair what it names: the CNI's DaemonSet, the runtime, the kubelet.

Limits
    A node is not-ready for some seconds after it joined; that passes.

References
    Node lifecycle controller; kubernetes.io "Node conditions"; "Network Plugins".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.unschedulable._node_taints import describe, node_trouble, nodes_with
from whypending.classifiers.unschedulable._told import Told
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP341", "node-not-ready", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    told_why = next((c.message for _, c in nodes_with(evidence, "Ready", "False") if c.message), "")

    def message(this: Told, which: str) -> str:
        why = f": {told_why.rstrip('. ')}" if told_why else ""
        verb = this.verb("is", "are")
        return f"{this.subject}{which} {verb} not ready, so {this.pod.ref} can't go there{why}"

    yield from node_trouble(CAUSE, evidence, ("Ready", "False"), message, _remedies)


def _remedies(node: str) -> Iterable[Remedy]:
    yield describe(node)
    yield change("Repair what the Ready condition names (network plugin, runtime, kubelet); the taint goes by itself.")
