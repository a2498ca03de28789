"""`whypending sweep -A` on a large cluster with 500 stuck Pods, against `kubectl get pods -A` there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.counting import is_full_pod_list, requests_of
from tests.bench.measure import Command, Meter, whypending
from tests.bench.objects import NAMESPACE, pod
from tests.bench.report import Report
from tests.cluster import Cluster
from tests.cluster.base import Object
from tests.cluster.simulated import timestamp
from tests.cluster.tools import kubectl_command

STUCK = 500
_WORKLOADS = 50
"""The stuck Pods are those of so many, ten each."""
_OLD_ENOUGH = 25
"""Seconds after which a Pod that no scheduler has taken up is not young any more."""
_NAMES = ("volcano", "my-scheduler", "defualt-scheduler")
Written = tuple[str, str, Object]


def running(names: Iterator[str]) -> Iterator[Written]:
    """Requests that make Pods Running and Ready: there is no kubelet that would."""
    now = timestamp()
    conditions = [{"type": t, "status": "True", "lastTransitionTime": now} for t in ("PodScheduled", "Ready")]
    status = {"phase": "Running", "startTime": now, "conditions": conditions}
    for name in names:
        yield "PATCH", f"/api/v1/namespaces/{NAMESPACE}/pods/{name}/status", {"status": status}


def stuck() -> Iterator[Written]:
    """Requests that make the stuck Pods: refused for their size, held by a gate, or of three orphan names."""
    for number in range(STUCK):
        group = number % _WORKLOADS
        made = pod(f"stuck-{group:02}-{number:03}", "")
        del made["spec"]["nodeName"]
        made["spec"] |= _trouble(group)
        if group % 5 < 2:
            made["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "64"
        yield "POST", f"/api/v1/namespaces/{NAMESPACE}/pods", made


def _trouble(group: int) -> Object:
    match group % 5:
        case 2:
            return {"schedulingGates": [{"name": "example.com/hold"}]}
        case 3 | 4:
            return {"schedulerName": _NAMES[group % 3]}
        case _:
            return {"nodeSelector": {"kubernetes.io/os": "linux"}} if group % 2 else {}


def bench(report: Report, runs: int, root: Path, cluster: Cluster) -> None:
    """At most 150 MB, a fifth of kubectl's time, and no full list of Pods."""
    time.sleep(_OLD_ENOUGH)
    report.title(f"Sweep of a cluster with {STUCK} stuck Pods ({runs} runs each, in turn)")
    where = ("--kubeconfig", str(cluster.kubeconfig))
    with Meter({"KUBECACHEDIR": str(root / "kubectl-cache")}) as meter:
        ours = whypending("whypending sweep -A", "sweep", "-A", *where, statuses=[1])
        theirs = Command("kubectl get pods -A", (str(kubectl_command()), "get", "pods", "-A", *where))
        whole = whypending("whypending sweep -A --not-ready", "sweep", "-A", "--not-ready", *where, statuses=[1])
        rows = meter.in_turn((ours, theirs, whole), runs)
    report.table(rows)
    report.ratio(rows[0], rows[1], 0.2)
    report.peak(rows[0], 150)
    sent = requests_of("sweep", "-A", *where)
    report.line(f"  {len(sent)} requests:")
    for request in sent:
        report.line(f"    GET {request}")
    report.judge("full lists of Pods", sum(map(is_full_pod_list, sent)), 0, "lists")
