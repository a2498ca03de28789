"""preemption-in-progress: a node is nominated; its victims are still terminating, or a disruption budget holds them.

What it means
    The scheduler has chosen Pods of lower priority to make room for this one, and waits for them to end. That takes
    their terminationGracePeriodSeconds, or longer if a finalizer or a slow preStop holds them.

How it is recognised
    `not eligible due to a terminating pod on the nominated node` or `waiting for the preemption for this pod to be
    finished` in the verdict: proved. `status.nominatedNodeName` alone, with a verdict of the last ten minutes
    that has no preemption tail: likely.

What to do
    Wait for the victims to end. If one does not, find out why (finalizer, grace period, dead kubelet).

Limits
    Which Pods are the victims is in their own Events (`Preempted`), not in this Pod's.

References
    DefaultPreemption, kube-scheduler 1.22 to 1.37; kubernetes.io "Pod Priority and Preemption".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._nominated import FRESH, said_in_tail, since_verdict
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._verdict import verdict_of
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, Gap

CAUSE = Cause("WP348", "preemption-in-progress", Triage.UNSCHEDULABLE)
FIELD = "status.nominatedNodeName"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    pod, verdict = evidence.the_pod, verdict_of(evidence)
    if pod is None or verdict is None:
        return
    node = pod.status.nominated_node_name
    said = bool(said_in_tail(verdict, CAUSE.name) or told(evidence, CAUSE.name))
    age = since_verdict(evidence, verdict)
    fresh = age is not None and age <= FRESH and not verdict.message.preemption
    if not said and not (node and fresh and _is_usable(evidence, node)):
        return
    where = f" on node {node}" if node else ""
    yield CAUSE.finding(
        sentence(f"The scheduler is making room for {pod.ref}{where} by preemption and waits for the victims to end"),
        confidence=Confidence.PROVED if said else Confidence.LIKELY,
        citations=(*verdict.citations, *((Citation(object=pod.ref, field=FIELD, value=node),) if node else ())),
        remedies=_remedies(node),
    )


def _is_usable(evidence: Evidence, name: str) -> bool:
    return isinstance(evidence.nodes, Gap) or any(n.name == name and not n.spec.unschedulable for n in evidence.nodes)


def _remedies(node: str) -> Iterator[Remedy]:
    if node:
        selector = f"--field-selector spec.nodeName={shlex.quote(node)}"
        yield look("See which Pods on that node are Terminating.", f"kubectl get pods -A {selector}")
    yield change("Wait for the victims' grace period; if one does not end, look for its finalizers and its kubelet.")
