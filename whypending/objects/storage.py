"""PersistentVolumeClaim, PersistentVolume (core/v1), StorageClass, VolumeAttachment, CSIDriver (storage.k8s.io/v1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from whypending.objects.base import Base, Condition, KubeObject
from whypending.objects.container import Quantities, Resources
from whypending.objects.pod import NodeSelector

SELECTED_NODE = "volume.kubernetes.io/selected-node"


class ClaimSpec(Base, frozen=True):
    """`spec` of a claim; `storage_class_name` None = not set (the default class), "" = no class on purpose."""

    access_modes: tuple[str, ...] = ()
    resources: Resources = msgspec.field(default_factory=Resources)
    storage_class_name: str | None = None
    volume_name: str = ""
    volume_mode: str = ""


class ClaimStatus(Base, frozen=True):
    """`status` of a claim."""

    phase: str = ""
    access_modes: tuple[str, ...] = ()
    capacity: Quantities = msgspec.field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()


class PersistentVolumeClaim(KubeObject, frozen=True):
    """PersistentVolumeClaim, core/v1."""

    kind: str = "PersistentVolumeClaim"
    spec: ClaimSpec = msgspec.field(default_factory=ClaimSpec)
    status: ClaimStatus = msgspec.field(default_factory=ClaimStatus)

    @property
    def selected_node(self) -> str:
        """The node that a scheduler chose for its first Pod (VolumeBinding in PreBind), empty before that."""
        return self.metadata.annotations.get(SELECTED_NODE, "")


class ClaimRef(Base, frozen=True):
    """`spec.claimRef` of a PersistentVolume."""

    namespace: str = ""
    name: str = ""
    uid: str = ""


class CSIVolumeSource(Base, frozen=True):
    """`spec.csi` of a PersistentVolume."""

    driver: str = ""
    volume_handle: str = ""


class VolumeNodeAffinity(Base, frozen=True):
    """`spec.nodeAffinity` of a PersistentVolume."""

    required: NodeSelector | None = None


class VolumeSpec(Base, frozen=True):
    """`spec` of a PersistentVolume."""

    storage_class_name: str = ""
    access_modes: tuple[str, ...] = ()
    capacity: Quantities = msgspec.field(default_factory=dict)
    claim_ref: ClaimRef | None = None
    node_affinity: VolumeNodeAffinity | None = None
    persistent_volume_reclaim_policy: str = ""
    csi: CSIVolumeSource | None = None
    host_path: Mapping[str, Any] | None = None
    local: Mapping[str, Any] | None = None


class VolumeStatus(Base, frozen=True):
    """`status` of a PersistentVolume."""

    phase: str = ""
    reason: str = ""
    message: str = ""


class PersistentVolume(KubeObject, frozen=True):
    """PersistentVolume, core/v1."""

    kind: str = "PersistentVolume"
    spec: VolumeSpec = msgspec.field(default_factory=VolumeSpec)
    status: VolumeStatus = msgspec.field(default_factory=VolumeStatus)


class StorageClass(KubeObject, frozen=True):
    """StorageClass, storage.k8s.io/v1."""

    kind: str = "StorageClass"
    provisioner: str = ""
    volume_binding_mode: str = ""
    reclaim_policy: str = ""

    @property
    def is_default(self) -> bool:
        """Annotated as the cluster's default class."""
        notes = self.metadata.annotations
        names = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")
        return any(notes.get(n) == "true" for n in names)


class AttachmentSource(Base, frozen=True):
    """`spec.source`."""

    persistent_volume_name: str | None = None


class AttachmentSpec(Base, frozen=True):
    """`spec` of a VolumeAttachment."""

    attacher: str = ""
    node_name: str = ""
    source: AttachmentSource = msgspec.field(default_factory=AttachmentSource)


class AttachmentError(Base, frozen=True):
    """`status.attachError` and `detachError`."""

    message: str = ""


class AttachmentStatus(Base, frozen=True):
    """`status` of a VolumeAttachment."""

    attached: bool = False
    attach_error: AttachmentError | None = None
    detach_error: AttachmentError | None = None


class VolumeAttachment(KubeObject, frozen=True):
    """VolumeAttachment, storage.k8s.io/v1."""

    kind: str = "VolumeAttachment"
    spec: AttachmentSpec = msgspec.field(default_factory=AttachmentSpec)
    status: AttachmentStatus = msgspec.field(default_factory=AttachmentStatus)


class CSIDriver(KubeObject, frozen=True):
    """CSIDriver, storage.k8s.io/v1; the name is the driver's."""

    kind: str = "CSIDriver"
