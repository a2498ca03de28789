"""Reason texts about volumes: VolumeBinding, VolumeZone, NodeVolumeLimits, VolumeRestrictions of 1.4 to 1.37.

Read in framework/plugins/volume*/ and nodevolumelimits/ of 1.24.17 to 1.37.2, in
pkg/controller/volume/scheduling/ of 1.19.16 and in algorithm/predicates/ of 1.4.12 to 1.14.10.
"""

from __future__ import annotations

from whypending.messages.causes.rules import Hit, Rule, rule

_IN_USE = (
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
)
_BY_CAUSE: dict[str, tuple[str, ...]] = {
    "pvc-unbound": (
        "pod has unbound immediate PersistentVolumeClaims",
        "pod has unbound immediate PersistentVolumeClaims (repeated)",
        "pod has unbound PersistentVolumeClaims",
        "PersistentVolume had no name",
    ),
    "volume-node-affinity-conflict": (
        "node(s) had volume node affinity conflict",
        "node(s) didn't match PersistentVolume's node affinity",
        "VolumeNodeAffinityConflict",
        "NoVolumeNodeConflict",
    ),
    "volume-zone-conflict": ("node(s) had no available volume zone", "NoVolumeZoneConflict"),
    "max-volume-count": (
        "node(s) exceed max volume count",
        "MaxVolumeCount",
        "MaxEBSVolumeCount",
        "MaxGCEPDVolumeCount",
        "MaxAzureDiskVolumeCount",
    ),
    "storage-capacity": ("node(s) did not have enough free storage",),
    "pv-not-found": (
        "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
        "pvc(s) bound to non-existent pv(s)",
    ),
    "volume-in-use-rwop": (
        "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
        _IN_USE,
    ),
    "no-default-storage-class": ("PersistentVolumeClaim had no pv name and storageClass name",),
    "scheduler-internal-error": ("PersistentVolumeClaim had no name",),
}
_NO_MATCHING_VOLUME = Hit("pvc-unbound", (("binding", "no-matching-volume"),))
_DISK_CONFLICT = Hit("volume-in-use-rwop", (("conflict", "disk"),))

CAUSES = frozenset(_BY_CAUSE)
"""Every cause that this module can name."""

TEXTS: list[tuple[str, Hit]] = [
    *((text, Hit(cause)) for cause, texts in _BY_CAUSE.items() for text in texts),
    ("node(s) didn't find available persistent volumes to bind", _NO_MATCHING_VOLUME),
    ("VolumeBindingNoMatch", _NO_MATCHING_VOLUME),
    ("node(s) had no available disk", _DISK_CONFLICT),
    ("NoDiskConflict", _DISK_CONFLICT),
]

_CLAIM = r'"?(?P<claim>[^"\s]+)"?'
_VOLUME = r'"?(?P<volume>[^"\s]+)"?'
_CLASS = r'"?(?P<storageClass>[^"\s]+)"?'

RULES: list[Rule] = [
    rule(rf"persistentvolumeclaim {_CLAIM} not found", "pvc-not-found"),
    rule(rf"persistentvolumeclaims? {_CLAIM} is being deleted", "pvc-not-found", ("state", "being-deleted")),
    rule(rf"persistentvolumeclaim {_CLAIM} bound to non-existent persistentvolume {_VOLUME}", "pv-not-found"),
    rule(rf"persistentvolumeclaim {_CLAIM} was not created for (?:the )?pod .*", "pvc-not-found"),
    rule(
        rf"waiting for ephemeral volume controller to create the persistentvolumeclaim {_CLAIM}",
        "pvc-not-found",
        ("state", "not-created-yet"),
    ),
    rule(rf"looking up pvc {_CLAIM}: .*", "pvc-not-found"),
    rule(rf"error getting pvc {_CLAIM}: could not find v1\.PersistentVolumeClaim.*", "pvc-not-found"),
    rule(rf"persistentvolume {_VOLUME} not found", "pv-not-found"),
    rule(rf"could not find v1\.PersistentVolume {_VOLUME}.*", "pv-not-found"),
    rule(rf"storageclass(?:es)?(?:\.storage\.k8s\.io)? {_CLASS} not found", "pvc-unbound", ("missing", "StorageClass")),
    rule(rf"(?:failed|unable) to find storage class {_CLASS}", "pvc-unbound", ("missing", "StorageClass")),
    rule(rf"volumebindingmode not set for storageclass {_CLASS}", "pvc-unbound"),
    rule(rf"no (?:storage)?class for claim {_CLAIM}", "no-default-storage-class"),
    rule(
        r"(?:failed to )?bind(?:ing)? volumes: (?:timed out waiting for the condition|context deadline exceeded)",
        "binding-timeout",
        source="volume-binding",
    ),
    rule(r"timed out waiting for the condition", "binding-timeout", source="volume-binding"),
    rule(
        rf"(?:failed to )?bind(?:ing)? volumes: provisioning failed for pvc {_CLAIM}",
        "scheduler-internal-error",
        ("provisioning", "failed"),
        source="volume-binding",
    ),
    rule(
        rf"(?:failed to )?bind(?:ing)? volumes: pv {_VOLUME} node affinity doesn't match node .*",
        "volume-node-affinity-conflict",
        source="volume-binding",
    ),
    rule(r"(?:failed to )?bind(?:ing)? volumes: (?P<inner>.*)", "scheduler-internal-error", source="volume-binding"),
]
