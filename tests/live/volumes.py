"""Volumes, claims, devices and priorities that keep the real scheduler or the attach controller from going on."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.cluster import Cluster
from tests.cluster.simulated import timestamp
from tests.live.scenario import UNSCHEDULABLE, Object, Reached, Scenario, await_event, older_than, pod, sleeper

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
LATE_NO_DRIVER = NO_DRIVER.replace("whypending-fast", "whypending-late").replace(
    "---\n", "volumeBindingMode: WaitForFirstConsumer\n---\n"
)
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
TWO: Nodes = {"n1": {"labels": {"pool": "a"}}, "n2": {"labels": {"pool": "b"}}}
ON_N2 = "nodeSelector: {pool: b}\n"
CSI = "csi: {driver: %s, volumeHandle: %s}"
SLOTS = "slots.csi.example.com"
THREE_CPU = "    resources: {requests: {cpu: 3}}\n"

DISK = "disk.csi.example.com"
ONE_DISK = volume("vol-disk", CSI % (DISK, "disk")) + claim(extra=f"{BY_HAND}  volumeName: vol-disk\n")
ATTACHES = "volumes.kubernetes.io/controller-managed-attach-detach=true"


@contextmanager
def attaching(cluster: Cluster) -> Iterator[None]:
    """The attach/detach controller looks after n1 and n2."""
    for node in TWO:
        cluster.kubectl("annotate", "node", node, ATTACHES)
    yield


def _attachment(cluster: Cluster, status: Object) -> None:
    """What the external attacher, which is not there, writes onto the first VolumeAttachment."""
    path = "/apis/storage.k8s.io/v1/volumeattachments"
    deadline = time.monotonic() + 30
    while not (found := cluster.api.get(path)["items"]):
        assert time.monotonic() < deadline, "no VolumeAttachment"
        time.sleep(0.2)
    cluster.api.merge(f"{path}/{found[0]['metadata']['name']}/status", {"status": status})


def attach_fails(cluster: Cluster, namespace: str) -> None:
    """The attacher answers with an error."""
    error = {"time": timestamp(), "message": "rpc error: code = NotFound desc = disk not found"}
    _attachment(cluster, {"attached": False, "attachError": error})
    await_event(cluster, namespace, "FailedAttachVolume")


def attached_elsewhere(cluster: Cluster, namespace: str) -> None:
    """The attacher has attached the disk to n1; then the gate of the second Pod is taken off."""
    _attachment(cluster, {"attached": True})
    cluster.kubectl("-n", namespace, "patch", "pod", "web", "--type=merge", "-p", '{"spec":{"schedulingGates":[]}}')
    await_event(cluster, namespace, "FailedAttachVolume")


def provisioning_is_asked_for(cluster: Cluster, namespace: str) -> None:
    """The scheduler has chosen a node, and the volume controller waits for a provisioner that is not there."""
    await_event(cluster, namespace, "ExternalProvisioning")


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
    Scenario(
        "preemption-not-possible",
        "policy-never",
        "unschedulable",
        ("insufficient-cpu",),
        PRIORITY
        + pod("  nodeName: n1\n" + sleeper(container=THREE_CPU), name="first")
        + "---\n"
        + pod(sleeper("  priorityClassName: whypending-patient\n", THREE_CPU)),
        reached=UNSCHEDULABLE,
        nodes=ONE,
        also=("preemption-not-possible",),
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
)

SLOW = (
    # their Events are repeated while one looks
    Scenario(
        "volume-attach-failed",
        "attacher",
        "scheduled_not_ready",
        ("volume-attach-failed",),
        ONE_DISK + uses("data").replace("spec:\n", "spec:\n  nodeSelector: {pool: a}\n", 1),
        nodes=TWO,
        fault=attaching,
        then=attach_fails,
    ),
    Scenario(
        "volume-multi-attach",
        "two-nodes",
        "scheduled_not_ready",
        ("volume-multi-attach",),
        ONE_DISK
        + uses("data", "first", "n1")
        + "---\n"
        + uses("data").replace("spec:\n", "spec:\n  schedulingGates: [{name: example.com/after-first}]\n  " + ON_N2, 1),
        nodes=TWO,
        fault=attaching,
        then=attached_elsewhere,
    ),
    _refused(
        "csi-driver-missing",
        "never-installed",
        NO_DRIVER + claim(extra="  storageClassName: whypending-fast\n") + uses("data"),
        "pvc-unbound",
    ),
    Scenario(
        "csi-driver-missing",
        "before-the-timeout",
        "unschedulable",
        ("binding-timeout", "csi-driver-missing"),
        LATE_NO_DRIVER + claim(extra="  storageClassName: whypending-late\n") + uses("data"),
        reached=older_than(25),
        nodes=ONE,
        then=provisioning_is_asked_for,
    ),
)
