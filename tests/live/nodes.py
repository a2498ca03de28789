"""Nodes that fall out, are lost or come back, simulated; what the real scheduler and controllers make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from tests.cluster import Cluster
from tests.cluster.base import Object
from tests.cluster.simulated import timestamp
from tests.live.admission import workload
from tests.live.scenario import UNSCHEDULABLE, Scenario, condition, older_than, pod, sleeper

ONE = {"n1": {"labels": {"pool": "a"}}}
ON_N1 = "  nodeSelector: {pool: a}\n"
WENT_WRONG = {
    "Ready": ("False", "KubeletNotReady", "CSINode is not yet initialized"),
    "MemoryPressure": ("True", "KubeletHasInsufficientMemory", "kubelet has insufficient memory available"),
    "DiskPressure": ("True", "KubeletHasDiskPressure", "kubelet has disk pressure"),
    "PIDPressure": ("True", "KubeletHasInsufficientPID", "kubelet has insufficient PID available"),
}
TAINTS = {
    "Ready": "node.kubernetes.io/not-ready",
    "MemoryPressure": "node.kubernetes.io/memory-pressure",
    "DiskPressure": "node.kubernetes.io/disk-pressure",
    "PIDPressure": "node.kubernetes.io/pid-pressure",
}


def tainted(key: str) -> Callable[[Object], bool]:
    """The node lifecycle controller has put that taint on the Node."""
    return lambda node: any(t["key"] == key for t in node["spec"].get("taints", []))


def go_wrong(cluster: Cluster, type_: str, node: str = "n1") -> None:
    """The Node's status says so, as its kubelet would."""
    status, reason, message = WENT_WRONG[type_]
    now = timestamp()
    told = {"type": type_, "status": status, "reason": reason, "message": message}
    times = {"lastHeartbeatTime": now, "lastTransitionTime": now}
    found = cluster.get("Node", None, node)
    assert found is not None
    conditions = [c for c in found["status"]["conditions"] if c["type"] != type_]
    cluster.api.merge(f"/api/v1/nodes/{node}/status", {"status": {"conditions": [*conditions, {**told, **times}]}})
    cluster.wait("Node", None, node, tainted(TAINTS[type_]))


def saying(type_: str) -> Callable[[Cluster], AbstractContextManager[None]]:
    """The fault of a Node with that condition."""

    @contextmanager
    def fault(cluster: Cluster) -> Iterator[None]:
        go_wrong(cluster, type_)
        yield

    fault.__doc__ = f"Node n1 reports {type_}={WENT_WRONG[type_][0]}."
    return fault


@contextmanager
def silent(cluster: Cluster) -> Iterator[None]:
    """The kubelet of n1 renews its Lease no more, so the Node is Unknown."""
    cluster.silence_node("n1")
    cluster.wait("Node", None, "n1", tainted("node.kubernetes.io/unreachable"))
    yield


def node_fails(cluster: Cluster, namespace: str) -> None:
    """The Pod's Node gets NotReady after the bind."""
    cluster.wait("Pod", namespace, "web", condition("PodScheduled", "True"))
    go_wrong(cluster, "Ready")


def node_falls_silent(cluster: Cluster, namespace: str) -> None:
    """Once the Pod is Ready, the kubelet of its Node renews its Lease no more."""
    cluster.wait("Pod", namespace, "web", condition("Ready", "True"))
    cluster.silence_node("n1")


def uncordoned(cluster: Cluster, namespace: str) -> None:
    """Once the Pod was refused: kubectl uncordon n1."""
    cluster.wait("Pod", namespace, "web", UNSCHEDULABLE)
    cluster.kubectl("uncordon", "n1")


def _refused_by(cause: str, type_: str) -> Scenario:
    return Scenario(
        cause, "reported", "unschedulable", (cause,), pod(sleeper()),
        reached=UNSCHEDULABLE, nodes=ONE, fault=saying(type_),
    )  # fmt: skip


SCENARIOS = (
    _refused_by("node-not-ready", "Ready"),
    _refused_by("node-memory-pressure", "MemoryPressure"),
    _refused_by("node-disk-pressure", "DiskPressure"),
    _refused_by("node-pid-pressure", "PIDPressure"),
    Scenario(
        "node-unreachable",
        "silent",
        "unschedulable",
        ("node-unreachable",),
        pod(sleeper()),
        reached=UNSCHEDULABLE,
        nodes=ONE,
        fault=silent,
    ),
    Scenario(
        "stale-scheduling-event",
        "uncordoned",
        "not_stuck",
        ("stale-scheduling-event",),
        pod(sleeper()),
        reached=condition("Ready", "True"),
        nodes={"n1": {"unschedulable": True, "runs_pods": True}},
        also=("ready",),
        then=uncordoned,
    ),
    Scenario(
        "daemonset-pinned-node",
        "too-large",
        "unschedulable",
        ("insufficient-cpu",),
        workload("DaemonSet", container='        resources: {requests: {cpu: "32"}}\n'),
        target="ds/web",
        kind="DaemonSet",
        reached=lambda o: o.get("status", {}).get("currentNumberScheduled") == 2,
        nodes={"n1": {}, "n2": {}},
        also=("daemonset-pinned-node",),
    ),
    Scenario(
        "too-young",
        "just-made",
        "not_stuck",
        ("too-young",),
        pod(sleeper("  schedulerName: another-scheduler\n")),
        nodes=ONE,
    ),
)

SLOW = (
    Scenario(
        "pod-marked-unready-by-node-controller",
        "silent",
        "scheduled_not_ready",
        ("node-not-ready-after-bind", "pod-marked-unready-by-node-controller"),
        pod(sleeper(ON_N1)),
        reached=condition("Ready", "False"),
        nodes={"n1": {"labels": {"pool": "a"}, "runs_pods": True}},
        then=node_falls_silent,
    ),
    Scenario(
        "kubelet-not-acting",
        "node-ready",
        "scheduled_not_ready",
        ("kubelet-not-acting",),
        pod(sleeper()),
        reached=older_than(130),
        nodes={"n1": {}},
        timeout=180,
    ),
    Scenario(
        "node-not-ready-after-bind",
        "not-ready",
        "scheduled_not_ready",
        ("node-not-ready-after-bind",),
        pod(sleeper(ON_N1)),
        reached=older_than(33),
        nodes=ONE,
        then=node_fails,
    ),
)
