"""Pod (core/v1) and its template, as far as they are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from whypending.objects.base import (
    Base,
    Condition,
    KubeObject,
    LabelSelector,
    LabelSelectorRequirement,
    ObjectMeta,
    Time,
)
from whypending.objects.container import Container, Quantities, Resources


class Toleration(Base, frozen=True):
    """`spec.tolerations[]`."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


class NodeSelectorTerm(Base, frozen=True):
    """One of the ORed terms; its requirements are ANDed."""

    match_expressions: tuple[LabelSelectorRequirement, ...] = ()
    match_fields: tuple[LabelSelectorRequirement, ...] = ()


class NodeSelector(Base, frozen=True):
    """`requiredDuringSchedulingIgnoredDuringExecution` of node affinity, or `nodeAffinity.required` of a PV."""

    node_selector_terms: tuple[NodeSelectorTerm, ...] = ()


class NodeAffinity(Base, frozen=True):
    """`spec.affinity.nodeAffinity`; preferences decide nothing and are not read."""

    required: NodeSelector | None = msgspec.field(default=None, name="requiredDuringSchedulingIgnoredDuringExecution")


class PodAffinityTerm(Base, frozen=True):
    """A required term of Pod (anti-)affinity."""

    label_selector: LabelSelector | None = None
    namespace_selector: LabelSelector | None = None
    namespaces: tuple[str, ...] = ()
    topology_key: str = ""
    match_label_keys: tuple[str, ...] = ()
    mismatch_label_keys: tuple[str, ...] = ()


class PodAffinity(Base, frozen=True):
    """`spec.affinity.podAffinity` and `podAntiAffinity`: the required terms."""

    required: tuple[PodAffinityTerm, ...] = msgspec.field(
        default=(), name="requiredDuringSchedulingIgnoredDuringExecution"
    )


class Affinity(Base, frozen=True):
    """`spec.affinity`."""

    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None


class TopologySpreadConstraint(Base, frozen=True):
    """`spec.topologySpreadConstraints[]`."""

    max_skew: int = 1
    topology_key: str = ""
    when_unsatisfiable: str = ""
    label_selector: LabelSelector | None = None
    min_domains: int | None = None
    node_affinity_policy: str = ""
    node_taints_policy: str = ""
    match_label_keys: tuple[str, ...] = ()


class VolumeReference(Base, frozen=True):
    """A Secret, ConfigMap or claim that a volume names."""

    name: str = ""
    secret_name: str = ""
    claim_name: str = ""
    optional: bool | None = None


class ProjectedSource(Base, frozen=True):
    """`projected.sources[]`."""

    secret: VolumeReference | None = None
    config_map: VolumeReference | None = None


class ProjectedVolume(Base, frozen=True):
    """`projected`."""

    sources: tuple[ProjectedSource, ...] = ()


class CSIVolume(Base, frozen=True):
    """`csi`: an inline volume."""

    driver: str = ""


class HostPathVolume(Base, frozen=True):
    """`hostPath`."""

    path: str = ""
    type: str = ""


class Volume(Base, frozen=True):
    """`spec.volumes[]`."""

    name: str = ""
    persistent_volume_claim: VolumeReference | None = None
    secret: VolumeReference | None = None
    config_map: VolumeReference | None = None
    projected: ProjectedVolume | None = None
    csi: CSIVolume | None = None
    host_path: HostPathVolume | None = None
    ephemeral: Mapping[str, Any] | None = None
    empty_dir: Mapping[str, Any] | None = None
    nfs: Mapping[str, Any] | None = None


class NamedReference(Base, frozen=True):
    """Anything of which only the name is read: gates, pull secrets."""

    name: str = ""


class ReadinessGate(Base, frozen=True):
    """`spec.readinessGates[]`."""

    condition_type: str = ""


class PodResourceClaim(Base, frozen=True):
    """`spec.resourceClaims[]` (DRA)."""

    name: str = ""
    resource_claim_name: str = ""
    resource_claim_template_name: str = ""


class SecurityContext(Base, frozen=True):
    """`spec.securityContext`, as far as an admission refusal needs it."""

    run_as_non_root: bool | None = None
    run_as_user: int | None = None


class PodSpec(Base, frozen=True):
    """`spec` of a Pod and of a Pod template."""

    scheduler_name: str = ""
    node_name: str = ""
    node_selector: Mapping[str, str] = msgspec.field(default_factory=dict)
    affinity: Affinity | None = None
    tolerations: tuple[Toleration, ...] = ()
    topology_spread_constraints: tuple[TopologySpreadConstraint, ...] = ()
    scheduling_gates: tuple[NamedReference, ...] = ()
    readiness_gates: tuple[ReadinessGate, ...] = ()
    resource_claims: tuple[PodResourceClaim, ...] = ()
    init_containers: tuple[Container, ...] = ()
    containers: tuple[Container, ...] = ()
    volumes: tuple[Volume, ...] = ()
    overhead: Quantities = msgspec.field(default_factory=dict)
    resources: Resources | None = None
    priority: int | None = None
    priority_class_name: str = ""
    preemption_policy: str = ""
    runtime_class_name: str = ""
    service_account_name: str = ""
    restart_policy: str = ""
    host_network: bool | None = None
    image_pull_secrets: tuple[NamedReference, ...] = ()
    termination_grace_period_seconds: int | None = None
    active_deadline_seconds: int | None = None
    security_context: SecurityContext | None = None
    workload_ref: Mapping[str, Any] | None = None
    scheduling_group: Mapping[str, Any] | None = None


class StateWaiting(Base, frozen=True):
    """`state.waiting`."""

    reason: str = ""
    message: str = ""


class StateRunning(Base, frozen=True):
    """`state.running`."""

    started_at: Time | None = None


class StateTerminated(Base, frozen=True):
    """`state.terminated` and `lastState.terminated`."""

    exit_code: int = 0
    signal: int = 0
    reason: str = ""
    message: str = ""
    started_at: Time | None = None
    finished_at: Time | None = None


class ContainerState(Base, frozen=True):
    """`state` or `lastState`: at most one of the three is set."""

    waiting: StateWaiting | None = None
    running: StateRunning | None = None
    terminated: StateTerminated | None = None


class ContainerStatus(Base, frozen=True):
    """`status.containerStatuses[]` and the init and ephemeral ones."""

    name: str = ""
    image: str = ""
    image_id: str = msgspec.field(default="", name="imageID")
    ready: bool = False
    started: bool | None = None
    restart_count: int = 0
    state: ContainerState = msgspec.field(default_factory=ContainerState)
    last_state: ContainerState = msgspec.field(default_factory=ContainerState)


class ResourceClaimStatus(Base, frozen=True):
    """`status.resourceClaimStatuses[]`: which ResourceClaim was made for a claim of the Pod."""

    name: str = ""
    resource_claim_name: str | None = None


class PodStatus(Base, frozen=True):
    """`status`."""

    phase: str = ""
    reason: str = ""
    message: str = ""
    qos_class: str = ""
    nominated_node_name: str = ""
    observed_generation: int | None = None
    start_time: Time | None = None
    host_ip: str = msgspec.field(default="", name="hostIP")
    pod_ip: str = msgspec.field(default="", name="podIP")
    resize: str = ""
    conditions: tuple[Condition, ...] = ()
    init_container_statuses: tuple[ContainerStatus, ...] = ()
    container_statuses: tuple[ContainerStatus, ...] = ()
    resource_claim_statuses: tuple[ResourceClaimStatus, ...] = ()


class Pod(KubeObject, frozen=True):
    """Pod, core/v1."""

    kind: str = "Pod"
    spec: PodSpec = msgspec.field(default_factory=PodSpec)
    status: PodStatus = msgspec.field(default_factory=PodStatus)

    @property
    def scheduler_name(self) -> str:
        """`spec.schedulerName`; the API server fills in `default-scheduler`."""
        return self.spec.scheduler_name or "default-scheduler"

    def condition(self, type_: str) -> Condition | None:
        """The Pod's condition of that type."""
        return next((c for c in self.status.conditions if c.type == type_), None)


class PodTemplate(Base, frozen=True):
    """`spec.template` of a workload."""

    metadata: ObjectMeta = msgspec.field(default_factory=ObjectMeta)
    spec: PodSpec = msgspec.field(default_factory=PodSpec)
