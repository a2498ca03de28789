"""Under exactly the shipped rights, and with less: what is still answered, what is missed, and what was sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.asked import granted
from tests.cluster import Cluster
from tests.cluster.base import until
from tests.live.conftest import run
from tests.live.rights import Answer, ask, give, rules_of
from tests.live.scenario import UNSCHEDULABLE, condition, pod, sleeper
from whypending import rbac
from whypending.diagnosis import Confidence

pytestmark = pytest.mark.cluster
ONLY_PODS: dict[str, Any] = {"kind": "Role", "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}
BUILT_IN = {"", "apps", "batch", "resource.k8s.io"}
ROLES = {
    "with-cluster-role": yaml.safe_load(rbac.cluster_role()),
    "with-role": yaml.safe_load(rbac.role()),
    "with-pods-alone": ONLY_PODS,
}
PODS = {
    "mistyped": sleeper("  schedulerName: defualt-scheduler\n"),
    "too-big": sleeper(container='    resources: {requests: {cpu: "100"}}\n'),
    "gated": sleeper("  schedulingGates: [{name: example.com/hold}]\n"),
}
EXPECTED = {
    "mistyped": ("no_scheduler", "scheduler-name-unknown"),
    "too-big": ("unschedulable", "insufficient-cpu"),
    "gated": ("held", "scheduling-gate-unresolved"),
}
SECRETS = "/secrets"
Asking = Callable[[str, str], Answer]


@pytest.fixture(scope="module")
def namespace(control_plane: Cluster) -> Iterator[str]:
    """Where three stuck Pods are, each in its state; there is one small Node."""
    control_plane.simulated_node("small", cpu="2")
    name = control_plane.namespace("rights")
    control_plane.apply("---\n".join(pod(spec, name=each) for each, spec in PODS.items()), name)
    control_plane.wait("Pod", name, "too-big", UNSCHEDULABLE)
    control_plane.wait("Pod", name, "gated", condition("PodScheduled", "False", "SchedulingGated"))
    yield name
    control_plane.kubectl("delete", "namespace", name, "--wait=false")
    control_plane.delete_node("small")


@pytest.fixture(scope="module")
def asking(control_plane: Cluster, namespace: str, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    """Asks about a Pod as a user of ROLES, or as `admin`; each once."""
    folder = tmp_path_factory.mktemp("rights")
    for user, role in ROLES.items():
        give(control_plane, user, role, namespace if role["kind"] == "Role" else "")
    answers: dict[tuple[str, str], Answer] = {}

    def answer(user: str, name: str) -> Answer:
        mine = control_plane.kubeconfig if user == "admin" else control_plane.user_kubeconfig(user)
        if (user, name) not in answers:
            answers[user, name] = ask(mine, namespace, name, folder)
        return answers[user, name]

    # A Pod that nobody took up is too young at first.
    assert until(
        lambda: ask(control_plane.kubeconfig, namespace, "mistyped", folder).report["triage"] == "no_scheduler", 40, 1
    )
    return answer


@pytest.mark.parametrize("name", PODS)
def test_the_cluster_role_is_as_good_as_all_rights(asking: Asking, name: str) -> None:
    assert asking("with-cluster-role", name).verdict == asking("admin", name).verdict
    assert asking("with-cluster-role", name).grants == ()


@pytest.mark.parametrize("user", ["with-role", "with-pods-alone"])
@pytest.mark.parametrize("name", PODS)
def test_with_less_there_is_still_a_triage_and_a_cause(asking: Asking, name: str, user: str) -> None:
    report = asking(user, name).report
    assert (report["triage"], report["findings"][0]["name"]) == EXPECTED[name]


@pytest.mark.parametrize("user", ["with-role", "with-pods-alone"])
@pytest.mark.parametrize("name", PODS)
def test_with_less_it_is_never_surer(asking: Asking, name: str, user: str) -> None:
    words = [str(word) for word in Confidence]
    told = [words.index(asking(who, name).report["confidence"]) for who in ("admin", user)]
    assert told == sorted(told)


@pytest.mark.parametrize("user", ["with-role", "with-pods-alone"])
def test_what_needs_the_whole_cluster_is_not_called_proved(asking: Asking, user: str) -> None:
    assert asking(user, "mistyped").report["confidence"] != Confidence.PROVED


@pytest.mark.parametrize(
    ("user", "name", "missing"),
    [
        ("with-role", "gated", set()),
        ("with-role", "too-big", {"list nodes (cluster-wide)"}),
        ("with-role", "mistyped", {"list deployments.apps (cluster-wide)", 'list pods in namespace "kube-system"'}),
        ("with-pods-alone", "gated", {'list events in namespace "{namespace}"'}),
        ("with-pods-alone", "too-big", {'list events in namespace "{namespace}"', "list nodes (cluster-wide)"}),
        (
            "with-pods-alone",
            "mistyped",
            {'list events in namespace "{namespace}"', 'list pods in namespace "{namespace}"'},
        ),
    ],
)
def test_what_is_missing_is_named(asking: Asking, namespace: str, user: str, name: str, missing: set[str]) -> None:
    assert {grant.format(namespace=namespace) for grant in missing} <= set(asking(user, name).grants)


def test_the_named_rights_are_those_that_help(
    asking: Asking, control_plane: Cluster, namespace: str, tmp_path: Path
) -> None:
    user, given = "with-what-is-named", set[str]()
    give(control_plane, user, ONLY_PODS, namespace)
    mine = control_plane.user_kubeconfig(user)
    while missing := set(ask(mine, namespace, "mistyped", tmp_path).grants) - given:
        for grant in sorted(missing):
            given.add(grant)
            where, role = rules_of(grant)
            give(control_plane, user, role, where, name=f"{user}-{len(given)}")
    assert ask(mine, namespace, "mistyped", tmp_path).verdict == asking("admin", "mistyped").verdict


@pytest.mark.parametrize("user", ["admin", *ROLES])
def test_it_only_gets_and_never_secrets(asking: Asking, user: str) -> None:
    sent = [request for name in PODS for request in asking(user, name).requests]
    assert len(sent) >= len(PODS)
    assert {request.method for request in sent} == {"GET"}
    assert [request for request in sent if SECRETS in request.path] == []


@pytest.mark.parametrize("name", PODS)
def test_nothing_is_refused_under_the_cluster_role(asking: Asking, name: str) -> None:
    assert {request.status for request in asking("with-cluster-role", name).requests} == {200}


def test_what_rights_prints_can_be_applied(control_plane: Cluster, namespace: str) -> None:
    control_plane.apply(run("rights").stdout)
    control_plane.apply(run("rights", "-n", namespace).stdout)
    assert control_plane.get("ClusterRole", None, "whypending")
    assert control_plane.get("Role", namespace, "whypending")


def test_view_is_as_good_as_the_role(control_plane: Cluster) -> None:
    """Kubernetes' own ClusterRole `view` holds every right of the Role that is not about custom resources."""
    view = control_plane.get("ClusterRole", None, "view")
    assert view
    needed = {right for right in granted(rbac.role()) if right.group in BUILT_IN}
    assert needed - set(granted(yaml.safe_dump(view))) == set()
