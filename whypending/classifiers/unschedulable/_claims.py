"""The Pod's claims, what became of them, and which driver must provide their volumes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from whypending.classifiers.unschedulable._words import names
from whypending.diagnosis import Citation
from whypending.evidence import Evidence, Gap, seen
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.objects.storage import PersistentVolume, PersistentVolumeClaim, StorageClass

NO_PROVISIONER = "kubernetes.io/no-provisioner"
_MIGRATED = {
    "kubernetes.io/aws-ebs": "ebs.csi.aws.com",
    "kubernetes.io/gce-pd": "pd.csi.storage.gke.io",
    "kubernetes.io/azure-disk": "disk.csi.azure.com",
    "kubernetes.io/azure-file": "file.csi.azure.com",
    "kubernetes.io/cinder": "cinder.csi.openstack.org",
    "kubernetes.io/vsphere-volume": "csi.vsphere.vmware.com",
    "kubernetes.io/portworx-volume": "pxd.portworx.com",
    "kubernetes.io/rbd": "rbd.csi.ceph.com",
}
"""In-tree provisioners and the CSI drivers that they are translated to (k8s.io/csi-translation-lib 0.22 to 0.37)."""
_PROVISIONER_NOTES = ("volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner")
_CLASS_NOTE = "volume.beta.kubernetes.io/storage-class"


class PodClaim(msgspec.Struct, frozen=True):
    """A claim that the Pod's volumes name. `claim`: None where it was not read or does not exist."""

    namespace: str
    name: str
    volume: str
    claim: PersistentVolumeClaim | None

    @property
    def ref(self) -> str:
        """`PersistentVolumeClaim shop/data`."""
        return f"PersistentVolumeClaim {self.namespace}/{self.name}"

    @property
    def class_name(self) -> str | None:
        """The StorageClass that it names; None = none set, "" = none on purpose."""
        if self.claim is None:
            return None
        return self.claim.spec.storage_class_name or self.claim.metadata.annotations.get(
            _CLASS_NOTE, self.claim.spec.storage_class_name
        )

    @property
    def is_bound(self) -> bool:
        """Bound, as far as the claim was read."""
        return self.claim is not None and self.claim.status.phase == "Bound"

    def cite(self) -> Iterator[Citation]:
        """Phase and class, as they stand."""
        if self.claim is None:
            return
        class_ = "absent" if self.class_name is None else f'"{self.class_name}"'
        yield Citation(object=self.ref, field="status.phase", value=self.claim.status.phase or "absent")
        yield Citation(object=self.ref, field="spec.storageClassName", value=class_)


def claims_of(evidence: Evidence) -> tuple[PodClaim, ...]:
    """In the order of `spec.volumes`; generic ephemeral volumes have a claim called POD-VOLUME."""
    pod = evidence.the_pod
    if pod is None:
        return ()
    known = {(c.namespace, c.name): c for c in seen(evidence.claims)}
    return tuple(
        PodClaim(pod.namespace, name, volume, known.get((pod.namespace, name))) for name, volume in _names(pod)
    )


def _names(pod: Pod) -> Iterator[tuple[str, str]]:
    for volume in pod.spec.volumes:
        if volume.persistent_volume_claim and volume.persistent_volume_claim.claim_name:
            yield volume.persistent_volume_claim.claim_name, volume.name
        elif volume.ephemeral is not None:
            yield f"{pod.name}-{volume.name}", volume.name


def refs_of(claims: Sequence[PodClaim]) -> str:
    """The claims by name; `one of …` where several were not read, so that it is open which one is meant."""
    listed = names([c.ref for c in claims])
    return f"one of {listed}" if len(claims) > 1 and all(c.claim is None for c in claims) else listed


def claim_named(evidence: Evidence, name: str) -> PodClaim | None:
    """The Pod's claim of that name, `namespace/name` included; None where the Pod has none such."""
    short = name.rpartition("/")[2]
    return next((c for c in claims_of(evidence) if c.name == short), None)


def events_of(evidence: Evidence, claim: PodClaim, *reasons: str) -> tuple[Event, ...]:
    """The claim's Events with one of these reasons, oldest first."""
    found = [
        e
        for e in seen(evidence.claim_events)
        if e.about.name == claim.name and e.about.namespace in ("", claim.namespace) and e.reason in reasons
    ]
    return tuple(sorted(found, key=lambda e: e.last_seen))


def cite_claim_event(event: Event, claim: PodClaim) -> Citation:
    """An Event of a claim, as proof."""
    return Citation(
        object=f"Event {event.reason} on {claim.ref}", field="message", value=event.text, at=event.last_seen
    )


def class_of(evidence: Evidence, claim: PodClaim) -> StorageClass | None:
    """The StorageClass that applies: the named one, or the default where none is set."""
    classes, name = seen(evidence.storage_classes), claim.class_name
    if name is None:
        return next((c for c in classes if c.is_default), None)
    return next((c for c in classes if c.name == name), None)


def volume_of(evidence: Evidence, claim: PodClaim) -> PersistentVolume | None:
    """The PersistentVolume that it is bound to."""
    name = claim.claim.spec.volume_name if claim.claim else ""
    return next((v for v in seen(evidence.volumes) if name and v.name == name), None)


def provisioner_of(evidence: Evidence, claim: PodClaim) -> str:
    """Who must make its volume, as the class or the claim's annotation names it; empty where that is not known."""
    class_ = class_of(evidence, claim)
    notes = claim.claim.metadata.annotations if claim.claim else {}
    noted = next((notes[n] for n in _PROVISIONER_NOTES if n in notes), "")
    return noted or (class_.provisioner if class_ else "")


def is_migrated(provisioner: str) -> bool:
    """Whether it is an in-tree name behind which a CSI driver is needed."""
    return provisioner in _MIGRATED


def driver_of(provisioner: str) -> str:
    """The CSI driver behind a provisioner's name; empty for those that are no CSI drivers."""
    if provisioner in _MIGRATED:
        return _MIGRATED[provisioner]
    return "" if not provisioner or provisioner.startswith("kubernetes.io/") or "/" in provisioner else provisioner


def is_installed(evidence: Evidence, driver: str) -> bool | None:
    """Whether a CSIDriver or a CSINode knows the driver; None where neither could be read."""
    if any(d.name == driver for d in seen(evidence.csi_drivers)):
        return True
    if any(x.name == driver for n in seen(evidence.csi_nodes) for x in n.spec.drivers):
        return True
    unread = isinstance(evidence.csi_drivers, Gap) and isinstance(evidence.csi_nodes, Gap)
    return None if unread else False
