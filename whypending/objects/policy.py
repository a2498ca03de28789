"""ResourceQuota, LimitRange, ConfigMap, Namespace (core/v1), PriorityClass and PodDisruptionBudget, as far as read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec

from whypending.objects.base import Base, KubeObject, ObjectMeta, Time
from whypending.objects.container import Quantities


class QuotaValues(Base, frozen=True):
    """`spec` and `status` of a ResourceQuota; quantities as written."""

    hard: Quantities = msgspec.field(default_factory=dict)
    used: Quantities = msgspec.field(default_factory=dict)
    scopes: tuple[str, ...] = ()


class ResourceQuota(KubeObject, frozen=True):
    """ResourceQuota, core/v1."""

    kind: str = "ResourceQuota"
    spec: QuotaValues = msgspec.field(default_factory=QuotaValues)
    status: QuotaValues = msgspec.field(default_factory=QuotaValues)


class LimitRangeItem(Base, frozen=True):
    """`spec.limits[]` of a LimitRange."""

    type: str = ""
    max: Quantities = msgspec.field(default_factory=dict)
    min: Quantities = msgspec.field(default_factory=dict)
    default: Quantities = msgspec.field(default_factory=dict)
    default_request: Quantities = msgspec.field(default_factory=dict)


class LimitRangeSpec(Base, frozen=True):
    """`spec` of a LimitRange."""

    limits: tuple[LimitRangeItem, ...] = ()


class LimitRange(KubeObject, frozen=True):
    """LimitRange, core/v1."""

    kind: str = "LimitRange"
    spec: LimitRangeSpec = msgspec.field(default_factory=LimitRangeSpec)


class ManagedFields(Base, frozen=True):
    """`metadata.managedFields[]`: who wrote, and when last."""

    manager: str = ""
    operation: str = ""
    time: Time | None = None


class DatedMeta(ObjectMeta, frozen=True):
    """`metadata` with when it was written; kubectl hides managedFields unless asked with --show-managed-fields."""

    managed_fields: tuple[ManagedFields, ...] = ()


class ConfigMap(KubeObject, frozen=True):
    """ConfigMap, core/v1; read only where it may hold a KubeSchedulerConfiguration."""

    kind: str = "ConfigMap"
    metadata: DatedMeta = msgspec.field(default_factory=DatedMeta)
    data: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def changed(self) -> datetime | None:
        """When it was written last; None where the fields' times were not saved."""
        return max((m.time for m in self.metadata.managed_fields if m.time), default=None)


class PriorityClass(KubeObject, frozen=True):
    """PriorityClass, scheduling.k8s.io/v1."""

    kind: str = "PriorityClass"
    value: int = 0
    global_default: bool = False
