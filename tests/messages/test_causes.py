"""The table of reason texts: each wording, its cause, the facts in it."""

from __future__ import annotations

import pytest

from whypending.messages import CAUSES, FAMILIES, cause_of_reason
from whypending.messages.causes import look_up
from whypending.messages.causes.resources import cause_of_resource
from whypending.messages.causes.taints import cause_of_taint

Details = tuple[tuple[str, str], ...]

IN_USE = "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode"

# kube-scheduler, by the newest release that prints the text.
FILTERS = {
    # 1.37
    "node(s) didn't have free ports for the requested pod ports": "host-port-conflict",
    "node(s) didn't match Pod's node affinity/selector": "node-selector-mismatch",
    "node(s) didn't match scheduler-enforced node affinity": "node-selector-mismatch",
    "node(s) didn't match the requested node name": "node-selector-mismatch",
    "pod affinity terms conflict": "node-selector-mismatch",
    "node(s) didn't match pod affinity rules": "pod-affinity",
    "node(s) didn't match pod anti-affinity rules": "pod-anti-affinity",
    "node(s) didn't satisfy existing pods anti-affinity rules": "pod-anti-affinity",
    "node(s) didn't match pod topology spread constraints": "topology-spread",
    "node(s) didn't match pod topology spread constraints (missing required label)": "topology-spread",
    "node(s) were unschedulable": "node-cordoned",
    "node(s) had unknown conditions": "node-not-ready",
    "node(s) had untolerated taint(s)": "untolerated-taint",
    "node(s) didn't match Pod's required features": "node-feature-missing",
    "Too many pods": "too-many-pods",
    "Insufficient cpu": "insufficient-cpu",
    "Insufficient memory": "insufficient-memory",
    "Insufficient ephemeral-storage": "insufficient-ephemeral-storage",
    "Insufficient nvidia.com/gpu": "extended-resource-missing",
    "Insufficient hugepages-2Mi": "extended-resource-missing",
    "Insufficient attachable-volumes-aws-ebs": "max-volume-count",
    "node(s) had no available disk": "volume-in-use-rwop",
    "node(s) exceed max volume count": "max-volume-count",
    "node(s) had no available volume zone": "volume-zone-conflict",
    "node(s) didn't match PersistentVolume's node affinity": "volume-node-affinity-conflict",
    "node(s) didn't find available persistent volumes to bind": "pvc-unbound",
    "node(s) did not have enough free storage": "storage-capacity",
    "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)": "pv-not-found",
    "pod has unbound immediate PersistentVolumeClaims": "pvc-unbound",
    "PersistentVolume had no name": "pvc-unbound",
    "PersistentVolumeClaim had no pv name and storageClass name": "no-default-storage-class",
    "waiting for the preemption for this pod to be finished": "preemption-in-progress",
    "cannot allocate all claims": "dra-claim-not-allocated",
    "resourceclaim in use": "dra-claim-not-allocated",
    "pod resize fits, waiting for Kubelet actuation": "pod-resize-pending",
    "waiting for minCount pods from a gang to appear in scheduling queue": "gang-not-ready",
    # 1.30
    "node(s) had volume node affinity conflict": "volume-node-affinity-conflict",
    IN_USE: "volume-in-use-rwop",
    "waiting for resource driver to provide information": "dra-claim-not-allocated",
    # 1.26 to 1.30
    "node is filtered out by the prefilter result": "node-selector-mismatch",
    # 1.19
    "node(s) didn't match node selector": "node-selector-mismatch",
    "node(s) didn't match the requested hostname": "node-selector-mismatch",
    "node(s) didn't match service affinity": "node-selector-mismatch",
    "node(s) didn't have the requested labels": "node-selector-mismatch",
    "node(s) didn't match pod affinity/anti-affinity": "pod-anti-affinity",
    "node(s) had taints that the pod didn't tolerate": "untolerated-taint",
    "pod has unbound immediate PersistentVolumeClaims (repeated 2 times)": None,
    # 1.14
    "node(s) were not ready": "node-not-ready",
    "node(s) had unavailable network": "node-not-ready",
    "node(s) had memory pressure": "node-memory-pressure",
    "node(s) had disk pressure": "node-disk-pressure",
    "node(s) had pid pressure": "node-pid-pressure",
    "node(s) were out of disk space": "node-disk-pressure",
    # 1.4 to 1.9
    "NoDiskConflict": "volume-in-use-rwop",
    "NoVolumeZoneConflict": "volume-zone-conflict",
    "MatchNodeSelector": "node-selector-mismatch",
    "MatchInterPodAffinity": "pod-anti-affinity",
    "PodAffinityRulesNotMatch": "pod-affinity",
    "PodAntiAffinityRulesNotMatch": "pod-anti-affinity",
    "ExistingPodsAntiAffinityRulesNotMatch": "pod-anti-affinity",
    "PodToleratesNodeTaints": "untolerated-taint",
    "HostName": "node-selector-mismatch",
    "PodFitsHostPorts": "host-port-conflict",
    "CheckNodeLabelPresence": "node-selector-mismatch",
    "CheckServiceAffinity": "node-selector-mismatch",
    "MaxVolumeCount": "max-volume-count",
    "NodeUnderMemoryPressure": "node-memory-pressure",
    "NodeUnderDiskPressure": "node-disk-pressure",
    "NodeOutOfDisk": "node-disk-pressure",
    "NodeNotReady": "node-not-ready",
    "NodeNetworkUnavailable": "node-not-ready",
    "NodeUnschedulable": "node-cordoned",
    "NodeUnknownCondition": "node-not-ready",
    "VolumeNodeAffinityConflict": "volume-node-affinity-conflict",
    "NoVolumeNodeConflict": "volume-node-affinity-conflict",
    "VolumeBindingNoMatch": "pvc-unbound",
    "Insufficient PodCount": "too-many-pods",
}

FACTS: list[tuple[str, str | None, Details]] = [
    (
        "node(s) had untolerated taint {dedicated: gpu}",
        "untolerated-taint",
        (("taint.key", "dedicated"), ("taint.value", "gpu")),
    ),
    (
        "node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate",
        "control-plane-taint",
        (("taint.key", "node-role.kubernetes.io/master"), ("taint.value", "")),
    ),
    (
        "node(s) didn't satisfy plugin(s) [NodeAffinity VolumeBinding]",
        "node-selector-mismatch",
        (("plugins", "NodeAffinity,VolumeBinding"),),
    ),
    (
        "node(s) didn't satisfy plugin(s) [Own VolumeBinding] simultaneously",
        "volume-node-affinity-conflict",
        (("plugins", "Own,VolumeBinding"),),
    ),
    ("node(s) didn't satisfy plugin Own", None, (("plugins", "Own"),)),
    ('persistentvolumeclaim "a" not found', "pvc-not-found", (("claim", "a"),)),
    (
        'persistentvolumeclaim "a" bound to non-existent persistentvolume "b"',
        "pv-not-found",
        (("claim", "a"), ("volume", "b")),
    ),
    (
        "request gpu-0: device class example.com does not exist",
        "dra-claim-not-allocated",
        (("request", "gpu-0"), ("deviceClass", "example.com"), ("missing", "DeviceClass")),
    ),
    (
        "resource claim ns/c, request r: has subrequests, but the DRAPrioritizedList feature is disabled",
        "feature-gate-mismatch",
        (("claim", "ns/c"), ("request", "r"), ("feature", "DRAPrioritizedList")),
    ),
    (
        "Node didn't have enough resource: CPU, requested: 1000, used: 1420, capacity: 2000",
        "insufficient-cpu",
        (("resource", "CPU"), ("requested", "1000"), ("used", "1420"), ("capacity", "2000")),
    ),
    ("waiting for scheduling gates: [a/b c]", "scheduling-gate-unresolved", (("gates", "a/b,c"),)),
    (
        'running Reserve plugin "DynamicResources": waiting for resource driver to allocate resource',
        "dra-claim-not-allocated",
        (("plugin", "DynamicResources"), ("phase", "Reserve")),
    ),
    (
        'running PreBind plugin "VolumeBinding": binding volumes: provisioning failed for PVC "data"',
        "scheduler-internal-error",
        (("plugin", "VolumeBinding"), ("phase", "PreBind"), ("claim", "data"), ("provisioning", "failed")),
    ),
    (
        'running Bind plugin "DefaultBinder": pods "a" not found',
        "scheduler-internal-error",
        (("plugin", "DefaultBinder"), ("phase", "Bind")),
    ),
    (
        'pod "a" rejected while waiting on permit: rejected due to timeout after waiting 1m0s at plugin Coscheduling',
        "gang-not-ready",
        (("waited", "1m0s"), ("waitedAt", "Coscheduling")),
    ),
    (
        "rejected due to timeout after waiting 1m0s at plugin Own",
        "permit-wait",
        (("waited", "1m0s"), ("waitedAt", "Own")),
    ),
    (
        "failed filter with extender at URL http://127.0.0.1:8000/filter, code 500",
        "scheduler-extender-unreachable",
        (("verb", "filter"), ("extender", "http://127.0.0.1:8000/filter"), ("code", "500")),
    ),
    (
        'Post "http://gpu.example:8000/filter": dial tcp 192.0.2.1:8000: connect: connection refused',
        "scheduler-extender-unreachable",
        (
            ("extender", "http://gpu.example:8000/filter"),
            ("error", "dial tcp 192.0.2.1:8000: connect: connection refused"),
        ),
    ),
    (
        "AssumePod failed: pod 1-2-3 is in the cache, so can't be assumed",
        "scheduler-internal-error",
        (),
    ),
    (
        (
            "Insufficient quotas, quotaName: q, runtime: {cpu:10}, used: {cpu:9}, pod's request: {cpu:2}, "
            "exceedDimensions: [cpu]"
        ),
        "elastic-quota-exceeded",
        (("quota", "q"),),
    ),
    (
        "Pod ns/p is rejected in PreFilter because ElasticQuota team is more than Max",
        "elastic-quota-exceeded",
        (("pod", "ns/p"), ("quota", "team"), ("limit", "max")),
    ),
    (
        "plugin NodeVolumeLimits predicates failed node(s) exceed max volume count",
        "max-volume-count",
        (("plugin", "NodeVolumeLimits"),),
    ),
    (
        "Plugin usage predicates failed, because of the CPU load of the node exceeds the upper limit.",
        "insufficient-cpu",
        (("plugin", "usage"),),
    ),
    (
        "queue resource quota insufficient: insufficient cpu, insufficient memory",
        "elastic-quota-exceeded",
        (("resources", "cpu,memory"),),
    ),
    (
        (
            "Application app-1 scheduling failed, reason: ApplicationRejected: failed to find queue root.x for "
            "application app-1"
        ),
        "queue-not-found",
        (("application", "app-1"), ("queue", "root.x")),
    ),
    (
        "Request 'k' does not fit in queue 'root.a' (requested map[vcore:1], available map[])",
        "queue-quota-exhausted",
        (("request", "k"), ("queue", "root.a")),
    ),
    ("default/pod-1 is queued and waiting for allocation", None, (("task", "default/pod-1"), ("says", "queued"))),
    ("Queue 'nope' does not exist", "queue-not-found", (("queue", "nope"),)),
    (
        (
            "team quota has reached the allowable limit of GPUs. Limit is 2 GPUs, currently 2 GPUs allocated and "
            "workload requested 1 GPUs"
        ),
        "elastic-quota-exceeded",
        (("queue", "team"), ("resource", "GPUs")),
    ),
    (
        "1/8 CardInsufficientMemory, 7/8 CardTimeSlicingExhausted",
        "extended-resource-missing",
        (),
    ),
    (
        "CardInsufficientMemory(node-a,node-b)",
        "extended-resource-missing",
        (("kind", "CardInsufficientMemory"), ("nodes", "node-a,node-b")),
    ),
    ("LocalQueue q doesn't exist", "queue-not-found", (("queue", "q"), ("kind", "LocalQueue"))),
    (
        "ClusterQueue q is inactive",
        "queue-not-permitted",
        (("queue", "q"), ("state", "inactive"), ("kind", "ClusterQueue")),
    ),
    (
        "insufficient unused quota for cpu in flavor default, 1 more needed",
        "queue-quota-exhausted",
        (("resource", "cpu"), ("flavor", "default"), ("needed", "1")),
    ),
    (
        "did not tolerate taint (taint=node.kubernetes.io/disk-pressure:NoSchedule)",
        "karpenter-incompatible",
        (
            ("taint.key", "node.kubernetes.io/disk-pressure"),
            ("taint.effect", "NoSchedule"),
            ("why", "node-disk-pressure"),
        ),
    ),
    (
        'all available instance types exceed limits for nodepool: "stable"',
        "karpenter-incompatible",
        (("nodepool", "stable"), ("why", "nodepool-limit")),
    ),
    (
        'exceeded quota: "team", resources: cpu, memory',
        "autoscaler-no-scale-up",
        (("quota", "team"), ("resources", "cpu, memory")),
    ),
    ('profile not found for scheduler name "x"', "scheduler-profile-missing", (("scheduler", "x"),)),
]

TAINTS = {
    "node-role.kubernetes.io/control-plane": "control-plane-taint",
    "node-role.kubernetes.io/master": "control-plane-taint",
    "node.cloudprovider.kubernetes.io/uninitialized": "cloud-provider-uninitialized",
    "node.kubernetes.io/unreachable": "node-unreachable",
    "node.kubernetes.io/not-ready": "node-not-ready",
    "node.kubernetes.io/unschedulable": "node-cordoned",
    "node.kubernetes.io/disk-pressure": "node-disk-pressure",
    "node.kubernetes.io/memory-pressure": "node-memory-pressure",
    "node.kubernetes.io/pid-pressure": "node-pid-pressure",
    "node.cilium.io/agent-not-ready": "startup-taint-left",
    "ebs.csi.aws.com/agent-not-ready": "startup-taint-left",
    "karpenter.sh/unregistered": "startup-taint-left",
    "cni.istio.io/not-ready": "startup-taint-left",
    "startup-taint.cluster-autoscaler.kubernetes.io/x": "startup-taint-left",
    "dedicated": "untolerated-taint",
    "eks.amazonaws.com/compute-type": "untolerated-taint",
}


@pytest.mark.parametrize(("text", "cause"), FILTERS.items())
def test_filters(text: str, cause: str | None) -> None:
    assert cause_of_reason(text)[0] == cause


@pytest.mark.parametrize(("text", "cause", "details"), FACTS)
def test_facts(text: str, cause: str | None, details: Details) -> None:
    assert cause_of_reason(text) == (cause, details)


@pytest.mark.parametrize(("key", "cause"), TAINTS.items())
def test_taints(key: str, cause: str) -> None:
    assert cause_of_taint(key) == cause
    assert cause_of_reason(f"node(s) had untolerated taint {{{key}: x}}")[0] == cause


def test_every_cause_is_listed() -> None:
    found = {cause_of_reason(text)[0] for text, *_ in FACTS} | {cause_of_reason(text)[0] for text in FILTERS}
    taints = {cause_of_taint(key) for key in TAINTS}
    assert found | taints | {cause_of_resource("example.com/x")} <= CAUSES | {None}


def test_every_source_is_a_family() -> None:
    hits = [look_up(text) for text, *_ in FACTS] + [look_up(text) for text in FILTERS]
    assert {hit.source for hit in hits if hit} <= FAMILIES


@pytest.mark.parametrize("text", ["", " ", ".", "Insufficient", "Insufficient cpu today", "node(s)", "x" * 10_000])
def test_unknown(text: str) -> None:
    assert cause_of_reason(text) == (None, ())


@pytest.mark.parametrize(
    "text", ["insufficient CPU", "Insufficient  cpu.", "Insufficient\ncpu", "Insufficient\\ncpu", " Insufficient cpu, "]
)
def test_the_same_text_in_other_dress(text: str) -> None:
    assert cause_of_reason(text)[0] == "insufficient-cpu"
