"""Bad input on a real control plane: refusals one at a time and all together, names, credentials, hostile words."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.cluster import Cluster
from tests.cluster.base import until
from tests.live.conftest import Run, run
from tests.live.mischief import between, changed, expired_user
from tests.live.rights import ask, give
from tests.live.scenario import UNSCHEDULABLE, pod, sleeper

pytestmark = pytest.mark.cluster
NODE = "bad-input-1"
HOSTILE = "\x1b[31mred\x1b[0m \x1b]8;;http://evil.test\x07click\x1b]8;;\x07 \u202egnp.exe [bold]x[/bold]\nforged: line"
CLAIM = """apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
"""
OWNED = """apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: claimed}
spec:
  replicas: 1
  selector: {matchLabels: {app: claimed}}
  template:
    metadata: {labels: {app: claimed, kueue.x-k8s.io/queue-name: team}}
    spec:
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
      containers: [{name: web, image: "whypending.test/busybox:1"}]
---
"""
MISTYPED = pod(sleeper("  schedulerName: defualt-scheduler\n"), name="mistyped")
BOUND = pod(sleeper(f"  nodeName: {NODE}\n"), name="bound")
PULLING = {"phase": "Pending", "containerStatuses": [
    {"name": "web", "image": "x", "imageID": "", "ready": False, "restartCount": 0,
     "state": {"waiting": {"reason": "ImagePullBackOff", "message": 'Back-off pulling image "x"'}}},
]}  # fmt: skip
TRIAGE = {"mistyped": "no_scheduler", "claimed": "unschedulable", "bound": "scheduled_not_ready"}


@pytest.fixture(scope="module")
def namespace(control_plane: Cluster) -> Iterator[str]:
    """One Pod of each class that reads a lot, old enough to be judged."""
    control_plane.simulated_node(NODE, cpu="2")
    name = control_plane.namespace("bad-input")
    control_plane.apply("---\n".join((CLAIM + OWNED + MISTYPED, BOUND)), name)
    control_plane.wait("Pod", name, claimed(control_plane, name), UNSCHEDULABLE)
    patch_status(control_plane, name, "bound", PULLING)
    ready = ("pod", "-n", name, "mistyped", "-o", "json")
    assert until(lambda: run(*ready, kubeconfig=control_plane.kubeconfig).status == 1, 40, 1)
    yield name
    control_plane.kubectl("delete", "namespace", name, "--wait=false")
    control_plane.delete_node(NODE)


def claimed(cluster: Cluster, namespace: str) -> str:
    """The Pod that the ReplicaSet made."""
    path = f"/api/v1/namespaces/{namespace}/pods?labelSelector=app%3Dclaimed"
    assert until(lambda: bool(cluster.api.get(path)["items"]), 20)
    name: str = cluster.api.get(path)["items"][0]["metadata"]["name"]
    return name


def patch_status(cluster: Cluster, namespace: str, name: str, status: dict[str, Any]) -> None:
    path = f"/api/v1/namespaces/{namespace}/pods/{name}/status"
    cluster.api.request("PATCH", path, {"status": status}, "application/strategic-merge-patch+json")


def whole_name(cluster: Cluster, namespace: str, name: str) -> str:
    return claimed(cluster, namespace) if name == "claimed" else name


def sentence(ended: Run) -> tuple[str, str]:
    """The error and the next step of a run that could not look."""
    assert (ended.status, ended.stdout) == (3, ""), ended
    error, following = ended.stderr.splitlines()
    assert error.startswith("error: ")
    assert error.endswith(".")
    return error.removeprefix("error: "), following.removeprefix("next: ")


# -- rights -----------------------------------------------------------------------------------------------------------


def read_by(requests: Any) -> set[tuple[str, str]]:
    """Group and resource of every read, but that of the Pod itself."""
    found = set()
    for request in requests:
        parts = urlsplit(request.path).path.strip("/").split("/")
        rest = parts[2:] if parts[0] == "api" else parts[3:]
        resource = rest[2] if rest[:1] == ["namespaces"] else "".join(rest[:1])
        if resource:
            found.add((parts[1] if parts[0] == "apis" else "", resource))
    return found - {("", "pods")}


def served(cluster: Cluster) -> list[tuple[str, str]]:
    """Every resource of the server that can be listed."""
    listed = cluster.kubectl("api-resources", "--verbs=list", "-o", "name").split()
    return [(name.partition(".")[2], name.partition(".")[0]) for name in listed]


@pytest.mark.parametrize("name", TRIAGE)
def test_any_one_read_refused_costs_only_itself(
    control_plane: Cluster, namespace: str, tmp_path: Path, name: str
) -> None:
    target = whole_name(control_plane, namespace, name)
    whole = ask(control_plane.kubeconfig, namespace, target, tmp_path)
    assert whole.report["triage"] == TRIAGE[name]
    available = set(served(control_plane))
    refusable = read_by(whole.requests) & available
    assert len(refusable) >= 3
    for group, resource in sorted(refusable):
        rules = [
            {"apiGroups": [g], "resources": [r], "verbs": ["get", "list"]} for g, r in available - {(group, resource)}
        ]
        user = f"no-{resource}"
        give(control_plane, user, {"kind": "ClusterRole", "rules": [*rules, KUEUE, ALL_PODS]})
        answer = ask(control_plane.user_kubeconfig(user), namespace, target, tmp_path)
        told = (resource, answer.report["triage"], answer.report["findings"][0]["name"])
        assert told == (resource, TRIAGE[name], whole.report["findings"][0]["name"])
        full = f"{resource}.{group}" if group else resource
        assert answer.grants
        assert {grant.split()[1] for grant in answer.grants} == {full}


KUEUE = {"apiGroups": ["kueue.x-k8s.io"], "resources": ["*"], "verbs": ["get", "list"]}
"""RBAC refuses before it is looked whether there is such a group."""
ALL_PODS = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]}
GET_PODS = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}
LIST_PODS = {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}
EVENTS = {"apiGroups": [""], "resources": ["events"], "verbs": ["get", "list"]}


@pytest.mark.parametrize("name", TRIAGE)
def test_all_reads_refused_but_the_pod(control_plane: Cluster, namespace: str, tmp_path: Path, name: str) -> None:
    give(control_plane, "only-pods", {"kind": "Role", "rules": [GET_PODS]}, namespace)
    target = whole_name(control_plane, namespace, name)
    whole = ask(control_plane.kubeconfig, namespace, target, tmp_path)
    answer = ask(control_plane.user_kubeconfig("only-pods"), namespace, target, tmp_path)
    assert answer.report["triage"] == TRIAGE[name]
    assert answer.report["findings"][0]["name"] == whole.report["findings"][0]["name"]
    known = {gap["reason"] for gap in whole.report["notEvaluated"]}
    assert {gap["reason"] for gap in answer.report["notEvaluated"]} <= known | {"forbidden"}
    assert len(answer.grants) >= 3


def test_the_pod_refused_and_the_rest_readable(control_plane: Cluster, namespace: str) -> None:
    give(control_plane, "no-pods", {"kind": "Role", "rules": [EVENTS]}, namespace)
    target = claimed(control_plane, namespace)
    error, following = sentence(
        run("pod", "-n", namespace, target, kubeconfig=control_plane.user_kubeconfig("no-pods"))
    )
    assert error.startswith(
        f'You may not read Pod "{target}" in namespace "{namespace}": pods "{target}" is forbidden: '
        'User "no-pods" cannot get resource "pods" in API group "" in the namespace'
    )
    assert " Its newest Event may be read: FailedScheduling: 0/1 nodes are available: " in error
    assert following == (
        f'Ask for the right to get pods in namespace "{namespace}", or have someone send you '
        f"`kubectl get pods {target} -n {namespace} -o yaml` and read it with --from."
    )


def test_the_next_step_of_a_refusal_works(control_plane: Cluster, namespace: str, tmp_path: Path) -> None:
    target = claimed(control_plane, namespace)
    sent = tmp_path / "sent.yaml"
    sent.write_text(control_plane.kubectl("get", "pods", target, "-n", namespace, "-o", "yaml"))
    ended = run("pod", "-n", namespace, target, "--from", str(sent), "-o", "json")
    assert (ended.status, ended.json["triage"]) == (1, "unschedulable")


def test_the_pod_may_be_listed_but_not_got(control_plane: Cluster, namespace: str, tmp_path: Path) -> None:
    give(control_plane, "lister", {"kind": "Role", "rules": [LIST_PODS]}, namespace)
    answer = ask(control_plane.user_kubeconfig("lister"), namespace, "bound", tmp_path)
    assert answer.report["triage"] == "scheduled_not_ready"


def test_nothing_may_be_read(control_plane: Cluster, namespace: str) -> None:
    ended = run("pod", "-n", namespace, "deploy/web", kubeconfig=control_plane.user_kubeconfig("nobody"))
    error, following = sentence(ended)
    assert error.startswith(f'You may not read Deployment "web" in namespace "{namespace}": deployments.apps "web" is')
    assert following.startswith(f'Ask for the right to get deployments.apps in namespace "{namespace}", or have')


# -- names ------------------------------------------------------------------------------------------------------------


def test_names_that_are_not_there(control_plane: Cluster, namespace: str) -> None:
    admin = control_plane.kubeconfig
    error, following = sentence(run("pod", "-n", namespace, "mistypd", kubeconfig=admin))
    assert error == f'There is no Pod "mistypd" in namespace "{namespace}".'
    assert following == "Near names here: mistyped."
    assert sentence(run("pod", "mistyped", kubeconfig=admin)) == (
        'There is no Pod "mistyped" in namespace "default".',
        f'Namespace "{namespace}" has it: -n {namespace}.',
    )
    _, following = sentence(run("pod", "-n", "no-such", "zzz", kubeconfig=admin))
    assert following == '"no-such" holds no Pod, if there is such a namespace: kubectl get namespaces.'
    assert sentence(run("pod", "-n", namespace, "sts/x", kubeconfig=admin))[0].startswith('There is no StatefulSet "x"')


def test_near_names_need_a_right(control_plane: Cluster, namespace: str) -> None:
    give(control_plane, "only-pods", {"kind": "Role", "rules": [GET_PODS]}, namespace)
    ended = run("pod", "-n", namespace, "mistypd", kubeconfig=control_plane.user_kubeconfig("only-pods"))
    assert sentence(ended) == (
        f'There is no Pod "mistypd" in namespace "{namespace}".',
        f'Check the name and -n; to show near names needs the right to list pods in namespace "{namespace}".',
    )


@pytest.mark.parametrize("name", ["web?x=1", "a%2Fb", "a b", "..", "%", "é", "a,b=c"])
def test_names_that_no_pod_can_have(control_plane: Cluster, namespace: str, name: str) -> None:
    ended = run("pod", "-n", namespace, name, kubeconfig=control_plane.kubeconfig)
    assert sentence(ended)[0] == f'There is no Pod "{name}" in namespace "{namespace}".'


@pytest.mark.parametrize(("part", "target"), [("/pods/claimed", ""), ("/pods?", "rs/claimed")])
def test_a_pod_that_is_deleted_between_two_reads(
    control_plane: Cluster, namespace: str, tmp_path: Path, part: str, target: str
) -> None:
    name = claimed(control_plane, namespace)
    control_plane.wait("Pod", namespace, name, UNSCHEDULABLE)

    def delete() -> None:
        control_plane.kubectl("delete", "pod", name, "-n", namespace, "--grace-period=0", "--force")
        control_plane.wait_gone("Pod", namespace, name)

    with between(control_plane, tmp_path, part, delete) as kubeconfig:
        ended = run("pod", "-n", namespace, target or name, "-o", "json", kubeconfig=kubeconfig)
    assert ended.stderr == ""
    assert (ended.status, ended.json["triage"]) == (1, "unschedulable")
    if not target:
        error, _ = sentence(run("pod", "-n", namespace, name, kubeconfig=control_plane.kubeconfig))
        assert error == f'There is no Pod "{name}" in namespace "{namespace}".'


def test_an_api_group_that_is_not_there(control_plane: Cluster, namespace: str) -> None:
    ended = run(
        "pod", "-n", namespace, claimed(control_plane, namespace), "-o", "json", kubeconfig=control_plane.kubeconfig
    )
    missing = {gap["detail"] for gap in ended.json["notEvaluated"] if gap["reason"] == "not supported by this server"}
    assert "this server does not serve localqueues.kueue.x-k8s.io" in missing


# -- who asks ---------------------------------------------------------------------------------------------------------


def test_an_expired_client_certificate(control_plane: Cluster, namespace: str, tmp_path: Path) -> None:
    config = changed(control_plane, tmp_path, user=expired_user(control_plane))
    error, following = sentence(run("pod", "-n", namespace, "bound", kubeconfig=config))
    assert error.startswith('The client certificate of the user "')
    assert " expired at 2" in error
    assert following == "Log in again, or get a fresh kubeconfig for this cluster."


def test_a_token_that_is_not_accepted(control_plane: Cluster, namespace: str, tmp_path: Path) -> None:
    config = changed(control_plane, tmp_path, user={"token": "s3cret"})
    ended = run("pod", "-n", namespace, "bound", kubeconfig=config)
    assert sentence(ended)[0].endswith("(a token).")
    assert "s3cret" not in ended.stderr


def test_no_credential(control_plane: Cluster, namespace: str, tmp_path: Path) -> None:
    error, _ = sentence(run("pod", "-n", namespace, "bound", kubeconfig=changed(control_plane, tmp_path, user={})))
    assert error == f'The context "test" has no credential, and {control_plane.server} wants one.'


def test_an_unknown_context(control_plane: Cluster) -> None:
    assert sentence(run("pod", "x", "--context", "tset", kubeconfig=control_plane.kubeconfig)) == (
        f'There is no context "tset" in {control_plane.kubeconfig}.',
        "Known contexts: test.",
    )


def test_as_somebody(control_plane: Cluster, namespace: str) -> None:
    give(control_plane, "only-pods", {"kind": "Role", "rules": [GET_PODS]}, namespace)
    admin = control_plane.kubeconfig
    ended = run("pod", "-n", namespace, "bound", "--as", "only-pods", "-o", "json", kubeconfig=admin)
    assert ended.json["triage"] == "scheduled_not_ready"
    assert [gap for gap in ended.json["notEvaluated"] if 'User "only-pods" cannot' in gap["detail"]]
    assert (
        run("pod", "-n", namespace, "bound", "--as", "x", "--as-group", "system:masters", kubeconfig=admin).status == 1
    )
    assert (
        'User "nobody" cannot get' in sentence(run("pod", "-n", namespace, "bound", "--as=nobody", kubeconfig=admin))[0]
    )


def test_as_somebody_without_the_right_to(control_plane: Cluster, namespace: str) -> None:
    mine = control_plane.user_kubeconfig("nobody")
    error, following = sentence(run("pod", "-n", namespace, "bound", "--as", "admin", kubeconfig=mine))
    assert error.startswith("You may not act as somebody else here: ")
    assert 'User "nobody" cannot impersonate' in error
    assert following == "Leave --as out, or ask for the verb impersonate."


# -- words of the cluster ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "wide", "json", "yaml", "ndjson"])
def test_hostile_words_that_the_cluster_keeps(control_plane: Cluster, namespace: str, form: str) -> None:
    waiting = {"reason": "ImagePullBackOff", "message": HOSTILE}
    status = {**PULLING, "containerStatuses": [{**PULLING["containerStatuses"][0], "state": {"waiting": waiting}}]}  # type: ignore[dict-item]
    patch_status(control_plane, namespace, "bound", status)
    ended = run("pod", "-n", namespace, "bound", "-o", form, kubeconfig=control_plane.kubeconfig)
    assert ended.status == 1
    assert [c for c in ended.stdout + ended.stderr if c != "\n" and unicodedata.category(c) in {"Cc", "Cf"}] == []
    assert "evil.test" in ended.stdout
    assert "[bold]x[/bold]" in ended.stdout
    assert not [line for line in ended.stdout.splitlines() if line.startswith("forged")]


def test_it_ends_within_its_time(control_plane: Cluster, namespace: str) -> None:
    control_plane.freeze("kube-apiserver")
    try:
        start = time.monotonic()
        ended = run("pod", "-n", namespace, "bound", "--timeout", "2", kubeconfig=control_plane.kubeconfig)
        assert time.monotonic() - start < 8
    finally:
        control_plane.thaw("kube-apiserver")
    assert sentence(ended)[0] == f"{control_plane.server} did not answer within 2 s."
