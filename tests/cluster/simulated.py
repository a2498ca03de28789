"""Simulated Nodes: plain API objects that stay Ready because a process renews their Leases.

The process (``python -m tests.cluster.simulated KUBECONFIG``) also does the least that a kubelet
would: it confirms the deletion of Pods on these Nodes and, where asked to, reports them Running.
"""

from __future__ import annotations

import datetime as dt
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.cluster.api import Api, ApiError
from tests.cluster.base import Object
from tests.cluster.node_config import LEASE_SECONDS

LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
SIMULATED = "whypending.test/simulated"
RUNS_PODS = "whypending.test/runs-pods"
HEARTBEAT_SECONDS = 4.0


def timestamp(*, micro: bool = False) -> str:
    """The present moment as the API writes it."""
    now = dt.datetime.now(dt.UTC)
    return now.strftime("%Y-%m-%dT%H:%M:%S.%fZ" if micro else "%Y-%m-%dT%H:%M:%SZ")


def parse_taint(text: str) -> Object:
    """A taint written as kubectl has it: ``key=value:Effect`` or ``key:Effect``."""
    rest, _, effect = text.rpartition(":")
    key, equals, value = rest.partition("=")
    return {"key": key, "effect": effect, **({"value": value} if equals else {})}


def node_object(  # noqa: PLR0913 - each is one property of a Node
    name: str,
    *,
    cpu: str = "4",
    memory: str = "8Gi",
    pods: int = 110,
    labels: Mapping[str, str] | None = None,
    taints: Iterable[Object | str] = (),
    extra: Mapping[str, str] | None = None,
    unschedulable: bool = False,
) -> Object:
    """A Node with its status; ``extra`` are further resources."""
    room = {"cpu": cpu, "memory": memory, "pods": str(pods), "ephemeral-storage": "100Gi", **(extra or {})}
    now = timestamp()
    conditions = [
        {
            "type": kind,
            "status": "True" if kind == "Ready" else "False",
            "reason": reason,
            "message": message,
            "lastHeartbeatTime": now,
            "lastTransitionTime": now,
        }
        for kind, reason, message in (
            ("Ready", "KubeletReady", "kubelet is posting ready status"),
            ("MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
            ("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
            ("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
        )
    ]
    standard = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
    spec: Object = {"taints": [parse_taint(t) if isinstance(t, str) else t for t in taints]}
    if unschedulable:
        spec["unschedulable"] = True
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {**standard, **(labels or {})}},
        "spec": spec,
        "status": {
            "capacity": room,
            "allocatable": room,
            "conditions": conditions,
            "addresses": [{"type": "Hostname", "address": name}],
        },
    }


def create_node(api: Api, node: Object, *, runs_pods: bool) -> None:
    """Creates a simulated Node and the Lease that marks it as ours to keep Ready."""
    name = node["metadata"]["name"]
    labels = {SIMULATED: "true", RUNS_PODS: str(runs_pods).lower()}
    lease = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": name, "namespace": "kube-node-lease", "labels": labels},
        "spec": {
            "holderIdentity": name,
            "leaseDurationSeconds": LEASE_SECONDS,
            "renewTime": timestamp(micro=True),
        },
    }
    api.request("POST", LEASES, lease)
    api.request("POST", "/api/v1/nodes", node)


def beat(api: Api, *, renew: bool) -> None:
    """One round: renews Leases if it is time and looks after the Pods."""
    leases = api.get(f"{LEASES}?labelSelector={SIMULATED}%3Dtrue")["items"]
    if renew:
        for lease in leases:
            api.merge(f"{LEASES}/{lease['metadata']['name']}", {"spec": {"renewTime": timestamp(micro=True)}})
    runs = {lease["metadata"]["name"]: lease["metadata"]["labels"][RUNS_PODS] == "true" for lease in leases}
    if not runs:
        return
    for pod in api.get("/api/v1/pods?fieldSelector=spec.nodeName!%3D&resourceVersion=0")["items"]:
        if pod["spec"]["nodeName"] in runs:
            _look_after(api, pod, run=runs[pod["spec"]["nodeName"]])


def _look_after(api: Api, pod: Object, *, run: bool) -> None:
    metadata = pod["metadata"]
    path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}"
    try:
        if "deletionTimestamp" in metadata:
            options = {"gracePeriodSeconds": 0, "preconditions": {"uid": metadata["uid"]}}
            api.request("DELETE", path, {"apiVersion": "v1", "kind": "DeleteOptions", **options})
        elif run and pod["status"].get("phase") == "Pending":
            api.merge(f"{path}/status", {"status": _running_status(pod)})
    except ApiError as error:
        if error.status not in (404, 409):
            raise


def _running_status(pod: Object) -> Object:
    now = timestamp()
    conditions = [c for c in pod["status"].get("conditions", []) if c["type"] == "PodScheduled"]
    conditions += [
        {"type": kind, "status": "True", "lastTransitionTime": now}
        for kind in ("Initialized", "ContainersReady", "Ready")
    ]
    containers = [
        {
            "name": c["name"],
            "image": c["image"],
            "imageID": "",
            "ready": True,
            "started": True,
            "restartCount": 0,
            "state": {"running": {"startedAt": now}},
        }
        for c in pod["spec"]["containers"]
    ]
    return {"phase": "Running", "startTime": now, "conditions": conditions, "containerStatuses": containers}


def main(kubeconfig: str) -> None:
    """Keeps simulated Nodes alive until it is ended."""
    api = Api(Path(kubeconfig))
    renewed = 0.0
    while True:
        began = time.monotonic()
        renew = began - renewed >= HEARTBEAT_SECONDS
        try:
            beat(api, renew=renew)
            renewed = began if renew else renewed
        except (OSError, ApiError) as error:
            sys.stderr.write(f"{timestamp()} {error}\n")
        # A big cluster must not be kept busy by being looked at.
        time.sleep(max(0.5, 5 * (time.monotonic() - began)))


if __name__ == "__main__":
    main(sys.argv[1])
