"""The Pod's volumes: what failed for which, and what stands behind a volume's name in an Event.

Forms of pkg/volume/util/operationexecutor and pkg/kubelet/volumemanager, Kubernetes 1.10 to 1.37: `PREFIX for volume
"NAME" …`, where NAME is the PersistentVolume's for a claim and the Pod's own volume name for all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from whypending.classifiers.words import newest
from whypending.evidence import Evidence, seen
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.objects.storage import PersistentVolumeClaim, StorageClass, VolumeAttachment
from whypending.patterns import Pattern

_NAMED = Pattern(r'for volume "([^"]+)"\s*:?\s*(.*)$', re.DOTALL)
_FIRST_CONSUMER = "WaitForFirstConsumer"
_SELECTED = "volume.kubernetes.io/selected-node"
_UNMOUNTED = Pattern(r"unmounted volumes=\[([^\]]*)\]")


class Failure(msgspec.Struct, frozen=True):
    """One Event about a volume: its name as the Event has it, and the words after it."""

    event: Event
    volume: str
    words: str


def failure(event: Event) -> Failure:
    """The Event taken apart; `volume` is "" where the text names none."""
    text = " ".join(event.text.split())
    if found := _NAMED.search(text):
        return Failure(event, found[1], found[2].rstrip(". "))
    found = _UNMOUNTED.search(text)
    return Failure(event, found[1].replace(" ", ", ") if found else "", text.rstrip(". "))


def is_summary(event: Event) -> bool:
    """The kubelet's periodic summary (`unmounted volumes=[…]`), which says which volumes wait but not why."""
    return _UNMOUNTED.search(event.text) is not None


def claims_of(pod: Pod) -> dict[str, str]:
    """Volume name → claim name, for claims that the Pod names and generic ephemeral ones (POD-VOLUME)."""
    named = {v.name: v.persistent_volume_claim.claim_name for v in pod.spec.volumes if v.persistent_volume_claim}
    return named | {v.name: f"{pod.name}-{v.name}" for v in pod.spec.volumes if v.ephemeral is not None}


def claims(evidence: Evidence) -> tuple[PersistentVolumeClaim, ...]:
    """The Pod's claims that were found."""
    pod = evidence.the_pod
    wanted = set(claims_of(pod).values()) if pod else set()
    return tuple(c for c in seen(evidence.claims) if c.name in wanted)


def claim_of(evidence: Evidence, volume: str) -> PersistentVolumeClaim | None:
    """The claim behind a PersistentVolume's (or the Pod's own volume's) name, if it was found."""
    pod = evidence.the_pod
    name = claims_of(pod).get(volume, "") if pod else ""
    return next((c for c in claims(evidence) if c.spec.volume_name == volume or c.name == name), None)


def named(evidence: Evidence, volume: str) -> str:
    """How a sentence names the volume: with its claim where that is known."""
    claim = claim_of(evidence, volume) if volume else None
    if claim is not None:
        return f"the volume of PersistentVolumeClaim {claim.namespace}/{claim.name}"
    return f'volume "{volume}"' if volume else "a volume"


def attachments(evidence: Evidence, volume: str) -> tuple[VolumeAttachment, ...]:
    """VolumeAttachments of that PersistentVolume."""
    return tuple(a for a in seen(evidence.attachments) if a.spec.source.persistent_volume_name == volume and volume)


class Waiting(msgspec.Struct, frozen=True):
    """A claim that binds only when a scheduler has chosen a node: proved by its class, or told by an Event."""

    claim: PersistentVolumeClaim
    storage_class: StorageClass | None
    event: Event | None


def waiting_claims(evidence: Evidence) -> Iterator[Waiting]:
    """The Pod's claims that wait for their first consumer and have no node chosen for them."""
    for claim in claims(evidence):
        if claim.status.phase != "Pending" or _SELECTED in claim.metadata.annotations:
            continue
        own = (s for s in seen(evidence.storage_classes) if s.name == claim.spec.storage_class_name)
        late = next((s for s in own if s.volume_binding_mode == _FIRST_CONSUMER), None)
        event = newest(tuple(e for e in seen(evidence.claim_events) if e.about.name == claim.name), _FIRST_CONSUMER)
        if late is not None or event is not None:
            yield Waiting(claim, late, event)
