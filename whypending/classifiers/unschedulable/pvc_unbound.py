"""pvc-unbound: a claim with immediate binding is not bound.

What it means
    The Pod's claim has no volume yet, and its class does not wait for a Pod. Until some volume is bound to it the
    Pod can't be scheduled on any node. The trouble is the claim's, not the nodes'.

How it is recognised
    `pod has unbound immediate PersistentVolumeClaims`, `didn't find available persistent volumes to bind` or a missing
    StorageClass in the scheduler's verdict: proved. The claim's phase, its class and its newest
    `ProvisioningFailed` or `FailedBinding` Event are quoted.

What to do
    Do what the claim's Event says: name a class that exists, repair the provisioner, or make a matching volume.

Limits
    The provisioner's own log is not read. Causes of their own: no-default-storage-class, csi-driver-missing.

References
    VolumeBinding, kube-scheduler 1.9 to 1.37; persistentvolume-controller; kubernetes.io "Storage Classes".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._claims import (
    NO_PROVISIONER,
    PodClaim,
    cite_claim_event,
    claims_of,
    class_of,
    events_of,
    provisioner_of,
    refs_of,
)
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, Gap, seen
from whypending.objects.event import Event

CAUSE = Cause("WP322", "pvc-unbound", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    claims = unbound(evidence)
    events = [(c, e) for c in claims for e in events_of(evidence, c, "ProvisioningFailed", "FailedBinding")[-1:]]
    yield CAUSE.finding(
        sentence(f"{_message(evidence, this, claims, events)}{this.tail}"),
        confidence=this.confidence if claims or not claims_of(evidence) else Confidence.LIKELY,
        role=this.role,
        citations=(
            *this.citations,
            *(citation for c in claims for citation in c.cite()),
            *(cite_claim_event(e, c) for c, e in events),
        ),
        remedies=_remedies(evidence, this, claims),
    )


def unbound(evidence: Evidence) -> tuple[PodClaim, ...]:
    """The Pod's claims that are known not to be bound; all of them where none was read."""
    claims = claims_of(evidence)
    read = [c for c in claims if c.claim is not None]
    return tuple(c for c in read if not c.is_bound) if read else claims


def _message(evidence: Evidence, this: Told, claims: tuple[PodClaim, ...], events: list[tuple[PodClaim, Event]]) -> str:
    pod, refs = this.pod.ref, refs_of(claims)
    if not claims and claims_of(evidence):
        return f"The scheduler found a claim of {pod} not bound, though all of them are bound now"
    is_one = len(claims) == 1 or refs.startswith("one of")
    which = f"{refs} of {pod} {'is' if is_one else 'are'} not bound" if refs else f"A claim of {pod} is not bound"
    missing = _missing_class(evidence, this, claims)
    if missing:
        return f"{which}: StorageClass {missing} does not exist"
    if events:
        return f"{which}: {events[0][1].text.rstrip('. ')}"
    manual = [c for c in claims if provisioner_of(evidence, c) == NO_PROVISIONER or c.class_name == ""]
    if "no-matching-volume" in this.facts("binding"):
        return f"{which}: no free PersistentVolume fits on {this.subject}"
    if manual:
        return f"{which}: nothing provisions its class, and no matching PersistentVolume is free"
    return which


def _missing_class(evidence: Evidence, this: Told, claims: tuple[PodClaim, ...]) -> str:
    if "StorageClass" in this.facts("missing"):
        return this.fact("storageClass")
    if isinstance(evidence.storage_classes, Gap):
        return ""
    named = [c for c in claims if c.class_name and class_of(evidence, c) is None]
    told_so = [c for c in named for e in events_of(evidence, c, "ProvisioningFailed")[-1:] if "not found" in e.text]
    return (told_so[0].class_name or "") if told_so else ""


def _remedies(evidence: Evidence, this: Told, claims: tuple[PodClaim, ...]) -> Iterator[Remedy]:
    space = shlex.quote(this.pod.namespace)
    for claim in claims[:2]:
        yield look("Read the claim's Events.", f"kubectl -n {space} describe pvc {shlex.quote(claim.name)}")
    missing = _missing_class(evidence, this, claims)
    classes = [c.name for c in seen(evidence.storage_classes)]
    if missing:
        have = f"; there {'is' if len(classes) == 1 else 'are'} {names(classes)}" if classes else ""
        yield change(f"Create StorageClass {missing}, or make the claim again with one that exists{have}.")
    else:
        yield change("Repair the provisioner that the class names, or create a PersistentVolume that fits the claim.")
