"""`whypending pod` against a running control plane, against `kubectl describe` of the same Pod."""

from __future__ import annotations

import time
from pathlib import Path

from tests.bench.counting import requests_of
from tests.bench.measure import Command, Meter, whypending
from tests.bench.report import Report
from tests.cluster import Cluster
from tests.cluster.base import Object, until
from tests.cluster.simulated import timestamp
from tests.cluster.tools import kubectl_command

MOST_REQUESTS = 8
"""For a Pod that has a node."""
_OLD_ENOUGH = 21
"""Seconds after which a Pod that no scheduler has taken up is not young any more."""
_CLASSES = (
    ("refused", "pod/refused"),
    ("bound", "pod/bound"),
    ("no scheduler", "pod/mistyped"),
    ("held", "pod/gated"),
    ("ready", "pod/ready"),
    ("no Pod", "deploy/no-account"),
)
_AGAINST_KUBECTL = 3


def bench(report: Report, runs: int, root: Path) -> None:
    """At most three times the time of kubectl, and 75 MB."""
    with Cluster(root / "cluster", node=False) as cluster:
        namespace = make_pods(cluster)
        where = ("-n", namespace, "--kubeconfig", str(cluster.kubeconfig))
        report.title(f"whypending pod and kubectl describe of the same Pod ({runs} runs each, in turn)")
        with Meter({"KUBECACHEDIR": str(root / "kubectl-cache")}) as meter:
            for name, target in _CLASSES[:_AGAINST_KUBECTL]:
                ours = whypending(f"whypending pod ({name})", "pod", target, *where, statuses=[1])
                theirs = Command("kubectl describe", (str(kubectl_command()), "describe", target, *where))
                rows = meter.in_turn((ours, theirs), runs)
                report.table(rows)
                report.ratio(rows[0], rows[1], 3)
                report.peak(rows[0], 75)
        report.title("Requests of one look, by class")
        for name, target in _CLASSES:
            count = len(requests_of("pod", target, *where))
            if name == "bound":
                report.judge("requests for a bound Pod", count, MOST_REQUESTS, "requests")
            else:
                report.line(f"  {count:4}  {name}")


def make_pods(cluster: Cluster) -> str:
    """A namespace with a Pod of each class, old enough to be judged."""
    cluster.simulated_node("sim-1", labels={"bench": "pending"})
    cluster.simulated_node("sim-2", labels={"bench": "running"}, runs_pods=True)
    namespace = cluster.namespace("bench")
    cluster.apply([*(_pod(name, **spec) for name, spec in _specs().items()), _deployment()], namespace)
    cluster.wait("Pod", namespace, "bound", lambda pod: "nodeName" in pod["spec"])
    path = f"/api/v1/namespaces/{namespace}/pods/bound/status"
    cluster.api.merge(path, {"status": _crash_loop()})
    cluster.wait("Pod", namespace, "ready", lambda pod: pod["status"]["phase"] == "Running")
    mistyped = cluster.get("Pod", namespace, "mistyped")
    if mistyped is None:
        raise RuntimeError("the Pod mistyped is gone")
    born = mistyped["metadata"]["creationTimestamp"]
    until(lambda: _seconds(timestamp()) - _seconds(born) > _OLD_ENOUGH, 60)
    return namespace


def _specs() -> dict[str, Object]:
    return {
        "refused": {"resources": {"requests": {"cpu": "64"}}},
        "bound": {"nodeSelector": {"bench": "pending"}},
        "mistyped": {"schedulerName": "defualt-scheduler"},
        "gated": {"schedulingGates": [{"name": "example.com/hold"}]},
        "ready": {"nodeSelector": {"bench": "running"}},
    }


def _pod(name: str, **spec: object) -> Object:
    container = {"name": "main", "image": "registry.example.com/app:1", "resources": spec.pop("resources", {})}
    whole = {"containers": [container], "terminationGracePeriodSeconds": 0, **spec}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": whole}


def _deployment() -> Object:
    """One whose Pods are refused: the ServiceAccount is not there."""
    spec = {"serviceAccountName": "absent", "containers": [{"name": "main", "image": "registry.example.com/app:1"}]}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "no-account"},
        "spec": {
            "selector": {"matchLabels": {"app": "no-account"}},
            "template": {"metadata": {"labels": {"app": "no-account"}}, "spec": spec},
        },
    }


def _crash_loop() -> Object:
    """As a kubelet reports it."""
    now = timestamp()
    ended = {"exitCode": 1, "reason": "Error", "startedAt": now, "finishedAt": now}
    words = "back-off 40s restarting failed container=main pod=bound"
    return {
        "phase": "Running",
        "startTime": now,
        "containerStatuses": [
            {
                "name": "main",
                "image": "registry.example.com/app:1",
                "imageID": "registry.example.com/app@sha256:" + "0" * 64,
                "ready": False,
                "started": False,
                "restartCount": 4,
                "state": {"waiting": {"reason": "CrashLoopBackOff", "message": words}},
                "lastState": {"terminated": ended},
            }
        ],
    }


def _seconds(moment: str) -> float:
    return time.mktime(time.strptime(moment, "%Y-%m-%dT%H:%M:%SZ"))
