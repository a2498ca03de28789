"""stale-nominated-node: status.nominatedNodeName is left over from a preemption that no longer helps.

What it means
    The scheduler once chose a node for this Pod and evicted others there, but the Pod did not get it: the node went
    away, was cordoned, or somebody else took the room. The name stays in the status and reserves room for nothing.

How it is recognised
    `status.nominatedNodeName` names a Node that does not exist or is cordoned (likely), or the verdict has stood for
    more than ten minutes since and no victim is being waited for (possible).

What to do
    Look at the other reasons. Recreating the Pod clears the name.

Limits
    A nomination by an external component (1.35 on) looks alike.

References
    Pod status `nominatedNodeName`; DefaultPreemption; kubernetes.io "Pod Priority and Preemption".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.unschedulable._nominated import FRESH, said_in_tail, since_verdict
from whypending.classifiers.unschedulable._owner import replaced
from whypending.classifiers.unschedulable._verdict import verdict_of
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Confidence, Finding, Role, Triage
from whypending.evidence import Evidence, Gap

CAUSE = Cause("WP328", "stale-nominated-node", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding, contributing."""
    pod, verdict = evidence.the_pod, verdict_of(evidence)
    node = pod.status.nominated_node_name if pod else ""
    if pod is None or verdict is None or not node or said_in_tail(verdict, "preemption-in-progress"):
        return
    why = _why(evidence, node)
    age = since_verdict(evidence, verdict)
    if not why and (age is None or age <= FRESH):
        return
    minutes = int(age.total_seconds() // 60) if age else 0
    yield CAUSE.finding(
        sentence(f"{pod.ref} still has node {node} nominated, {why or f'though it was refused {minutes} minutes ago'}"),
        confidence=Confidence.LIKELY if why else Confidence.POSSIBLE,
        role=Role.CONTRIBUTING,
        citations=(Citation(object=pod.ref, field="status.nominatedNodeName", value=node), *verdict.citations),
        remedies=(
            look("Look at that node.", f"kubectl describe node {shlex.quote(node)}"),
            replaced(pod, "If the name reserves room that others need, delete the Pod"),
        ),
    )


def _why(evidence: Evidence, name: str) -> str:
    if isinstance(evidence.nodes, Gap):
        return ""
    node = next((n for n in evidence.nodes if n.name == name), None)
    if node is None:
        return "which does not exist any more"
    return "which is cordoned now" if node.spec.unschedulable else ""
