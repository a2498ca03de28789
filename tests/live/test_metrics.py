"""Scheduler metrics on a real cluster: by URL and by port-forward, with a ServiceAccount's token and never more."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cluster import Cluster
from tests.live.conftest import Run, run
from tests.live.rights import give
from tests.live.second_scheduler import BUILT_IN, second_scheduler

pytestmark = pytest.mark.cluster
RBAC = "rbac.authorization.k8s.io"
METERED = "metered"
DELEGATES = "system:auth-delegator"
"""A scheduler asks the API server whose token it got, and whether that may read /metrics."""


class World(NamedTuple):
    """A namespace with a Pod too large for any node, and ServiceAccounts: one may read metrics, one may not."""

    namespace: str
    reader: str
    nobody: str


def _pod(name: str, **spec: Any) -> dict[str, Any]:
    container = {"name": "web", "image": "x", "resources": {"requests": {"cpu": "900"}}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container], **spec}}


def _reader(namespace: str) -> list[dict[str, Any]]:
    name = f"metrics-{namespace}"
    role = {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRole", "metadata": {"name": name},
            "rules": [{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]}  # fmt: skip
    binding = {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRoleBinding", "metadata": {"name": name},
               "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": name},
               "subjects": [{"kind": "ServiceAccount", "name": "reader", "namespace": namespace}]}  # fmt: skip
    accounts = [{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": n}} for n in ("reader", "nobody")]
    return [*accounts, role, binding]


def _refused(cluster: Cluster, namespace: str, name: str) -> None:
    cluster.wait("Pod", namespace, name, lambda pod: bool(pod["status"].get("conditions")))


@pytest.fixture(scope="module")
def world(cluster: Cluster) -> World:
    namespace = cluster.namespace()
    cluster.apply([*_reader(namespace), _pod("big")], namespace)
    _refused(cluster, namespace, "big")
    return World(namespace, f"{namespace}/reader", f"{namespace}/nobody")


@pytest.fixture(scope="module")
def metered(cluster: Cluster, world: World) -> Iterator[str]:
    """A second scheduler in a Pod, and a Pod that it refused; the scheduler's Pod."""
    with second_scheduler(cluster, METERED, cluster_roles=[*BUILT_IN, DELEGATES], may_lead=True) as name:
        cluster.apply([_pod("mine", schedulerName=METERED)], world.namespace)
        _refused(cluster, world.namespace, "mine")
        yield name


def _look(cluster: Cluster, world: World, name: str, *options: str, kubeconfig: Path | None = None) -> Run:
    ended = run("pod", "-n", world.namespace, name, "-o", "json", *options, kubeconfig=kubeconfig or cluster.kubeconfig)
    assert ended.status == 1, ended.stderr
    return ended


def _gap(ended: Run) -> dict[str, Any]:
    """Why there are no metrics; the rest of the report stands."""
    report = ended.json
    assert "metrics" not in report
    assert report["triage"] == "unschedulable"
    (found,) = [gap for gap in report["notEvaluated"] if gap["what"] == "the scheduler's metrics"]
    return dict(found)


def _figures(scheduler: dict[str, Any], question: str) -> dict[tuple[str, ...], float]:
    (reading,) = [r for r in scheduler["readings"] if r["question"] == question]
    return {(*f["labels"].values(), f["statistic"]): f["value"] for f in reading["figures"]}


def _url(cluster: Cluster) -> str:
    return f"https://127.0.0.1:{cluster.port('kube-scheduler')}/metrics"


def test_by_url(cluster: Cluster, world: World, valid: Callable[[Any], None]) -> None:
    ended = _look(
        cluster,
        world,
        "big",
        "--metrics-url",
        _url(cluster),
        "--metrics-serviceaccount",
        world.reader,
        "--metrics-insecure",
    )
    valid(ended.json)
    (scheduler,) = ended.json["metrics"]
    assert (scheduler["how"], scheduler["version"][:5]) == ("url", "v1.37")
    assert scheduler["warnings"] == [f"The certificate of {_url(cluster).removesuffix('/metrics')} is not verified."]
    assert _figures(scheduler, "attempts by profile and result")["default-scheduler", "unschedulable", "value"] >= 1
    assert _figures(scheduler, "pending by queue")["unschedulable", "value"] >= 1
    assert _figures(scheduler, "unschedulable by plugin")["NodeResourcesFit", "default-scheduler", "value"] >= 1
    assert _figures(scheduler, "leader status") == {("kube-scheduler", "value"): 1}
    assert 0 < _figures(scheduler, "attempt latency")["unschedulable", "mean"] < 5


def test_no_token_goes_to_a_certificate_that_is_not_trusted(cluster: Cluster, world: World) -> None:
    ended = _look(cluster, world, "big", "--metrics-url", _url(cluster), "--metrics-serviceaccount", world.reader)
    gap = _gap(ended)
    assert gap["reason"] == "unreachable"
    assert gap["grant"] == "name its CA with --metrics-ca FILE, or accept the risk with --metrics-insecure"


@pytest.mark.parametrize("account", ["nobody", None])
def test_whoever_may_not_read_them(cluster: Cluster, world: World, account: str | None) -> None:
    token = ["--metrics-serviceaccount", f"{world.namespace}/{account}"] if account else []
    gap = _gap(_look(cluster, world, "big", "--metrics-url", _url(cluster), *token, "--metrics-insecure"))
    assert (gap["reason"], "403" in gap["detail"]) == ("forbidden", True)
    assert "nonResourceURL" in gap["grant"]


def test_a_service_account_that_is_not_there(cluster: Cluster, world: World) -> None:
    gap = _gap(_look(cluster, world, "big", "--metrics-serviceaccount", f"{world.namespace}/ghost"))
    assert gap["detail"] == f"There is no ServiceAccount {world.namespace}/ghost."


def test_where_the_scheduler_is_no_pod(cluster: Cluster, world: World) -> None:
    gap = _gap(_look(cluster, world, "big", "--metrics-serviceaccount", world.reader))
    assert gap["detail"].startswith("No Pod of a scheduler runs here")


def test_by_port_forward(cluster: Cluster, world: World, metered: str, valid: Callable[[Any], None]) -> None:
    ended = _look(cluster, world, "mine", "--metrics-serviceaccount", world.reader, "--metrics-insecure")
    valid(ended.json)
    (scheduler,) = ended.json["metrics"]
    assert (scheduler["how"], scheduler["origin"]) == ("port-forward", f"Pod kube-system/{metered}, port 19259")
    attempts = _figures(scheduler, "attempts by profile and result")
    assert {profile for profile, *_ in attempts} == {METERED}
    assert _figures(scheduler, "leader status") == {("kube-scheduler", "value"): 1}


def test_a_port_forward_to_a_certificate_that_is_not_trusted(cluster: Cluster, world: World, metered: str) -> None:
    gap = _gap(_look(cluster, world, "mine", "--metrics-serviceaccount", world.reader))
    assert f"The certificate of Pod kube-system/{metered}, port 19259 is not trusted" in gap["detail"]
    assert "no token was sent" in gap["detail"]


def test_the_user_needs_the_right_to_the_token_and_to_the_port(cluster: Cluster, world: World, metered: str) -> None:
    user = "metrics-viewer"
    kubeconfig = cluster.user_kubeconfig(user)
    give(cluster, user, {"kind": "ClusterRole", "rules": [
        {"apiGroups": ["", "apps"], "resources": ["pods", "events", "nodes", "deployments"], "verbs": ["get", "list"]},
    ]})  # fmt: skip
    options = ("--metrics-serviceaccount", world.reader, "--metrics-insecure")
    first = _gap(_look(cluster, world, "mine", *options, kubeconfig=kubeconfig))
    assert first["grant"] == f'create serviceaccounts/token in namespace "{world.namespace}"'
    token = {"apiGroups": [""], "resources": ["serviceaccounts/token"], "verbs": ["create"]}
    give(cluster, user, {"kind": "ClusterRole", "rules": [token]}, name=f"{user}-token")
    second = _gap(_look(cluster, world, "mine", *options, kubeconfig=kubeconfig))
    assert (second["reason"], metered in second["detail"]) == ("forbidden", True)
    assert second["grant"] == 'get and create pods/portforward in namespace "kube-system"'


def test_a_snapshot_holds_them(cluster: Cluster, world: World, tmp_path: Path) -> None:
    options = ("--metrics-url", _url(cluster), "--metrics-serviceaccount", world.reader, "--metrics-insecure")
    file = tmp_path / "big.tar.gz"
    saved = run("snapshot", "-n", world.namespace, "big", "-o", str(file), *options, kubeconfig=cluster.kubeconfig)
    assert saved.status == 0, saved.stderr
    read = run("pod", "-n", world.namespace, "big", "--from", str(file), "-o", "json")
    (scheduler,) = read.json["metrics"]
    assert _figures(scheduler, "leader status") == {("kube-scheduler", "value"): 1}
    assert b"eyJ" not in file.read_bytes()
    assert "eyJ" not in json.dumps(read.json)
