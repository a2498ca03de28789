"""Evidence: everything that was read for one target, frozen, with what could not be read as values."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias, TypeVar

import msgspec

from whypending.objects.base import CustomObject
from whypending.objects.event import Event
from whypending.objects.node import CSINode, Lease, Node
from whypending.objects.pod import Pod
from whypending.objects.policy import ConfigMap, LimitRange, PriorityClass, ResourceQuota
from whypending.objects.storage import (
    CSIDriver,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    VolumeAttachment,
)
from whypending.objects.workload import Workload


class GapReason(StrEnum):
    """Why something was not looked at."""

    FORBIDDEN = "forbidden"
    NOT_IN_SNAPSHOT = "not in the snapshot"
    EXPIRED = "expired"
    TIMED_OUT = "timed out"
    UNSUPPORTED = "not supported by this server"
    UNREACHABLE = "unreachable"
    MALFORMED = "malformed"
    NOT_READ = "not read"
    NOT_GIVEN = "not given"
    FAULT = "a fault of whypending"


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """Something that could not be, or was not, looked at: never the same as an empty list.

    what: the thing, as a noun phrase ("the Nodes", "Events in namespace prod").
    would_decide: what it would have decided. grant: the RBAC rule or flag that closes the gap, "" if none does.
    detail: the server's own words, or the path.
    """

    what: str
    reason: GapReason
    would_decide: str = ""
    grant: str = ""
    detail: str = ""


T = TypeVar("T")
Known: TypeAlias = tuple[T, ...] | Gap

NOT_READ = Gap(what="", reason=GapReason.NOT_READ)
"""The default of each field: this target's class did not need it."""


def seen(known: Known[T]) -> tuple[T, ...]:
    """What was found; nothing where it could not be looked at (then the Gap is reported by the engine)."""
    return () if isinstance(known, Gap) else known


def is_known(known: Known[object]) -> bool:
    """Whether it was looked at at all."""
    return not isinstance(known, Gap)


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked about."""

    kind: str = "Pod"
    namespace: str
    name: str
    uid: str = ""

    @property
    def ref(self) -> str:
        """`Pod prod/api-1`."""
        return f"{self.kind} {self.namespace}/{self.name}"


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How many Pods the workload that was asked about wants, has (those on their way out left out), and has Ready.

    wanted: 0 where that says little (Job) or is no number of its kind (CronJob).
    older: Ready ones from before its last change.
    """

    wanted: int
    made: int
    ready: int
    older: int = 0


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """One target's evidence. Every list is a tuple (looked) or a Gap (could not look, or did not need to).

    now: the source's clock. pod: the Pod in question (for a workload: the one that was chosen, or none).
    clock_is_floor: `now` is only the newest time in the files; the real time may be much later.
    tally: of the workload that was asked about; None for a Pod.
    events: of the Pod's own life only, oldest first. owners: nearest first, up to the workload.
    owner_events: Events of those owners. siblings: Pods of the same controller (the Pod itself left out).
    node, node_lease: of spec.nodeName; an empty tuple means that no such Node exists.
    leases: Leases that schedulers may hold. scheduler_pods, scheduler_workloads, scheduler_configs: of schedulers.
    neighbours: Pods on the node that the scheduler nominated for this one.
    served: schedulerName of Pods that were bound lately, with the newest PodScheduled time.
    waiting: other Pods that have no node (a bounded sample). logs: (origin, line) of schedulers and autoscalers.
    access: what the schedulers that serve the Pod's schedulerName may and may not do.
    """

    target: Target
    now: datetime
    clock_is_floor: bool = False
    source: str = "files"
    server_version: str = ""
    tally: Tally | None = None
    pod: Known[Pod] = NOT_READ
    events: Known[Event] = NOT_READ
    owners: Known[Workload] = NOT_READ
    owner_events: Known[Event] = NOT_READ
    siblings: Known[Pod] = NOT_READ
    node: Known[Node] = NOT_READ
    node_lease: Known[Lease] = NOT_READ
    nodes: Known[Node] = NOT_READ
    neighbours: Known[Pod] = NOT_READ
    leases: Known[Lease] = NOT_READ
    scheduler_pods: Known[Pod] = NOT_READ
    scheduler_workloads: Known[Workload] = NOT_READ
    scheduler_configs: Known[ConfigMap] = NOT_READ
    served: Known[Served] = NOT_READ
    waiting: Known[Pod] = NOT_READ
    claims: Known[PersistentVolumeClaim] = NOT_READ
    claim_events: Known[Event] = NOT_READ
    volumes: Known[PersistentVolume] = NOT_READ
    storage_classes: Known[StorageClass] = NOT_READ
    attachments: Known[VolumeAttachment] = NOT_READ
    csi_nodes: Known[CSINode] = NOT_READ
    csi_drivers: Known[CSIDriver] = NOT_READ
    quotas: Known[ResourceQuota] = NOT_READ
    limit_ranges: Known[LimitRange] = NOT_READ
    priority_classes: Known[PriorityClass] = NOT_READ
    local_queues: Known[CustomObject] = NOT_READ
    cluster_queues: Known[CustomObject] = NOT_READ
    kueue_workloads: Known[CustomObject] = NOT_READ
    pod_groups: Known[CustomObject] = NOT_READ
    volcano_queues: Known[CustomObject] = NOT_READ
    node_claims: Known[CustomObject] = NOT_READ
    node_pools: Known[CustomObject] = NOT_READ
    resource_claims: Known[CustomObject] = NOT_READ
    elastic_quotas: Known[CustomObject] = NOT_READ
    logs: Known[LogLine] = NOT_READ
    access: Known[Access] = NOT_READ
    lease_candidates: Known[CustomObject] = NOT_READ
    scheduling_events: Known[Event] = NOT_READ
    """`Scheduled` and `FailedScheduling` of any Pod: a bounded sample."""
    as_served: bool = False
    """Lists are an API server's own answers (live, or from a snapshot): what is not in them is not there."""
    partly: tuple[Gap, ...] = ()
    """What of the schedulers could not be read although other reads of that kind succeeded."""

    metrics: Known[Scrape] = NOT_READ
    """Of schedulers, where they were asked for (`--metrics`): one a process, as far as it can be told apart."""

    @property
    def the_pod(self) -> Pod | None:
        """The Pod in question, if one was found."""
        return next(iter(seen(self.pod)), None)

    @property
    def the_node(self) -> Node | None:
        """The Pod's Node, if it was found."""
        return next(iter(seen(self.node)), None)

    def gaps(self) -> Iterator[tuple[str, Gap]]:
        """Each field that could not be looked at (fields that were not needed are left out)."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, Gap) and value.reason is not GapReason.NOT_READ:
                yield name, value
        yield from (("partly", gap) for gap in seen(self.partly) if gap.reason is not GapReason.NOT_IN_SNAPSHOT)


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """Proof that a schedulerName is, or was, served: a Pod of that name that has a node."""

    scheduler_name: str
    pod: str
    bound_at: datetime | None = None
    """PodScheduled=True since; None where the condition is missing."""


class LogLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of a log: `origin` is the file or `namespace/pod/container`, `number` counts from 1.

    at, severity (I, W, E, F): of the entry that the line belongs to, as klog or its JSON form writes them.
    previous: of the run before the container's last restart. pod: `namespace/name` of the Pod that wrote it, if known.
    """

    origin: str
    number: int
    text: str
    at: datetime | None = None
    severity: str = ""
    previous: bool = False
    pod: str = ""


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a user may do something: None where what could be read does not tell.

    resource: with its subresource, `pods/binding`. namespace, name: empty = all. how: `SubjectAccessReview` (asked of
    the API server) or `roles and bindings` (judged from what they say).
    """

    subject: str
    verb: str
    group: str
    resource: str
    namespace: str = ""
    name: str = ""
    allowed: bool | None = None
    how: str = ""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One finite value of a metric, in the metric's own unit; labels sorted by name."""

    name: str
    labels: tuple[tuple[str, str], ...] = ()
    value: float

    def label(self, name: str) -> str:
        """The label's value, empty where there is none (which Prometheus takes for the same)."""
        return next((value for key, value in self.labels if key == name), "")


class Scrape(msgspec.Struct, frozen=True, kw_only=True):
    """The metrics of one scheduler process at one moment.

    origin: which process, and by whom it is told. how: `prometheus`, `file`, `url` or `port-forward`.
    at: when; None where a file does not tell. warnings: why it may be incomplete.
    """

    origin: str
    how: str
    at: datetime | None = None
    samples: tuple[Sample, ...] = ()
    warnings: tuple[str, ...] = ()
