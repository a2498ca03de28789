"""Simulated Nodes: plain API objects that stay Ready because ``heartbeat`` renews their Leases."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from tests.cluster.api import Api
from tests.cluster.base import Object
from tests.cluster.node_config import LEASE_SECONDS

LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
SIMULATED = "whypending.test/simulated"
RUNS_PODS = "whypending.test/runs-pods"


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
