"""untolerated-taint: nodes carry a taint that the Pod does not tolerate.

What it means
    Somebody marked the nodes for certain Pods only, with a taint; this Pod has no matching toleration.

How it is recognised
    `untolerated taint` in the scheduler's verdict: proved. Up to 1.34.1 the text names the taint; from 1.34.2 on it
    is found in `spec.taints` of the Nodes and `spec.tolerations` of the Pod: proved where as many nodes have one as
    the scheduler counts, likely otherwise. Well-known taints (control plane, not-ready, pressure …) have causes of
    their own.

What to do
    If the Pod belongs on those nodes, add the toleration to its workload. If nothing needs the taint any more, take
    it off. Else add nodes without it.

Limits
    Where the Nodes can't be read and the text has no key, the taint stays unnamed.

References
    TaintToleration, kube-scheduler 1.2 to 1.37; kubernetes.io "Taints and Tolerations".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._node_taints import TAINTS, named, remove_taint, tolerate
from whypending.classifiers.unschedulable._taints import TaintGroup, spelled
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import nodes, plural, sentence
from whypending.diagnosis import Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen

CAUSE = Cause("WP307", "untolerated-taint", Triage.UNSCHEDULABLE)
_SCALING_DOWN = ("ToBeDeletedByClusterAutoscaler", "karpenter.sh/disrupted", "karpenter.sh/disruption")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """One finding a taint."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    for index, group in enumerate(this.taints):
        tail = this.tail if index == 0 else ""
        yield CAUSE.finding(
            sentence(f"{_message(this, group, has_nodes=bool(seen(evidence.nodes)))}{tail}"),
            confidence=this.confidence if group.is_proved or not group.taint.key else Confidence.LIKELY,
            role=this.role,
            citations=(*this.verdict.citations, *group.citations),
            remedies=_remedies(evidence, this, group),
        )


def _message(this: Told, group: TaintGroup, *, has_nodes: bool) -> str:
    subject, verb = nodes(group.count, this.total), plural(group.count, "has", "have")
    if not group.taint.key:
        none = ", and no Node that was read has one now" if has_nodes else ""
        return f"{subject} {verb} a taint that {this.pod.ref} does not tolerate; the scheduler does not name it{none}"
    which = named(n.name for n in group.nodes)
    return f"{subject}{which} {verb} the taint {spelled(group.taint)}, which {this.pod.ref} does not tolerate"


def _remedies(evidence: Evidence, this: Told, group: TaintGroup) -> Iterator[Remedy]:
    if not group.taint.key:
        yield look("See the taints of all nodes.", TAINTS)
        return
    if group.taint.key.startswith(_SCALING_DOWN):
        yield change("Wait for a new node: the autoscaler is taking this one away.")
        return
    yield tolerate(evidence, this.pod, group.taint)
    if group.nodes:
        yield remove_taint(group)
    yield change("Or add nodes without the taint.")
