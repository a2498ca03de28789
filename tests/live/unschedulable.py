"""The real kube-scheduler says no, on simulated Nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.live import nodes, volumes
from tests.live.scenario import UNSCHEDULABLE, Scenario, condition, pod, sleeper

Nodes = Mapping[str, Mapping[str, Any]]
TWO: Nodes = {
    "n1": {"labels": {"topology.kubernetes.io/zone": "z1"}},
    "n2": {"labels": {"topology.kubernetes.io/zone": "z2"}},
}


def _refused(cause: str, slug: str, manifest: str, *, nodes: Nodes = TWO) -> Scenario:
    return Scenario(
        cause, slug, "unschedulable", (cause,), manifest, reached=UNSCHEDULABLE, nodes=nodes
    )  # fmt: skip


def _asks(resource: str, amount: str) -> str:
    return f'    resources:\n      requests: {{"{resource}": "{amount}"}}\n      limits: {{"{resource}": "{amount}"}}\n'


ANTI = """  affinity:
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - labelSelector: {matchLabels: {app: web}}
        topologyKey: kubernetes.io/hostname
"""
NEAR = ANTI.replace("podAntiAffinity", "podAffinity").replace("app: web", "app: cache")
SPREAD = """  topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: DoNotSchedule
    labelSelector: {matchLabels: {app: web}}
"""


def _first(name: str, spec: str) -> str:
    return pod(f"  nodeName: {name}\n{spec}", name=f"first-{name}") + "---\n"


def _claim(extra: str = "", name: str = "data") -> str:
    return f"""apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {name}
spec:
  accessModes: [ReadWriteOnce]
  resources: {{requests: {{storage: 1Gi}}}}
{extra}---
"""


WITH_CLAIM = "  volumes:\n  - name: data\n    persistentVolumeClaim: {claimName: data}\n"
MOUNT = "    volumeMounts: [{name: data, mountPath: /data}]\n"
IN_Z9 = """apiVersion: v1
kind: PersistentVolume
metadata:
  name: vol-z9
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: by-hand
  hostPath: {path: /nowhere}
  nodeAffinity:
    required:
      nodeSelectorTerms:
      - matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [z9]}]
---
"""

SCENARIOS = (
    _refused("insufficient-cpu", "32-cores", pod(sleeper(container=_asks("cpu", "32")))),
    _refused("insufficient-memory", "64-gibibytes", pod(sleeper(container=_asks("memory", "64Gi")))),
    _refused("extended-resource-missing", "no-gpu", pod(sleeper(container=_asks("nvidia.com/gpu", "1")))),
    _refused("insufficient-ephemeral-storage", "too-large", pod(sleeper(container=_asks("ephemeral-storage", "1Ti")))),
    _refused("too-many-pods", "node-for-one", _first("n1", sleeper()) + pod(sleeper()), nodes={"n1": {"pods": 1}}),
    _refused("untolerated-taint", "dedicated", pod(sleeper()), nodes={"n1": {"taints": ["dedicated=gpu:NoSchedule"]}}),
    _refused(
        "control-plane-taint",
        "only-node",
        pod(sleeper()),
        nodes={"n1": {"taints": ["node-role.kubernetes.io/control-plane:NoSchedule"]}},
    ),
    _refused(
        "cloud-provider-uninitialized",
        "no-ccm",
        pod(sleeper()),
        nodes={"n1": {"taints": ["node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule"]}},
    ),
    _refused(
        "startup-taint-left",
        "cilium",
        pod(sleeper()),
        nodes={"n1": {"taints": ["node.cilium.io/agent-not-ready:NoSchedule"]}},
    ),
    _refused("node-cordoned", "both", pod(sleeper()), nodes={"n1": {"unschedulable": True}}),
    _refused("no-nodes", "none", pod(sleeper()), nodes={}),
    _refused("node-selector-mismatch", "ssd", pod(sleeper("  nodeSelector: {disktype: ssd}\n"))),
    _refused(
        "pod-anti-affinity",
        "hostname",
        _first("n1", sleeper()) + _first("n2", sleeper()) + pod(sleeper(ANTI)),
    ),
    _refused("pod-affinity", "no-cache", pod(sleeper(NEAR))),
    Scenario(
        "topology-spread",
        "zone-full",
        "unschedulable",
        ("topology-spread",),
        _first("n1", sleeper()) + pod(sleeper(SPREAD)),
        reached=UNSCHEDULABLE,
        nodes={"n1": TWO["n1"], "n2": {**TWO["n2"], "unschedulable": True}},
        also=("node-cordoned",),
    ),
    _refused(
        "host-port-conflict",
        "8080",
        _first("n1", sleeper(container="    ports: [{containerPort: 80, hostPort: 8080}]\n"))
        + pod(sleeper(container="    ports: [{containerPort: 80, hostPort: 8080}]\n")),
        nodes={"n1": {}},
    ),
    _refused("pvc-not-found", "never-made", pod(sleeper(WITH_CLAIM, MOUNT))),
    _refused(
        "pvc-unbound", "no-volume-fits", _claim("  storageClassName: by-hand\n") + pod(sleeper(WITH_CLAIM, MOUNT))
    ),
    Scenario(
        "no-default-storage-class",
        "plain-claim",
        "unschedulable",
        ("pvc-unbound", "no-default-storage-class"),
        _claim() + pod(sleeper(WITH_CLAIM, MOUNT)),
        reached=UNSCHEDULABLE,
        nodes=TWO,
    ),
    _refused(
        "volume-node-affinity-conflict",
        "wrong-zone",
        IN_Z9 + _claim("  storageClassName: by-hand\n  volumeName: vol-z9\n") + pod(sleeper(WITH_CLAIM, MOUNT)),
    ),
    Scenario(
        "scheduling-gate-unresolved",
        "own-gate",
        "held",
        ("scheduling-gate-unresolved",),
        pod(sleeper("  schedulingGates: [{name: example.com/quota-check}]\n")),
        reached=condition("PodScheduled", "False", "SchedulingGated"),
        nodes=TWO,
    ),
    *nodes.SCENARIOS,
    *volumes.SCENARIOS,
)
