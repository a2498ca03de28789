"""Every kind that is read: where the API serves it and the Struct it becomes."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from whypending.objects.base import CustomObject, KubeObject
from whypending.objects.event import Event
from whypending.objects.node import CSINode, Lease, Node
from whypending.objects.pod import Pod
from whypending.objects.policy import ConfigMap, LimitRange, PriorityClass, ResourceQuota
from whypending.objects.rbac import Binding, Role
from whypending.objects.storage import (
    CSIDriver,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    VolumeAttachment,
)
from whypending.objects.workload import Workload

T = TypeVar("T", bound=KubeObject)


class Kind(NamedTuple, Generic[T]):
    """One kind: `group/version` candidates (newest first), plural, and the Struct to decode into."""

    kind: str
    plural: str
    versions: tuple[str, ...]
    struct: type[T]
    namespaced: bool = True

    @property
    def group(self) -> str:
        """The API group, empty for core."""
        head, slash, _ = self.versions[0].partition("/")
        return head if slash else ""

    @property
    def resource(self) -> str:
        """As RBAC and kubectl write it: `pods`, `leases.coordination.k8s.io`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural


PODS = Kind("Pod", "pods", ("v1",), Pod)
EVENTS = Kind("Event", "events", ("v1",), Event)
NODES = Kind("Node", "nodes", ("v1",), Node, namespaced=False)
LEASE_CANDIDATES = Kind(
    "LeaseCandidate",
    "leasecandidates",
    ("coordination.k8s.io/v1beta1", "coordination.k8s.io/v1alpha2"),
    CustomObject,
)
LEASES = Kind("Lease", "leases", ("coordination.k8s.io/v1",), Lease)
CONFIG_MAPS = Kind("ConfigMap", "configmaps", ("v1",), ConfigMap)
CLAIMS = Kind("PersistentVolumeClaim", "persistentvolumeclaims", ("v1",), PersistentVolumeClaim)
VOLUMES = Kind("PersistentVolume", "persistentvolumes", ("v1",), PersistentVolume, namespaced=False)
STORAGE_CLASSES = Kind("StorageClass", "storageclasses", ("storage.k8s.io/v1",), StorageClass, namespaced=False)
ATTACHMENTS = Kind("VolumeAttachment", "volumeattachments", ("storage.k8s.io/v1",), VolumeAttachment, namespaced=False)
CSI_NODES = Kind("CSINode", "csinodes", ("storage.k8s.io/v1",), CSINode, namespaced=False)
CSI_DRIVERS = Kind("CSIDriver", "csidrivers", ("storage.k8s.io/v1",), CSIDriver, namespaced=False)
QUOTAS = Kind("ResourceQuota", "resourcequotas", ("v1",), ResourceQuota)
LIMIT_RANGES = Kind("LimitRange", "limitranges", ("v1",), LimitRange)
PRIORITY_CLASSES = Kind("PriorityClass", "priorityclasses", ("scheduling.k8s.io/v1",), PriorityClass, namespaced=False)
DEPLOYMENTS = Kind("Deployment", "deployments", ("apps/v1",), Workload)
REPLICA_SETS = Kind("ReplicaSet", "replicasets", ("apps/v1",), Workload)
STATEFUL_SETS = Kind("StatefulSet", "statefulsets", ("apps/v1",), Workload)
DAEMON_SETS = Kind("DaemonSet", "daemonsets", ("apps/v1",), Workload)
JOBS = Kind("Job", "jobs", ("batch/v1",), Workload)
CRON_JOBS = Kind("CronJob", "cronjobs", ("batch/v1",), Workload)
REPLICATION_CONTROLLERS = Kind("ReplicationController", "replicationcontrollers", ("v1",), Workload)

_RBAC = ("rbac.authorization.k8s.io/v1",)
ROLES = Kind("Role", "roles", _RBAC, Role)
CLUSTER_ROLES = Kind("ClusterRole", "clusterroles", _RBAC, Role, namespaced=False)
ROLE_BINDINGS = Kind("RoleBinding", "rolebindings", _RBAC, Binding)
CLUSTER_ROLE_BINDINGS = Kind("ClusterRoleBinding", "clusterrolebindings", _RBAC, Binding, namespaced=False)

LOCAL_QUEUES = Kind("LocalQueue", "localqueues", ("kueue.x-k8s.io/v1beta2", "kueue.x-k8s.io/v1beta1"), CustomObject)
CLUSTER_QUEUES = Kind(
    "ClusterQueue",
    "clusterqueues",
    ("kueue.x-k8s.io/v1beta2", "kueue.x-k8s.io/v1beta1"),
    CustomObject,
    namespaced=False,
)
KUEUE_WORKLOADS = Kind("Workload", "workloads", ("kueue.x-k8s.io/v1beta2", "kueue.x-k8s.io/v1beta1"), CustomObject)
VOLCANO_POD_GROUPS = Kind("PodGroup", "podgroups", ("scheduling.volcano.sh/v1beta1",), CustomObject)
VOLCANO_QUEUES = Kind("Queue", "queues", ("scheduling.volcano.sh/v1beta1",), CustomObject, namespaced=False)
POD_GROUPS = Kind("PodGroup", "podgroups", ("scheduling.x-k8s.io/v1alpha1",), CustomObject)
ELASTIC_QUOTAS = Kind("ElasticQuota", "elasticquotas", ("scheduling.x-k8s.io/v1alpha1",), CustomObject)
NODE_CLAIMS = Kind(
    "NodeClaim", "nodeclaims", ("karpenter.sh/v1", "karpenter.sh/v1beta1"), CustomObject, namespaced=False
)
NODE_POOLS = Kind("NodePool", "nodepools", ("karpenter.sh/v1", "karpenter.sh/v1beta1"), CustomObject, namespaced=False)
RESOURCE_CLAIMS = Kind(
    "ResourceClaim",
    "resourceclaims",
    ("resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1beta1"),
    CustomObject,
)

WORKLOADS = (DEPLOYMENTS, REPLICA_SETS, STATEFUL_SETS, DAEMON_SETS, JOBS, CRON_JOBS, REPLICATION_CONTROLLERS)
ALL: tuple[Kind[KubeObject], ...] = (
    PODS,
    EVENTS,
    NODES,
    LEASES,
    LEASE_CANDIDATES,
    CONFIG_MAPS,
    CLAIMS,
    VOLUMES,
    STORAGE_CLASSES,
    ATTACHMENTS,
    CSI_NODES,
    CSI_DRIVERS,
    QUOTAS,
    LIMIT_RANGES,
    PRIORITY_CLASSES,
    *WORKLOADS,
    ROLES,
    CLUSTER_ROLES,
    ROLE_BINDINGS,
    CLUSTER_ROLE_BINDINGS,
    LOCAL_QUEUES,
    CLUSTER_QUEUES,
    KUEUE_WORKLOADS,
    VOLCANO_POD_GROUPS,
    VOLCANO_QUEUES,
    POD_GROUPS,
    ELASTIC_QUOTAS,
    NODE_CLAIMS,
    NODE_POOLS,
    RESOURCE_CLAIMS,
)  # type: ignore[assignment]
