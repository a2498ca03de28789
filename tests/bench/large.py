"""A refused Pod among 1,000 Nodes and 30,000 Pods: what its own message decides needs no list of Pods."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterable, Iterator
from http.client import HTTPException
from itertools import chain
from pathlib import Path

from tests.bench import sweep
from tests.bench.counting import is_full_pod_list, requests_of
from tests.bench.measure import Command, Meter, whypending
from tests.bench.objects import NAMESPACE, node, pod
from tests.bench.report import Report
from tests.cluster import Cluster
from tests.cluster.api import MERGE_PATCH, Api
from tests.cluster.tools import kubectl_command

NODES, PODS, WRITERS = 1_000, 30_000, 12
_OK, _CREATED, _EXISTS = 200, 201, 409


def bench(report: Report, runs: int, root: Path) -> None:
    """At most 120 MB, and no full list of Pods."""
    with Cluster(root / "large", node=False, controllers=False) as cluster:
        fill(cluster.api)
        refused = pod("refused", "")
        del refused["spec"]["nodeName"]
        refused["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "64"
        cluster.apply(refused)
        cluster.wait("Pod", NAMESPACE, "refused", lambda made: bool(made["status"].get("conditions")), 300)
        report.title(f"A refused Pod among {NODES:,} Nodes and {PODS:,} Pods ({runs} runs each, in turn)")
        where = ("-n", NAMESPACE, "--kubeconfig", str(cluster.kubeconfig))
        with Meter({"KUBECACHEDIR": str(root / "kubectl-cache")}) as meter:
            ours = whypending("whypending pod", "pod", "refused", *where, statuses=[1])
            theirs = Command("kubectl describe", (str(kubectl_command()), "describe", "pod", "refused", *where))
            rows = meter.in_turn((ours, theirs), runs)
        report.table(rows)
        report.peak(rows[0], 120)
        sent = requests_of("pod", "refused", *where)
        report.line(f"  {len(sent)} requests:")
        for request in sent:
            report.line(f"    GET {request}")
        report.judge("full lists of Pods", sum(map(is_full_pod_list, sent)), 0, "lists")
        write(cluster.api, chain(sweep.running(f"app-{n % 200}-{n:05}" for n in range(PODS)), sweep.stuck()), PODS)
        sweep.bench(report, runs, root, cluster)


def fill(api: Api) -> None:
    """Create the Nodes and the Pods on them."""
    api.request("POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    nodes = (("POST", "/api/v1/nodes", node(f"node-{n:04}")) for n in range(NODES))
    path = f"/api/v1/namespaces/{NAMESPACE}/pods"
    pods = (("POST", path, pod(f"app-{n % 200}-{n:05}", f"node-{n % NODES:04}")) for n in range(PODS))
    write(api, chain(nodes, pods), NODES + PODS)


def write(api: Api, requests: Iterable[sweep.Written], total: int) -> None:
    """Send so many requests, each with its method, path and object."""
    todo = _Shared(requests, total)
    threads = [threading.Thread(target=_write, args=(api, todo)) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if todo.problems:
        raise RuntimeError(f"the cluster could not be filled: {todo.problems[0]}")


class _Shared:
    """Objects that are handed out to several threads, each once; the first problem ends it."""

    def __init__(self, items: Iterable[sweep.Written], total: int) -> None:
        self._items = iter(items)
        self._total = total
        self._lock = threading.Lock()
        self._done = 0
        self.problems: list[str] = []

    def __iter__(self) -> Iterator[sweep.Written]:
        return self

    def __next__(self) -> sweep.Written:
        with self._lock:
            if self.problems:
                raise StopIteration
            item = next(self._items)
            self._done += 1
            if self._done % 1000 == 0:
                sys.stderr.write(f"tests.bench: {self._done:,} of {self._total:,} objects\n")
            return item


def _write(api: Api, todo: _Shared) -> None:
    connection = api.connection()
    try:
        for method, path, item in todo:
            kind = MERGE_PATCH if method == "PATCH" else "application/json"
            connection.request(method, path, json.dumps(item), {"Content-Type": kind})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status not in (_OK, _CREATED, _EXISTS):
                todo.problems.append(f"{path}: {answer.status} {text[:300]!r}")
    except (OSError, HTTPException) as error:
        todo.problems.append(f"{type(error).__name__}: {error}")
    finally:
        connection.close()
