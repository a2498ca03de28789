"""insufficient-resources-unspecified: the scheduler says that resources are short, but not which.

What it means
    A scheduler that is not kube-scheduler, or a very old one, has found too little of something and does not name
    it.

How it is recognised
    Texts such as `node(s) resource fit failed` (Volcano) or `PodFitsResources` in the verdict: proved that resources
    are short. Which one is named as likely only where the Nodes show a single request that no node can hold.

What to do
    Compare the Pod's requests with what the nodes have left, then add a node or lower the request.

Limits
    What is left on each node is not added up here.

References
    Volcano predicates; kube-scheduler up to 1.9; kubernetes.io "Resource Management for Pods and Containers".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._candidates import Size, size_of
from whypending.classifiers.unschedulable._owner import edited
from whypending.classifiers.unschedulable._resources import ALLOCATED
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.quantity import show
from whypending.objects.requests import requests_of

CAUSE = Cause(
    "WP304", "insufficient-resources-unspecified", Triage.UNSCHEDULABLE, explained_by=("preemption-in-progress",)
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    sizes = [size_of(evidence, this.pod, r) for r in requests_of(this.pod.spec)]
    never = [s for s in sizes if s.fits_none]
    yield CAUSE.finding(
        sentence(f"{_message(this, sizes, never)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(s.cite(s.largest) for s in never if s.largest)),
        remedies=(
            look("See what is requested on each node.", ALLOCATED),
            change("Add a node that can hold the Pod."),
            edited(evidence, this.pod, "Lower the requests"),
        ),
    )


def _message(this: Told, sizes: list[Size], never: list[Size]) -> str:
    if never and never[0].largest:
        size, largest = never[0], never[0].largest
        offer = show(size.resource, size.of(largest))
        return (
            f"{this.pod.ref} asks for {size.show(size.asked)}, more than any node has (the largest, {largest.name},"
            f" {offer}); the scheduler says only that resources are short"
        )
    asked = ", ".join(s.show(s.asked) for s in sizes if s.asked)
    wanted = f", which asks for {asked}" if asked else ""
    short = f"{this.subject} {this.verb('has', 'have')} too little of some resource"
    return f"{short} for {this.pod.ref}{wanted}; the scheduler says only: {this.words.rstrip('. ')}"
