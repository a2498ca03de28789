"""Node (core/v1), Lease (coordination.k8s.io/v1) and CSINode (storage.k8s.io/v1)."""

from __future__ import annotations

from datetime import datetime

import msgspec

from whypending.objects.base import Base, Condition, KubeObject, Time
from whypending.objects.container import Quantities
from whypending.objects.times import later, seconds


class Taint(Base, frozen=True):
    """`spec.taints[]`."""

    key: str = ""
    value: str = ""
    effect: str = ""
    time_added: Time | None = None

    def __str__(self) -> str:
        """As kubectl writes a taint: key=value:effect."""
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"


class NodeSpec(Base, frozen=True):
    """`spec`."""

    unschedulable: bool = False
    taints: tuple[Taint, ...] = ()
    provider_id: str = msgspec.field(default="", name="providerID")


class NodeInfo(Base, frozen=True):
    """`status.nodeInfo`."""

    kubelet_version: str = ""
    architecture: str = ""
    operating_system: str = ""
    container_runtime_version: str = ""


class NodeStatus(Base, frozen=True):
    """`status`; quantities as written."""

    allocatable: Quantities = msgspec.field(default_factory=dict)
    capacity: Quantities = msgspec.field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()
    node_info: NodeInfo = msgspec.field(default_factory=NodeInfo)
    declared_features: tuple[str, ...] = ()


class Node(KubeObject, frozen=True):
    """Node, core/v1."""

    kind: str = "Node"
    spec: NodeSpec = msgspec.field(default_factory=NodeSpec)
    status: NodeStatus = msgspec.field(default_factory=NodeStatus)

    def condition(self, type_: str) -> Condition | None:
        """The Node's condition of that type."""
        return next((c for c in self.status.conditions if c.type == type_), None)


class LeaseSpec(Base, frozen=True):
    """`spec`."""

    holder_identity: str = ""
    lease_duration_seconds: int | None = None
    acquire_time: Time | None = None
    renew_time: Time | None = None
    lease_transitions: int | None = None


class Lease(KubeObject, frozen=True):
    """Lease, coordination.k8s.io/v1."""

    kind: str = "Lease"
    spec: LeaseSpec = msgspec.field(default_factory=LeaseSpec)

    def alive(self, now: datetime) -> bool:
        """Held, and renewTime + leaseDurationSeconds is ahead of `now` (the server's clock)."""
        if not self.spec.holder_identity or self.spec.renew_time is None:
            return False
        return later(self.spec.renew_time, seconds(self.spec.lease_duration_seconds or 15)) >= now


class CSINodeAllocatable(Base, frozen=True):
    """`spec.drivers[].allocatable`."""

    count: int | None = None


class CSINodeDriver(Base, frozen=True):
    """`spec.drivers[]`."""

    name: str = ""
    node_id: str = msgspec.field(default="", name="nodeID")
    topology_keys: tuple[str, ...] = ()
    allocatable: CSINodeAllocatable | None = None


class CSINodeSpec(Base, frozen=True):
    """`spec`."""

    drivers: tuple[CSINodeDriver, ...] = ()


class CSINode(KubeObject, frozen=True):
    """CSINode, storage.k8s.io/v1; named as its Node."""

    kind: str = "CSINode"
    spec: CSINodeSpec = msgspec.field(default_factory=CSINodeSpec)
