"""control-plane-taint: the taint is the one that keeps ordinary Pods off control-plane nodes.

What it means
    These nodes run the control plane and are closed to workloads on purpose. They do not count as room for the Pod.

How it is recognised
    The taint `node-role.kubernetes.io/control-plane` (`…/master` up to 1.24), named by the scheduler or found on the
    Nodes: proved, or likely where the counts differ.

What to do
    In a cluster with workers: look at the other reasons. In a cluster whose only nodes are these (one machine, a
    laptop), take the taint off, or add a worker.

Limits
    None known.

References
    TaintToleration; kubeadm "Control plane node isolation".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.unschedulable._node_taints import named, remove_taint
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import sentence, unique
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP308", "control-plane-taint", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    which = named(unique(n.name for g in this.taints for n in g.nodes))
    verb = this.verb("is a control-plane node", "are control-plane nodes")
    closed = this.verb("is", "are")
    yield CAUSE.finding(
        sentence(f"{this.subject}{which} {verb} and {closed} closed to {this.pod.ref} by taint{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=this.citations,
        remedies=_remedies(this),
    )


def _remedies(this: Told) -> Iterator[Remedy]:
    yield change("Add a worker node.")
    if this.count == this.total:
        yield from (remove_taint(g) for g in this.taints if g.nodes)
