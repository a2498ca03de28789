"""pvc-not-found: a claim of the Pod does not exist (any more).

What it means
    A volume of the Pod names a PersistentVolumeClaim that is not in its namespace, or that is being deleted. Nothing
    is scheduled until the claim is there.

How it is recognised
    `persistentvolumeclaim "x" not found` or `… is being deleted` in the scheduler's verdict: proved. A claim
    that exists by now, or has a deletionTimestamp, is said so.

What to do
    Create the claim, or correct the claim's name in the workload. A claim that is being deleted must be gone before
    it can be made again.

Limits
    A claim in another namespace can't be used, and is not looked for.

References
    VolumeBinding PreFilter, kube-scheduler 1.5 to 1.37; kubernetes.io "Persistent Volumes".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._claims import PodClaim, claim_named
from whypending.classifiers.unschedulable._owner import edited
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP323", "pvc-not-found", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """One finding a claim."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    for name in this.facts("claim") or ("",):
        claim = claim_named(evidence, name)
        yield CAUSE.finding(
            sentence(f"{_message(this, name, claim)}{this.tail}"),
            confidence=Confidence.LIKELY if claim and claim.claim and not _deleting(claim) else this.confidence,
            role=this.role,
            citations=(*this.citations, *_cite(this, name, claim)),
            remedies=_remedies(evidence, this, name, claim),
        )


def _deleting(claim: PodClaim | None) -> bool:
    return claim is not None and claim.claim is not None and claim.claim.metadata.deletion_timestamp is not None


def _message(this: Told, name: str, claim: PodClaim | None) -> str:
    pod, ref = (
        this.pod.ref,
        f"PersistentVolumeClaim {this.pod.namespace}/{name.rpartition('/')[2]}" if name else "A claim",
    )
    if _deleting(claim) or "being-deleted" in this.facts("state"):
        return f"{ref}, which {pod} needs, is being deleted"
    if "not-created-yet" in this.facts("state"):
        return f"{ref} for an ephemeral volume of {pod} has not been created yet"
    if claim is not None and claim.claim is not None:
        return f"The scheduler did not find {ref} for {pod}, though it exists now"
    return f"{ref}, which {pod} needs, does not exist"


def _cite(this: Told, name: str, claim: PodClaim | None) -> Iterator[Citation]:
    if claim is None:
        return
    field = f"spec.volumes[name={claim.volume}].persistentVolumeClaim.claimName"
    yield Citation(object=this.pod.ref, field=field, value=name.rpartition("/")[2])
    if claim.claim is not None and _deleting(claim):
        at = claim.claim.metadata.deletion_timestamp
        yield Citation(object=claim.ref, field="metadata.deletionTimestamp", value=str(at), at=at)


def _remedies(evidence: Evidence, this: Told, name: str, claim: PodClaim | None) -> Iterator[Remedy]:
    space, short = shlex.quote(this.pod.namespace), name.rpartition("/")[2]
    yield look("List the claims of the namespace.", f"kubectl -n {space} get pvc")
    if claim is not None and claim.claim is not None:
        yield look("See its state and who still uses it.", f"kubectl -n {space} describe pvc {shlex.quote(short)}")
        return
    yield edited(evidence, this.pod, "Correct the claim's name, if it is misspelt,")
    yield change(f"Create the claim{f' {short}' if short else ''} in namespace {this.pod.namespace}.")
