"""Situations in which kube-scheduler's words are recorded, with the facts that any release's words must agree with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.live.scenario import UNSCHEDULABLE, Reached, Scenario, pod, sleeper

Z1 = {"topology.kubernetes.io/zone": "z1"}
Z2 = {"topology.kubernetes.io/zone": "z2"}
POOL = {"pool": "a"}
TWO: dict[str, dict[str, Any]] = {"n1": {"labels": Z1}, "n2": {"labels": Z2}}
PORT = "    ports: [{containerPort: 80, hostPort: 8080}]\n"


@dataclass(frozen=True)
class Situation:
    """One Pod that no Node can take.

    causes: how many of the Nodes are refused for that cause; None where the scheduler gives no count.
    family: the form of the words, where all releases have the same; "" = "braces" up to 1.34.1, "current" after.
    silent: releases that give no reason at all.
    """

    name: str
    manifest: str
    causes: Mapping[str, int | None]
    nodes: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: TWO)
    family: str = "current"
    silent: frozenset[str] = frozenset()
    reached: Reached = UNSCHEDULABLE

    @property
    def scenario(self) -> Scenario:
        """As tests/live brings it about."""
        cause = next(iter(self.causes))
        return Scenario(
            cause, self.name, "unschedulable", (cause,), self.manifest, nodes=self.nodes, reached=self.reached
        )  # fmt: skip


def _asks(**resources: str) -> str:
    words = ", ".join(f"{name}: {amount}" for name, amount in resources.items())
    return f"    resources: {{requests: {{{words}}}}}\n"


def _first(node: str, spec: str) -> str:
    return pod(f"  nodeName: {node}\n{spec}", name=f"first-{node}") + "---\n"


def _affinity(kind: str, app: str) -> str:
    return f"""  affinity:
    {kind}:
      requiredDuringSchedulingIgnoredDuringExecution:
      - labelSelector: {{matchLabels: {{app: {app}}}}}
        topologyKey: kubernetes.io/hostname
"""


def _spread(key: str) -> str:
    return f"""  topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: {key}
    whenUnsatisfiable: DoNotSchedule
    labelSelector: {{matchLabels: {{app: web}}}}
"""


PINNED = """  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchFields: [{key: metadata.name, operator: In, values: [gone]}]
"""
CLAIM = """apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
  storageClassName: by-hand
%s---
"""
IN_Z9 = """apiVersion: v1
kind: PersistentVolume
metadata: {name: vol-z9}
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
WITH_CLAIM = "  volumes:\n  - name: data\n    persistentVolumeClaim: {claimName: data}\n"
MOUNT = "    volumeMounts: [{name: data, mountPath: /data}]\n"
GPU_TAINT = "dedicated=gpu:NoSchedule"
CONTROL_PLANE = "node-role.kubernetes.io/control-plane:NoSchedule"

SITUATIONS = (
    Situation("cpu-larger-than-any-node", pod(sleeper(container=_asks(cpu="32"))), {"insufficient-cpu": 2}),
    Situation(
        "cpu-held-by-another-pod",
        _first("n1", sleeper(container=_asks(cpu="3"))) + pod(sleeper(container=_asks(cpu="2"))),
        {"insufficient-cpu": 1},
        nodes={"n1": {}},
    ),
    Situation(
        "cpu-and-memory",
        pod(sleeper(container=_asks(cpu="8", memory="16Gi"))),
        {"insufficient-cpu": 2, "insufficient-memory": 2},
        nodes={"n1": {"memory": "64Gi"}, "n2": {"cpu": "64"}, "n3": {}},
    ),
    Situation(
        "gpu-that-no-node-has",
        pod(sleeper(container='    resources: {limits: {nvidia.com/gpu: "1"}}\n')),
        {"extended-resource-missing": 2},
    ),
    Situation("no-room-for-pods", pod(sleeper()), {"too-many-pods": 1}, nodes={"n1": {"pods": 0}}),
    Situation("one-taint", pod(sleeper()), {"untolerated-taint": 1}, nodes={"n1": {"taints": [GPU_TAINT]}}, family=""),
    Situation(
        "three-kinds-of-taint",
        pod(sleeper()),
        {"untolerated-taint": 1, "control-plane-taint": 1, "node-cordoned": 1},
        nodes={"n1": {"taints": [GPU_TAINT]}, "n2": {"taints": [CONTROL_PLANE]}, "n3": {"unschedulable": True}},
        family="",
    ),
    Situation("label-on-no-node", pod(sleeper("  nodeSelector: {disktype: ssd}\n")), {"node-selector-mismatch": 2}),
    Situation(
        "pinned-to-a-node-that-is-gone",
        pod(sleeper(PINNED)),
        {"node-selector-mismatch": 2},
        silent=frozenset({"1.30.14"}),
    ),
    Situation(
        "anti-affinity",
        _first("n1", sleeper()) + _first("n2", sleeper()) + pod(sleeper(_affinity("podAntiAffinity", "web"))),
        {"pod-anti-affinity": 2},
    ),
    Situation("affinity-to-nothing", pod(sleeper(_affinity("podAffinity", "cache"))), {"pod-affinity": 2}),
    Situation(
        "spread-over-a-cordoned-zone",
        _first("n1", sleeper()) + pod(sleeper(_spread("topology.kubernetes.io/zone"))),
        {"topology-spread": 1, "node-cordoned": 1},
        nodes={"n1": {"labels": Z1}, "n2": {"labels": Z2, "unschedulable": True}},
    ),
    Situation("spread-over-a-label-on-no-node", pod(sleeper(_spread("example.com/rack"))), {"topology-spread": 2}),
    Situation(
        "host-port",
        _first("n1", sleeper(container=PORT)) + pod(sleeper(container=PORT)),
        {"host-port-conflict": 1},
        nodes={"n1": {}},
    ),
    Situation(
        "claim-that-does-not-exist",
        pod(sleeper(WITH_CLAIM, MOUNT)),
        {"pvc-not-found": None},
        family="prefilter",
    ),
    Situation(
        "claim-not-bound", CLAIM % "" + pod(sleeper(WITH_CLAIM, MOUNT)), {"pvc-unbound": None}, family="prefilter"
    ),
    Situation(
        "volume-of-another-zone",
        IN_Z9 + CLAIM % "  volumeName: vol-z9\n" + pod(sleeper(WITH_CLAIM, MOUNT)),
        {"volume-node-affinity-conflict": 2},
    ),
    Situation("no-nodes", pod(sleeper()), {"no-nodes": None}, nodes={}, family="kubernetes"),
    Situation(
        "each-node-for-another-reason",
        _first("n4", sleeper(container=PORT)) + pod(sleeper("  nodeSelector: {pool: a}\n", _asks(cpu="2") + PORT)),
        {"untolerated-taint": 1, "insufficient-cpu": 1, "node-selector-mismatch": 1, "host-port-conflict": 1},
        nodes={
            "n1": {"labels": POOL, "taints": [GPU_TAINT]},
            "n2": {"labels": POOL, "cpu": "1"},
            "n3": {},
            "n4": {"labels": POOL},
        },
        family="",
    ),
)
