"""no-default-storage-class: the claim names no StorageClass and none is the default.

What it means
    A claim without `storageClassName` gets the cluster's default class. This cluster has none, so nobody makes a
    volume, and no free PersistentVolume without a class fits.

How it is recognised
    The claim's Event `no persistent volumes available for this claim and no storage class is set`: proved. Without
    that Event: the claim has no class and the StorageClasses were read and none is marked default: likely.

What to do
    Mark a class as the default (an existing claim then gets it too, from 1.26 on), or make the claim again with a
    class of its own. Or create a PersistentVolume that fits.

Limits
    `storageClassName: ""` asks for a volume without class on purpose: then only a PersistentVolume helps.

References
    persistentvolume-controller; annotation `storageclass.kubernetes.io/is-default-class`; kubernetes.io "Change the
    default StorageClass".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._claims import PodClaim, cite_claim_event, events_of
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._verdict import verdict_of
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.classifiers.unschedulable.pvc_unbound import unbound
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, Gap, seen
from whypending.objects.event import Event

CAUSE = Cause("WP324", "no-default-storage-class", Triage.UNSCHEDULABLE, refines=("pvc-unbound",))
WORDS = "no storage class is set"
NOTE = "storageclass.kubernetes.io/is-default-class"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """One finding a claim."""
    verdict = verdict_of(evidence)
    if verdict is None or not (told(evidence, "pvc-unbound") or told(evidence, CAUSE.name)):
        return
    for claim in unbound(evidence):
        event = next((e for e in reversed(events_of(evidence, claim, "FailedBinding")) if WORDS in e.text), None)
        if claim.class_name or (event is None and not _has_no_default(evidence, claim)):
            continue
        yield CAUSE.finding(
            sentence(_message(evidence, claim)),
            confidence=Confidence.PROVED if event else Confidence.LIKELY,
            citations=(*claim.cite(), *_event(event, claim), *_classes(evidence)),
            remedies=_remedies(evidence, claim),
        )


def _has_no_default(evidence: Evidence, claim: PodClaim) -> bool:
    if claim.claim is None or claim.class_name is not None or isinstance(evidence.storage_classes, Gap):
        return False
    return not any(c.is_default for c in evidence.storage_classes)


def _message(evidence: Evidence, claim: PodClaim) -> str:
    who = f"{claim.ref} of {evidence.the_pod.ref}" if evidence.the_pod else claim.ref
    if claim.class_name == "":
        return f'{who} asks for a volume without a StorageClass (""), and no such PersistentVolume is free'
    return f"{who} names no StorageClass, the cluster has no default, and no PersistentVolume without a class fits"


def _event(event: Event | None, claim: PodClaim) -> Iterator[Citation]:
    if event is not None:
        yield cite_claim_event(event, claim)


def _classes(evidence: Evidence) -> Iterator[Citation]:
    for class_ in seen(evidence.storage_classes)[:3]:
        value = class_.metadata.annotations.get(NOTE, "absent")
        yield Citation(object=class_.ref, field=f"metadata.annotations[{NOTE}]", value=value)


def _remedies(evidence: Evidence, claim: PodClaim) -> Iterator[Remedy]:
    classes = [c.name for c in seen(evidence.storage_classes)]
    if claim.class_name is None and classes:
        have = names(classes)
        command = f"kubectl annotate storageclass {shlex.quote(classes[0])} {NOTE}=true"
        yield change(
            f"Mark a StorageClass as the default (there {'is' if len(classes) == 1 else 'are'} {have}).", command
        )
    elif claim.class_name is None:
        yield look("List the StorageClasses.", "kubectl get storageclass")
        yield change(f"Mark one as the default with the annotation {NOTE}=true, or install a provisioner.")
    yield change(f"Or delete {claim.ref} and create it again with a storageClassName that exists.")
    yield change("Or create a PersistentVolume that fits the claim.")
