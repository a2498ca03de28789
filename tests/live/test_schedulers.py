"""A real second scheduler in every state that decides on a schedulerName, as `schedulers` and `pod` tell it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cluster import Cluster
from tests.cluster.base import until
from tests.cluster.tools import kubectl_command
from tests.live.conftest import Run, run
from tests.live.rights import give
from tests.live.scenario import older_than, pod, sleeper
from tests.live.second_scheduler import BUILT_IN, NAMESPACE, second_scheduler

pytestmark = pytest.mark.cluster
PORT, OTHER_PORT = 19271, 19272
SECOND, SHARER = "second", "sharer"


@pytest.fixture(scope="module")
def namespace(cluster: Cluster) -> Iterator[str]:
    """Where the Pods wait, beside a second scheduler that leads."""
    made = cluster.namespace("who-schedules")
    with second_scheduler(cluster, SECOND, cluster_roles=BUILT_IN, may_lead=True, port=PORT):
        assert until(lambda: bool(lease(cluster)["spec"].get("holderIdentity")), 40, 0.5)
        yield made
    cluster.kubectl("delete", "namespace", made, "--wait=false")


def lease(cluster: Cluster, name: str = SECOND) -> Any:
    return cluster.get("Lease", NAMESPACE, name) or {"spec": {}}


def asks_for(cluster: Cluster, namespace: str, name: str, scheduler: str) -> None:
    cluster.apply(pod(sleeper(f"  schedulerName: {scheduler}\n"), name=name), namespace)


def is_bound(cluster: Cluster, namespace: str, name: str) -> bool:
    return until(lambda: bool((cluster.get("Pod", namespace, name) or {})["spec"].get("nodeName")), 60, 0.3)


def schedulers(cluster: Cluster, **options: Any) -> Run:
    return run("schedulers", "-o", "json", kubeconfig=options.get("kubeconfig", cluster.kubeconfig))


def named(document: Any, name: str) -> Any:
    return next(n for record in document["schedulers"] for n in record["names"] if n["name"] == name)


def judged(cluster: Cluster, namespace: str, name: str, kubeconfig: Path | None = None) -> Any:
    """The report on the Pod, once it is old enough that a working scheduler would have looked at it."""
    cluster.wait("Pod", namespace, name, older_than(24))
    return run("pod", "-n", namespace, name, "-o", "json", kubeconfig=kubeconfig or cluster.kubeconfig).json


def first(report: Any) -> tuple[str, str]:
    return report["findings"][0]["name"], report["confidence"]


@contextmanager
def gone_after(cluster: Cluster, namespace: str, *names: str) -> Iterator[None]:
    try:
        yield
    finally:
        cluster.kubectl("delete", "pod", "-n", namespace, *names, "--ignore-not-found", "--wait=true")


def process(port: int) -> int:
    """The scheduler of that port, among this machine's processes."""
    mark = f"--secure-port={port}".encode()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark in path.read_bytes().split(b"\0"):
                return int(path.parent.name)
        except OSError:
            continue
    raise AssertionError(f"no process with {mark!r}")


def test_a_healthy_one_is_served_and_proved(cluster: Cluster, namespace: str) -> None:
    with gone_after(cluster, namespace, "good"):
        asks_for(cluster, namespace, "good", SECOND)
        assert is_bound(cluster, namespace, "good")
        ended = schedulers(cluster)
        found = named(ended.json, SECOND)
        assert (ended.status, found["state"], found["confidence"]) == (0, "served", "proved")
        record = next(r for r in ended.json["schedulers"] if found in r["names"])
        assert record["title"] == f"Deployment {NAMESPACE}/{SECOND}"
        assert (record["lease"]["held"], record["lease"]["isOwn"]) == (True, True)
        assert (record["process"]["ready"], record["settings"]["loaded"]) == (1, True)
        assert named(ended.json, "default-scheduler")["state"] == "served"


def test_it_costs_no_more_than_eight_lists_of_leases(cluster: Cluster, namespace: str) -> None:
    del namespace
    leases = [str(kubectl_command()), f"--kubeconfig={cluster.kubeconfig}", "get", "lease", "-A"]
    mine = min(timed(lambda: schedulers(cluster)) for _ in range(3))
    assert mine <= 8 * min(timed(lambda: subprocess.run(leases, check=True, capture_output=True)) for _ in range(3))


def timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def test_a_mistyped_name_is_proved_with_all_rights_and_with_few_it_is_not(cluster: Cluster, namespace: str) -> None:
    with gone_after(cluster, namespace, "typo"):
        asks_for(cluster, namespace, "typo", "secnod")
        report = judged(cluster, namespace, "typo")
        assert first(report) == ("scheduler-name-unknown", "proved")
        assert report["summary"].endswith('did you mean "second"?')
        ended = schedulers(cluster)
        assert (ended.status, ended.json["schedulers"][0]["title"]) == (1, "secnod")
        give(cluster, "few", {"kind": "ClusterRole", "rules": [
            {"apiGroups": [""], "resources": ["pods", "events"], "verbs": ["get", "list"]},
        ]})  # fmt: skip
        few = cluster.user_kubeconfig("few")
        assert first(judged(cluster, namespace, "typo", few)) == ("scheduler-name-unknown", "possible")
        assert named(schedulers(cluster, kubeconfig=few).json, "secnod")["state"] == "not-served"


def test_a_profile_that_was_added_and_not_loaded(cluster: Cluster, namespace: str) -> None:
    with gone_after(cluster, namespace, "late"):
        profiles(cluster, SECOND, SECOND, "late")
        asks_for(cluster, namespace, "late", "late")
        report = judged(cluster, namespace, "late")
        assert first(report) == ("scheduler-profile-missing", "proved")
        restart(cluster, SECOND)
        assert is_bound(cluster, namespace, "late")


def test_a_frozen_leader_is_a_ready_pod_with_a_dead_lease(cluster: Cluster, namespace: str) -> None:
    pid, before = process(PORT), lease(cluster)["spec"]["leaseTransitions"]
    os.kill(pid, signal.SIGSTOP)
    try:
        with gone_after(cluster, namespace, "cold"):
            asks_for(cluster, namespace, "cold", SECOND)
            report = judged(cluster, namespace, "cold")
            assert first(report) == ("scheduler-lease-expired", "proved")
            found = named(schedulers(cluster).json, SECOND)
            assert (found["state"], found["untouched"]) == ("not-served", 1)
            os.kill(pid, signal.SIGCONT)
            assert is_bound(cluster, namespace, "cold")
            assert lease(cluster)["spec"]["leaseTransitions"] >= before
    finally:
        if Path(f"/proc/{pid}").exists():
            os.kill(pid, signal.SIGCONT)


def test_scaled_to_zero(cluster: Cluster, namespace: str) -> None:
    with gone_after(cluster, namespace, "zero"):
        cluster.kubectl("scale", "-n", NAMESPACE, f"deployment/{SECOND}", "--replicas=0")
        asks_for(cluster, namespace, "zero", SECOND)
        report = judged(cluster, namespace, "zero")
        assert first(report) == ("scheduler-scaled-to-zero", "proved")
        assert schedulers(cluster).status == 1
        cluster.kubectl("scale", "-n", NAMESPACE, f"deployment/{SECOND}", "--replicas=1")
        assert is_bound(cluster, namespace, "zero")


def test_the_default_schedulers_lease_and_the_wrong_name(cluster: Cluster, namespace: str) -> None:
    with (
        second_scheduler(cluster, SHARER, cluster_roles=BUILT_IN, may_lead=True, port=OTHER_PORT),
        gone_after(cluster, namespace, "shared", "wrong"),
    ):
        profiles(cluster, SHARER, "shared-name", lease_name="kube-scheduler")
        restart(cluster, SHARER)
        asks_for(cluster, namespace, "shared", "shared-name")
        asks_for(cluster, namespace, "wrong", SHARER)
        shared = judged(cluster, namespace, "shared")
        assert first(shared) == ("scheduler-shares-lease", "proved")
        wrong = judged(cluster, namespace, "wrong")
        assert [f["name"] for f in wrong["findings"][:2]] == ["scheduler-name-unknown", "scheduler-profile-missing"]
        assert wrong["confidence"] in {"proved", "likely"}


def test_its_own_pod_waits_for_itself(cluster: Cluster, namespace: str) -> None:
    deployed = json.loads(cluster.kubectl("get", "deployment", SECOND, "-n", NAMESPACE, "-o", "json"))
    spec = deployed["spec"]["template"]["spec"]
    spec.pop("nodeName")
    labels, account = {"app": "ouroboros"}, {"serviceAccountName": "default", "serviceAccount": "default"}
    copy = {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "ouroboros"},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {**spec, "schedulerName": "ouroboros", **account},
            },
        },
    }  # fmt: skip
    container = copy["spec"]["template"]["spec"]["containers"][0]  # type: ignore[index]
    container["command"] = ["/bin/kube-scheduler", "--scheduler-name=ouroboros"]
    cluster.apply(copy, namespace)
    try:
        assert until(lambda: "ouroboros" in cluster.kubectl("get", "pods", "-n", namespace, "-o", "name"), 30, 0.5)
        waits = cluster.kubectl("get", "pods", "-n", namespace, "-l", "app=ouroboros", "-o", "name").split("/")[-1]
        report = judged(cluster, namespace, waits.strip())
        assert first(report) == ("scheduler-self-dependency", "proved")
    finally:
        cluster.kubectl("delete", "deployment", "ouroboros", "-n", namespace)


def profiles(cluster: Cluster, name: str, *served: str, lease_name: str = "") -> None:
    """Gives the scheduler's ConfigMap other profiles, and a Lease of another name."""
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": {"leaderElect": True, "resourceName": lease_name or name, "resourceNamespace": NAMESPACE},
        "profiles": [{"schedulerName": n} for n in served],
    }
    patch = json.dumps({"data": {"config.yaml": json.dumps(config)}})
    cluster.kubectl("patch", "configmap", name, "-n", NAMESPACE, "--type=merge", "-p", patch)
    time.sleep(1.1)


def restart(cluster: Cluster, name: str) -> None:
    """By deletion: a rolling update would have both on one port."""
    cluster.kubectl("delete", "pod", "-n", NAMESPACE, "-l", f"app={name}", "--wait=true")
    deployed = ("rollout", "status", f"deployment/{name}", "-n", NAMESPACE, "--timeout=60s")
    cluster.kubectl(*deployed)
