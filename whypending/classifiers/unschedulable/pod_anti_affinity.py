"""pod-anti-affinity: required pod anti-affinity excludes the nodes.

What it means
    The Pod refuses to share a node (or zone …) with Pods of certain labels, often its own siblings; or a Pod that
    already runs there refuses this one. With one domain for each replica, one replica too many stays Pending.

How it is recognised
    `didn't match pod anti-affinity rules` or `didn't satisfy existing pods anti-affinity rules` in the scheduler's
    verdict: proved. The Pod's own required terms are quoted; its siblings that meet them are counted.

What to do
    Add nodes (domains), lower the replicas, or turn the rule into a preferred one.

Limits
    For rules of other Pods, the text does not say whose they are.

References
    InterPodAffinity, kube-scheduler 1.4 to 1.37; kubernetes.io "Inter-pod affinity and anti-affinity".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._owner import edited
from whypending.classifiers.unschedulable._terms import list_command, matching_siblings, show_term
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import held_by, names, sentence, unique
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod, PodAffinityTerm

CAUSE = Cause("WP316", "pod-anti-affinity", Triage.UNSCHEDULABLE)
FIELD = "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    terms = _terms(this.pod)
    by_others = not any("existing" not in r.text.lower() for r in this.reasons)
    own = () if by_others else terms
    yield CAUSE.finding(
        sentence(f"{_message(evidence, this, own, by_others=by_others)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(_cite(this.pod, i, t) for i, t in enumerate(own))),
        remedies=_remedies(evidence, this, own),
    )


def _terms(pod: Pod) -> tuple[PodAffinityTerm, ...]:
    affinity = pod.spec.affinity
    return affinity.pod_anti_affinity.required if affinity and affinity.pod_anti_affinity else ()


def _cite(pod: Pod, index: int, term: PodAffinityTerm) -> Citation:
    return Citation(object=pod.ref, field=f"{FIELD}[{index}]", value=show_term(term, pod))


def _vague(this: Told) -> str:
    return f"Pod anti-affinity keeps {this.pod.ref} off {this.subject}: {this.words}"


def _message(evidence: Evidence, this: Told, own: tuple[PodAffinityTerm, ...], *, by_others: bool) -> str:
    if not own:
        them = f"{this.pod.ref} by their own required anti-affinity rules"
        return f"Pods that already run on {this.subject} refuse {them}" if by_others else _vague(this)
    rules = names([show_term(t, this.pod) for t in own])
    near = tuple({p.name: p.spec.node_name for t in own for p in matching_siblings(evidence, t)}.items())
    run = ("runs", "run")
    siblings = f"; {held_by([n for n, _ in near], unique(p for _, p in near), 'its', run)}" if near else ""
    holds = f"{this.subject} already {this.verb('holds', 'hold')} a Pod"
    return f"{holds} that {this.pod.ref} must not share with ({rules}){siblings}"


def _remedies(evidence: Evidence, this: Told, own: tuple[PodAffinityTerm, ...]) -> Iterator[Remedy]:
    for command in list_command(own[:1], this.pod):
        yield look("See which Pods the rule speaks of, and where they run.", command)
    keys = unique(t.topology_key for t in own)
    zones = [k for k in keys if k != "kubernetes.io/hostname"]
    other = f" with another value of {names(zones)}" if zones else ""
    fewer = ", or run fewer replicas" if this.pod.metadata.controller else ""
    yield change(f"Add a node{other}{fewer}.")
    if own:
        yield edited(evidence, this.pod, "Turn the required anti-affinity into a preferred one")
