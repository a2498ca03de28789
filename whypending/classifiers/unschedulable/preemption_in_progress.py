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
    The victims are the Pods of lower priority on that node that are being ended; which of them the scheduler chose is
    in their own Events (`Preempted`), not in this Pod's.

References
    DefaultPreemption, kube-scheduler 1.22 to 1.37; kubernetes.io "Pod Priority and Preemption".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import timedelta

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.unschedulable._nominated import FRESH, said_in_tail, since_verdict
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._verdict import verdict_of
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.classifiers.words import age, field_citation
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, Gap, seen
from whypending.objects.pod import Pod

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
    victims = _victims(evidence, pod)
    yield CAUSE.finding(
        sentence(_message(evidence, pod, node, victims)),
        confidence=Confidence.PROVED if said else Confidence.LIKELY,
        citations=(
            *verdict.citations,
            *((Citation(object=pod.ref, field=FIELD, value=node),) if node else ()),
            *(_ending(v) for v in victims),
        ),
        remedies=_remedies(node, victims),
    )


def _victims(evidence: Evidence, pod: Pod) -> tuple[Pod, ...]:
    """Pods of lower priority on the nominated node that are being ended."""
    mine = pod.spec.priority or 0
    ending = (p for p in seen(evidence.neighbours) if p.metadata.deletion_timestamp is not None)
    return tuple(p for p in ending if (p.spec.priority or 0) < mine)


def _message(evidence: Evidence, pod: Pod, node: str, victims: tuple[Pod, ...]) -> str:
    where = f" on node {node}" if node else ""
    head = f"The scheduler is making room for {pod.ref}{where} by preemption and waits for"
    if not victims:
        return f"{head} the victims to end"
    last = max(victims, key=lambda v: v.metadata.deletion_timestamp or evidence.now)
    left = (last.metadata.deletion_timestamp or evidence.now) - evidence.now
    who = f"{head} {names([v.ref for v in victims])} to end"
    if left > timedelta():
        return f"{who}, which may take up to {age(left)} more"
    finalizers = names(last.metadata.finalizers)
    held = f"; {last.name} still has the finalizers {finalizers}" if finalizers else ""
    return f"{who}, which is overdue by {age(-left)}{held}"


def _ending(victim: Pod) -> Citation:
    return field_citation(victim, "metadata.deletionTimestamp", victim.metadata.deletion_timestamp)


def _is_usable(evidence: Evidence, name: str) -> bool:
    return isinstance(evidence.nodes, Gap) or any(n.name == name and not n.spec.unschedulable for n in evidence.nodes)


def _remedies(node: str, victims: tuple[Pod, ...]) -> Iterator[Remedy]:
    for victim in victims[:2]:
        command = f"kubectl -n {shlex.quote(victim.namespace)} describe pod {shlex.quote(victim.name)}"
        yield look(
            f"Wait for {victim.ref} to end; if it is late, see its finalizers and whether its kubelet works.", command
        )
    if node and not victims:
        selector = f"--field-selector spec.nodeName={shlex.quote(node)}"
        yield look("See which Pods on that node are Terminating.", f"kubectl get pods -A {selector}")
    if not victims:
        yield look("Wait for their grace period; if one does not end, look at its finalizers and its kubelet.")
