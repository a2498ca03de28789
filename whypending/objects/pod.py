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

Quantities = Mapping[str, str | int | float]


class Toleration(Base, frozen=True):
    """`spec.tolerations[]`."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


class Resources(Base, frozen=True):
    """`resources` of a container or of the Pod; quantities as written."""

    requests: Quantities = msgspec.field(default_factory=dict)
    limits: Quantities = msgspec.field(default_factory=dict)
    claims: tuple[Mapping[str, str], ...] = ()


class ContainerPort(Base, frozen=True):
    """`ports[]` of a container."""

    name: str = ""
    container_port: int = 0
    host_port: int = 0
    host_ip: str = msgspec.field(default="", name="hostIP")
    protocol: str = ""


class EnvSource(Base, frozen=True):
    """`env[].valueFrom`, `envFrom[]` and volume references: the names, never the values."""

    name: str = ""
    key: str = ""
    optional: bool | None = None


class EnvValueFrom(Base, frozen=True):
    """`env[].valueFrom`."""

    secret_key_ref: EnvSource | None = None
    config_map_key_ref: EnvSource | None = None


class EnvVar(Base, frozen=True):
    """`env[]`: the variable's name and reference; a literal value is never read."""

    name: str = ""
    value_from: EnvValueFrom | None = None


class EnvFrom(Base, frozen=True):
    """`envFrom[]`."""

    secret_ref: EnvSource | None = None
    config_map_ref: EnvSource | None = None


class ExecAction(Base, frozen=True):
    """`exec` of a probe or hook."""

    command: tuple[str, ...] = ()


class HTTPGetAction(Base, frozen=True):
    """`httpGet` of a probe or hook."""

    path: str = ""
    port: int | str = ""
    scheme: str = ""


class TCPSocketAction(Base, frozen=True):
    """`tcpSocket` of a probe."""

    port: int | str = ""


class GRPCAction(Base, frozen=True):
    """`grpc` of a probe."""

    port: int | str = ""
    service: str = ""


class Probe(Base, frozen=True):
    """A readiness, liveness or startup probe; times in seconds, defaults as the API server fills them in."""

    exec: ExecAction | None = None
    http_get: HTTPGetAction | None = None
    tcp_socket: TCPSocketAction | None = None
    grpc: GRPCAction | None = None
    initial_delay_seconds: int = 0
    period_seconds: int = 10
    timeout_seconds: int = 1
    failure_threshold: int = 3
    success_threshold: int = 1


class LifecycleHandler(Base, frozen=True):
    """`lifecycle.postStart` and `preStop`."""

    exec: ExecAction | None = None
    http_get: HTTPGetAction | None = None


class Lifecycle(Base, frozen=True):
    """`lifecycle` of a container."""

    post_start: LifecycleHandler | None = None
    pre_stop: LifecycleHandler | None = None


class VolumeMount(Base, frozen=True):
    """`volumeMounts[]`."""

    name: str = ""
    mount_path: str = ""
    sub_path: str = ""


class Container(Base, frozen=True):
    """`spec.containers[]` and `spec.initContainers[]`."""

    name: str = ""
    image: str = ""
    image_pull_policy: str = ""
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    env: tuple[EnvVar, ...] = ()
    env_from: tuple[EnvFrom, ...] = ()
    ports: tuple[ContainerPort, ...] = ()
    resources: Resources = msgspec.field(default_factory=Resources)
    volume_mounts: tuple[VolumeMount, ...] = ()
    readiness_probe: Probe | None = None
    liveness_probe: Probe | None = None
    startup_probe: Probe | None = None
    lifecycle: Lifecycle | None = None
    restart_policy: str = ""


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
