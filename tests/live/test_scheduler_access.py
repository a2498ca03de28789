"""Real schedulers that lack the rights on their Lease, or those to list: seen by a log, by roles, by neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.cluster import Cluster
from tests.cluster.base import until
from tests.live.conftest import Run, run
from tests.live.rights import give
from tests.live.scenario import pod, sleeper
from tests.live.second_scheduler import BUILT_IN, NAMESPACE, second_scheduler
from whypending import rbac
from whypending.collectors import collect
from whypending.collectors.wish import Wish
from whypending.evidence import seen
from whypending.sources.live import LiveSource

pytestmark = pytest.mark.cluster
LOGS, RBAC = "pods/log", "rbac.authorization.k8s.io"
STARVED = {"of-its-lease": "scheduler-lease-rbac", "of-lists": "scheduler-rbac"}


def shipped(*without: str) -> dict[str, Any]:
    """The ClusterRole of whypending without some resources or groups."""
    whole = yaml.safe_load(rbac.cluster_role())
    rules = [r for r in whole["rules"] if not {*r["resources"], *r["apiGroups"]} & {*without}]
    return {"kind": "ClusterRole", "rules": [r for r in rules if r["apiGroups"] != [RBAC]] + _last(rules)}


def _last(rules: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of RBAC behind all others: the last right of a role is what `give` waits for."""
    return [r for r in rules if r["apiGroups"] == [RBAC]]


READERS = {
    "reads-all": shipped(),
    "reads-roles": shipped(LOGS),
    "reads-logs": shipped(RBAC),
    "reads-neither": shipped(LOGS, RBAC),
}


class Stage(NamedTuple):
    """Where the Pods are that wait for each scheduler, and how to ask about one."""

    namespace: str
    ask: Callable[..., Run]


@pytest.fixture(scope="module")
def stage(cluster: Cluster) -> Iterator[Stage]:
    """Both schedulers at once: one with Kubernetes' own roles, which are for the Lease kube-scheduler alone."""
    namespace = cluster.namespace("starved")
    with ExitStack() as stack:
        for name, role in READERS.items():
            give(cluster, name, role)
        stack.enter_context(second_scheduler(cluster, "of-its-lease", cluster_roles=BUILT_IN, port=19261))
        stack.enter_context(second_scheduler(cluster, "of-lists", may_lead=True, port=19262))
        stack.callback(cluster.kubectl, "delete", "namespace", namespace, "--wait=false")
        for name in STARVED:
            cluster.apply(pod(sleeper(f"  schedulerName: {name}\n"), name=name), namespace)

        def ask(name: str, reader: str = "", *flags: str) -> Run:
            kubeconfig = cluster.user_kubeconfig(reader) if reader else cluster.kubeconfig
            return run("pod", "-n", namespace, name, "-o", "json", *flags, kubeconfig=kubeconfig)

        assert until(lambda: all(ask(n).json["triage"] == "no_scheduler" for n in STARVED), 60, 1)
        yield Stage(namespace, ask)


def first(ended: Run) -> tuple[str, str]:
    found = ended.json["findings"][0]
    return found["name"], found["confidence"]


def grants(ended: Run) -> set[str]:
    return {gap["grant"] for gap in ended.json["notEvaluated"] if gap["reason"] == "forbidden"}


@pytest.mark.parametrize("reader", ["", "reads-all", "reads-roles", "reads-logs"])
@pytest.mark.parametrize(("name", "cause"), STARVED.items())
def test_a_log_or_the_roles_prove_it(stage: Stage, name: str, cause: str, reader: str) -> None:
    ended = stage.ask(name, reader)
    assert first(ended) == (cause, "proved")
    assert f"system:serviceaccount:{NAMESPACE}:{name}" in ended.json["summary"]


@pytest.mark.parametrize(("name", "cause"), STARVED.items())
def test_with_neither_its_rights_are_not_blamed_and_both_are_named(stage: Stage, name: str, cause: str) -> None:
    ended = stage.ask(name, "reads-neither")
    assert cause not in ended.names
    assert ended.names[0] == "scheduler-not-leading"
    missing = {f'get pods/log in namespace "{NAMESPACE}"', f"list clusterrolebindings.{RBAC} (cluster-wide)"}
    assert missing <= grants(ended)


@pytest.mark.parametrize(("name", "cause"), STARVED.items())
def test_the_api_server_says_so_itself_where_it_is_asked(stage: Stage, name: str, cause: str) -> None:
    ended = stage.ask(name, "", "--check-access")
    assert first(ended) == (cause, "proved")
    assert "SubjectAccessReview" in ended.stdout
    assert "roles and bindings" not in ended.stdout


def test_reviews_and_roles_agree_on_every_right(stage: Stage, cluster: Cluster) -> None:
    for name in STARVED:
        both = []
        for check in (False, True):
            source = LiveSource.connect(kubeconfig=str(cluster.kubeconfig), context=None)
            found = collect(source, "Pod", stage.namespace, name, wish=Wish(check_access=check))
            both.append([(a.verb, a.resource, a.name, a.allowed) for a in seen(found.access)])
            source.close()
        assert both[0] == both[1]
        assert len(both[0]) > 40


@pytest.mark.parametrize("flags", [(), ("--check-access",)])
def test_a_snapshot_gives_the_same(stage: Stage, cluster: Cluster, tmp_path: Path, flags: tuple[str, ...]) -> None:
    file = tmp_path / "s.tgz"
    where = ("-n", stage.namespace, "of-its-lease")
    saved = run("snapshot", *where, "-o", str(file), *flags, kubeconfig=cluster.kubeconfig)
    assert saved.status == 0, saved.stderr
    again = run("pod", *where, "-o", "json", "--from", str(file))
    assert first(again) == ("scheduler-lease-rbac", "proved")
    assert ("SubjectAccessReview" in again.stdout) is bool(flags)


def test_kubernetes_own_roles_and_its_lease_are_all_that_a_scheduler_needs(cluster: Cluster, stage: Stage) -> None:
    with second_scheduler(cluster, "sated", port=19263, cluster_roles=BUILT_IN, may_lead=True):
        cluster.apply(pod(sleeper("  schedulerName: sated\n"), name="sated"), stage.namespace)
        cluster.wait("Pod", stage.namespace, "sated", lambda p: bool(p["spec"].get("nodeName")))
        ended = stage.ask("sated")
    assert ended.json["triage"] != "no_scheduler"
