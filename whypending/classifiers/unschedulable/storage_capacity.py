"""storage-capacity: no CSIStorageCapacity leaves a topology with room for the claim.

What it means
    The claim waits for a node to be chosen. The CSI driver publishes how much storage is left for each class and
    place; nowhere that the Pod could run is there enough.

How it is recognised
    `did not have enough free storage` in the scheduler's verdict: proved. What the claim asks for is quoted.

What to do
    Ask for less, add storage, or run where there is some. If the numbers are wrong, the driver's provisioner does not
    refresh them.

Limits
    The CSIStorageCapacity objects are not read here; their sum per place is what the scheduler compares.

References
    VolumeBinding, kube-scheduler 1.19 to 1.37; kubernetes.io "Storage Capacity".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._claims import PodClaim
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.classifiers.unschedulable.pvc_unbound import unbound
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP346", "storage-capacity", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    claims = unbound(evidence)
    asked = names([f"{_size(c)} for {c.ref}" if _size(c) else c.ref for c in claims])
    short = f"{this.subject} {this.verb('has', 'have')} too little free storage for {this.pod.ref}"
    yield CAUSE.finding(
        sentence(f"{short}: {asked}{this.tail}" if asked else f"{short}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(_cite(c) for c in claims if _size(c))),
        remedies=(
            look("See what the driver says is left.", "kubectl get csistoragecapacities -A"),
            change("Add storage to the driver's pool, or create the claim again with a smaller size."),
        ),
    )


def _size(claim: PodClaim) -> str:
    return str(claim.claim.spec.resources.requests.get("storage", "")) if claim.claim else ""


def _cite(claim: PodClaim) -> Citation:
    return Citation(object=claim.ref, field="spec.resources.requests.storage", value=_size(claim))
