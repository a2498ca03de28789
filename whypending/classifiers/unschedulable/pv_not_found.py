"""pv-not-found: the claim is bound to a PersistentVolume that no longer exists.

What it means
    The claim says which volume it has, and that PersistentVolume object is gone: somebody deleted it. The claim's
    phase is, or becomes, Lost. Its data may still exist in the storage backend.

How it is recognised
    `bound to non-existent persistentvolume "x"` or `bound to non-existent pv(s)` in the scheduler's verdict: proved.

What to do
    Re-create the PersistentVolume for the same backend volume if its data matters; else delete the claim and make it
    again, which gives an empty volume.

Limits
    Whether the backend volume still exists is not known to the API server.

References
    VolumeBinding PreFilter, kube-scheduler 1.9 to 1.37; persistentvolume-controller (phase Lost).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._claims import PodClaim, claims_of, volume_of
from whypending.classifiers.unschedulable._owner import made_anew
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence, Gap

CAUSE = Cause("WP347", "pv-not-found", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    claim = _which(evidence, this)
    yield CAUSE.finding(
        sentence(f"{_message(this, claim)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *_cite(claim)),
        remedies=_remedies(evidence, this, claim),
    )


def _which(evidence: Evidence, this: Told) -> PodClaim | None:
    claims, named = claims_of(evidence), this.fact("claim").rpartition("/")[2]
    lost = [c for c in claims if c.claim is not None and c.claim.status.phase == "Lost"]
    gone = (
        [] if isinstance(evidence.volumes, Gap) else [c for c in claims if c.claim and volume_of(evidence, c) is None]
    )
    bound = [c for c in gone if c.claim and c.claim.spec.volume_name]
    only = claims if len(claims) == 1 else ()
    return next(iter([*(c for c in claims if named and c.name == named), *lost, *bound, *only]), None)


def _message(this: Told, claim: PodClaim | None) -> str:
    read = claim.claim.spec.volume_name if claim and claim.claim else ""
    volume = this.fact("volume") or read
    which = f"PersistentVolume {volume}" if volume else "a PersistentVolume"
    return f"{claim.ref if claim else 'A claim'} of {this.pod.ref} is bound to {which}, which no longer exists"


def _cite(claim: PodClaim | None) -> Iterator[Citation]:
    if claim is not None and claim.claim is not None:
        yield Citation(object=claim.ref, field="spec.volumeName", value=claim.claim.spec.volume_name)
        yield Citation(object=claim.ref, field="status.phase", value=claim.claim.status.phase)


def _remedies(evidence: Evidence, this: Told, claim: PodClaim | None) -> Iterator[Remedy]:
    space = shlex.quote(this.pod.namespace)
    if claim is None:
        yield look("See which claim is Lost.", f"kubectl -n {space} get pvc")
        return
    yield change(
        "Re-create the PersistentVolume under the same name for the same backend volume, with a claimRef to the claim."
    )
    yield from made_anew(evidence, claim, "for it")
