"""pod-affinity: required pod affinity matches no node.

What it means
    The Pod must run beside Pods of certain labels (same node, same zone …), and the refused nodes hold none of them,
    or lack the topology label.

How it is recognised
    `didn't match pod affinity rules` in the scheduler's verdict: proved. The required terms are quoted, and nodes
    without the topology label are named where the Nodes could be read.

What to do
    Start the Pods that it wants to be near, correct the selector or the namespaces, or make the rule preferred.

Limits
    Whether such Pods exist elsewhere is not listed here.

References
    InterPodAffinity, kube-scheduler 1.4 to 1.37; kubernetes.io "Inter-pod affinity and anti-affinity".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.unschedulable._owner import edited
from whypending.classifiers.unschedulable._terms import list_command, show_term
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod, PodAffinityTerm

CAUSE = Cause("WP344", "pod-affinity", Triage.UNSCHEDULABLE)
FIELD = "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    terms = _terms(this.pod)
    cited = (
        Citation(object=this.pod.ref, field=f"{FIELD}[{i}]", value=show_term(t, this.pod)) for i, t in enumerate(terms)
    )
    yield CAUSE.finding(
        sentence(f"{_message(evidence, this, terms)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *cited),
        remedies=_remedies(evidence, this, terms),
    )


def _terms(pod: Pod) -> tuple[PodAffinityTerm, ...]:
    affinity = pod.spec.affinity
    return affinity.pod_affinity.required if affinity and affinity.pod_affinity else ()


def _message(evidence: Evidence, this: Told, terms: tuple[PodAffinityTerm, ...]) -> str:
    bare = [t.topology_key for t in terms if _none_has(evidence, t.topology_key)]
    if bare:
        return f"No node carries the label {bare[0]} that the pod affinity of {this.pod.ref} is measured by"
    rules = f" ({names([show_term(t, this.pod) for t in terms])})" if terms else ""
    return f"{this.subject} {this.verb('holds', 'hold')} no Pod of those that {this.pod.ref} must run beside{rules}"


def _none_has(evidence: Evidence, key: str) -> bool:
    nodes = seen(evidence.nodes)
    return bool(nodes) and not any(key in n.metadata.labels for n in nodes)


def _remedies(evidence: Evidence, this: Told, terms: tuple[PodAffinityTerm, ...]) -> Iterator[Remedy]:
    for command in list_command(terms, this.pod):
        yield look("See whether the Pods that it wants to be near run at all, and where.", command)
    yield edited(evidence, this.pod, "Correct the pod affinity, or make it a preferred one")
