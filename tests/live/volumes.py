"""Volumes, claims, devices and priorities that keep the real scheduler or the attach controller from going on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.live.scenario import UNSCHEDULABLE, Reached, Scenario, older_than, pod, sleeper

Nodes = Mapping[str, Mapping[str, Any]]
ONE: Nodes = {"n1": {}}
BOUND = "pv.kubernetes.io/bind-completed"


def claim(name: str = "data", extra: str = "", notes: str = "", mode: str = "ReadWriteOnce") -> str:
    """A claim of 1 GiB; `extra` is YAML of its spec."""
    return f"""apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {name}
{notes}spec:
  accessModes: [{mode}]
  resources: {{requests: {{storage: 1Gi}}}}
{extra}---
"""


def volume(name: str, source: str, mode: str = "ReadWriteOnce") -> str:
    """A volume of 1 GiB of the class by-hand."""
    return f"""apiVersion: v1
kind: PersistentVolume
metadata: {{name: {name}}}
spec:
  capacity: {{storage: 1Gi}}
  accessModes: [{mode}]
  storageClassName: by-hand
  {source}
---
"""


def uses(claim_name: str, name: str = "web", node: str = "") -> str:
    """A Pod that mounts the claim."""
    where = f"  nodeName: {node}\n" if node else ""
    volumes = f"  volumes:\n  - name: data\n    persistentVolumeClaim: {{claimName: {claim_name}}}\n"
    mount = "    volumeMounts: [{name: data, mountPath: /data}]\n"
    return pod(where + sleeper(volumes, mount), name=name)


def _refused(
    cause: str, slug: str, manifest: str, *first: str, nodes: Nodes = ONE, reached: Reached = UNSCHEDULABLE
) -> Scenario:
    return Scenario(cause, slug, "unschedulable", (*first, cause), manifest, reached=reached, nodes=nodes)


BY_HAND = "  storageClassName: by-hand\n"
NO_DRIVER = """apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: whypending-fast}
provisioner: disk.csi.example.com
---
"""
CAPACITY = """apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: pool.csi.example.com}
spec: {storageCapacity: true, attachRequired: false}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: whypending-pool}
provisioner: pool.csi.example.com
volumeBindingMode: WaitForFirstConsumer
---
"""
ONE_SLOT = """apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: n1}
spec: {drivers: [{name: slots.csi.example.com, nodeID: n1, allocatable: {count: 1}}]}
---
"""
PRIORITY = """apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: whypending-patient}
value: 1000
preemptionPolicy: Never
---
"""
DEVICE = """apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
---
"""
CSI = "csi: {driver: %s, volumeHandle: %s}"
SLOTS = "slots.csi.example.com"
THREE_CPU = "    resources: {requests: {cpu: 3}}\n"

SCENARIOS = (
    _refused(
        "pv-not-found",
        "volume-gone",
        claim(extra=f"{BY_HAND}  volumeName: vol-gone\n", notes=f'  annotations: {{{BOUND}: "yes"}}\n') + uses("data"),
    ),
    _refused(
        "volume-in-use-rwop",
        "first-pod",
        volume("vol-rwop", CSI % (SLOTS, "one"), "ReadWriteOncePod")
        + claim(extra=f"{BY_HAND}  volumeName: vol-rwop\n", mode="ReadWriteOncePod")
        + uses("data", "first", "n1")
        + "---\n"
        + uses("data"),
    ),
    _refused(
        "max-volume-count",
        "one-slot",
        ONE_SLOT
        + volume("vol-a", CSI % (SLOTS, "a"))
        + volume("vol-b", CSI % (SLOTS, "b"))
        + claim("a", f"{BY_HAND}  volumeName: vol-a\n")
        + claim("b", f"{BY_HAND}  volumeName: vol-b\n")
        + uses("a", "first", "n1")
        + "---\n"
        + uses("b"),
    ),
    _refused(
        "storage-capacity",
        "nothing-reported",
        CAPACITY + claim(extra="  storageClassName: whypending-pool\n") + uses("data"),
    ),
    _refused(
        "csi-driver-missing",
        "never-installed",
        NO_DRIVER + claim(extra="  storageClassName: whypending-fast\n") + uses("data"),
        "pvc-unbound",
    ),
    _refused(
        "preemption-not-possible",
        "policy-never",
        PRIORITY
        + pod("  nodeName: n1\n" + sleeper(container=THREE_CPU), name="first")
        + "---\n"
        + pod(sleeper("  priorityClassName: whypending-patient\n", THREE_CPU)),
        "insufficient-cpu",
    ),
    _refused(
        "dra-claim-not-allocated",
        "no-device",
        DEVICE
        + pod(
            sleeper(
                "  resourceClaims: [{name: gpu, resourceClaimName: gpu}]\n", "    resources: {claims: [{name: gpu}]}\n"
            )
        ),
    ),
    Scenario(
        "volume-multi-attach",
        "two-nodes",
        "scheduled_not_ready",
        ("volume-multi-attach",),
        volume("vol-shared", CSI % ("disk.csi.example.com", "shared"))
        + claim(extra=f"{BY_HAND}  volumeName: vol-shared\n")
        + uses("data", "first", "n1")
        + "---\n"
        + uses("data", "web", "n2"),
        reached=older_than(10),
        nodes={"n1": {}, "n2": {}},
    ),
)
