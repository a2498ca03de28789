"""volume-in-use-rwop: a ReadWriteOncePod claim, or a disk, is already used by another Pod.

What it means
    The access mode ReadWriteOncePod lets one Pod in the whole cluster use the claim. Another Pod has it. A rolling
    update waits for itself that way: the new Pod wants what the old one holds.

How it is recognised
    `PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod` in the scheduler's
    verdict: proved. `had no available disk` (NoDiskConflict) is the same for a disk that is mounted directly.

What to do
    Let the other Pod end. For a Deployment use `strategy: Recreate`, or a StatefulSet with a claim for each replica.

Limits
    Which Pod holds it is known only for Pods of the same controller.

References
    VolumeRestrictions, kube-scheduler 1.2 to 1.37; kubernetes.io "Persistent Volumes", access modes.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._claims import PodClaim, claims_of
from whypending.classifiers.unschedulable._owner import owner_of
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod

CAUSE = Cause("WP345", "volume-in-use-rwop", Triage.UNSCHEDULABLE)
MODE = "ReadWriteOncePod"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    claims = [c for c in claims_of(evidence) if c.claim and MODE in c.claim.spec.access_modes]
    yield CAUSE.finding(
        sentence(f"{_message(evidence, this, claims)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(_cite(c) for c in claims)),
        remedies=_remedies(evidence, this, claims),
    )


def _message(evidence: Evidence, this: Told, claims: list[PodClaim]) -> str:
    if "disk" in this.facts("conflict"):
        return f"{this.subject} already {this.verb('has', 'have')} the disk of {this.pod.ref} in use by another Pod"
    refs = names([c.ref for c in claims]) or "A claim"
    held = names([p.ref for p in _holders(evidence, claims)]) or "another Pod"
    return f"{refs} may be used by one Pod only (ReadWriteOncePod), and {held} has it, so {this.pod.ref} waits"


def _holders(evidence: Evidence, claims: list[PodClaim]) -> Iterator[Pod]:
    wanted = {c.name for c in claims}
    for pod in seen(evidence.siblings):
        used = {v.persistent_volume_claim.claim_name for v in pod.spec.volumes if v.persistent_volume_claim}
        if pod.spec.node_name and used & wanted:
            yield pod


def _cite(claim: PodClaim) -> Citation:
    modes = ", ".join(claim.claim.spec.access_modes) if claim.claim else ""
    return Citation(object=claim.ref, field="spec.accessModes", value=modes)


def _remedies(evidence: Evidence, this: Told, claims: list[PodClaim]) -> Iterator[Remedy]:
    space = shlex.quote(this.pod.namespace)
    for claim in claims[:1]:
        command = f"kubectl -n {space} describe pvc {shlex.quote(claim.name)}"
        yield look('See which Pods use it ("Used By").', command)
    owner = owner_of(evidence, this.pod)
    if owner.kind == "Deployment":
        patch = '{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}'
        text = f"Let {owner.ref} end the old Pod before it makes the new one."
        yield change(text, f"{owner.kubectl('patch')} --type=merge -p {shlex.quote(patch)}", patch)
    yield change("Let the Pod that has it end, or give each Pod a claim of its own.")
