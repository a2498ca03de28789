"""What a sweep reads, and what it judges once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sweep.kit import MIXED, Counting, copies, event, gated, node, orphan, owned, pod, ready, refused, replica_set
from tests.sweep.kit import source_of as _source_of
from whypending.cli.sweep import sweep
from whypending.collectors.alike import likeness
from whypending.diagnosis import Triage
from whypending.errors import ForbiddenError
from whypending.evidence import GapReason
from whypending.objects.pod import Pod
from whypending.sources import decode
from whypending.sources.base import Query
from whypending.sources.files import FilesSource
from whypending.sweep.model import Scope

SHOP = Scope(namespace="shop")


@pytest.fixture
def live(tmp_path: Path) -> Any:
    def make(*objects: Any, **more: Any) -> Counting:
        return Counting(_source_of(tmp_path, *objects), **more)

    return make


def typed(made: dict[str, Any]) -> Pod:
    found = decode.from_value(made, Pod, [])
    assert found is not None
    return found


def test_pods_that_run_are_not_asked_for(live: Any) -> None:
    source = live(*MIXED)
    sweep(source, SHOP)
    assert all(q.name or q.fields or q.labels for q in source.of("pods"))
    first = source.of("pods")[0]
    assert (first.fields, first.namespace) == ("status.phase!=Running,status.phase!=Succeeded", "shop")


def test_not_ready_reads_all_pods_and_keeps_few(live: Any) -> None:
    source = live(*MIXED)
    swept = sweep(source, Scope(namespace="shop", not_ready=True))
    assert "slow" in {m.target.name for g in swept.groups for m in g.members}
    whole = [q for q in source.of("pods") if not (q.name or q.fields or q.labels)]
    assert len(whole) == 1
    assert whole[0].keep is not None
    assert whole[0].keep(typed(ready("fine"))) is None


def test_the_selector_goes_to_the_server(live: Any) -> None:
    source = live(refused("a", labels={"app": "a"}), refused("b", labels={"app": "b"}))
    swept = sweep(source, Scope(namespace="shop", labels="app=a"))
    assert swept.pods == 1
    assert source.of("pods")[0].labels == "app=a"


def test_events_are_listed_once_and_nodes_once(live: Any) -> None:
    objects = [refused(f"p-{n}", message=f"0/1 nodes are available: 1 Insufficient cpu. ({n})") for n in range(30)]
    said = [event(f"p-{n}", "FailedScheduling", "0/1 nodes are available: 1 Insufficient cpu.") for n in range(30)]
    source = live(*objects, *said, node())
    assert sweep(source, SHOP).pods == 30
    assert [(q.namespace, q.fields) for q in source.of("events")] == [("shop", "")]
    assert len(source.of("nodes")) == 1


def test_schedulers_are_looked_for_once_for_all_names(live: Any) -> None:
    source = live(*(orphan(f"p-{n}", f"name-{n % 3}") for n in range(12)))
    assert sweep(source, SHOP).pods == 12
    deployments = [q for q in source.of("deployments") if q.namespace == ""]
    assert len(deployments) == len({(q.keep.__name__ if q.keep else "") for q in deployments})


def test_many_namespaces_have_one_list_of_events(live: Any) -> None:
    source = live(*(refused("p", namespace=f"team-{n}") for n in range(20)))
    assert sweep(source, Scope()).pods == 20
    assert [q.namespace for q in source.of("events")] == [""]


def test_many_nodes_are_listed_instead_of_asked_for_one_by_one(live: Any) -> None:
    bound = [pod(f"p-{n}", {"nodeName": f"n{n}"}) for n in range(20)]
    source = live(*bound, *(node(f"n{n}") for n in range(20)))
    assert sweep(source, SHOP).pods == 20
    assert [q.name for q in source.of("nodes")] == [""]
    assert [q.namespace for q in source.of("leases")] == ["kube-node-lease"]


def test_alike_pods_are_judged_once(live: Any) -> None:
    swept = sweep(live(*copies(refused, 40, "big", **owned("big"))), SHOP)
    (group,) = swept.groups
    assert (group.pods, len(group.cases)) == (40, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (refused("a"), refused("b", message="0/1 nodes are available: 1 Insufficient memory.")),
        (refused("a"), refused("b", cpu="65")),
        (refused("a"), refused("b", namespace="prod")),
        (refused("a", **owned("x")), refused("b", **owned("y"))),
        (orphan("a", "volcano"), orphan("b", "volcanoo")),
        (pod("a", {"nodeName": "n1"}), pod("b", {"nodeName": "n2"})),
        (gated("a"), gated("b", labels={"kueue.x-k8s.io/queue-name": "q"})),
        (refused("a"), refused("b", deletionTimestamp="2026-11-30T22:00:00Z")),
    ],
)
def test_pods_in_different_trouble_are_not_alike(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert likeness(typed(one)) != likeness(typed(other))


def test_claims_of_its_own_make_a_pod_unlike_its_siblings() -> None:
    volumes = {"volumes": [{"name": "scratch", "ephemeral": {"volumeClaimTemplate": {}}}]}
    assert likeness(typed(pod("a", volumes))) != likeness(typed(pod("b", volumes)))


def test_the_name_of_a_token_volume_does_not_matter() -> None:
    def made(name: str, end: str) -> Pod:
        mounts = [{"name": f"kube-api-access-{end}", "mountPath": "/var/run/secrets"}]
        container = {"name": "web", "volumeMounts": mounts}
        volume = {"name": f"kube-api-access-{end}", "projected": {"sources": []}}
        return typed(pod(name, {"containers": [container], "volumes": [volume]}))

    assert likeness(made("a", "x2x8q")) == likeness(made("b", "9zzzz"))


def test_a_pod_in_back_off_is_like_its_sibling() -> None:
    def made(name: str) -> Pod:
        words = f"back-off 5m0s restarting failed container=web pod={name}_shop(uid-{name})"
        state = {"waiting": {"reason": "CrashLoopBackOff", "message": words}}
        status = {"phase": "Pending", "containerStatuses": [{"name": "web", "restartCount": 3, "state": state}]}
        return typed(pod(name, {"nodeName": "n1"}, status=status))

    assert likeness(made("web-x2x8q")) == likeness(made("web-9zzzz"))


def test_workloads_without_pods_are_found_and_told_once(live: Any) -> None:
    words = 'pods "web-" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1'
    swept = sweep(live(replica_set("web", 3, 0, words), replica_set("fine", 2, 2), replica_set("off", 0, 0)), SHOP)
    assert [(g.triage, g.workloads, g.example.diagnosis.target.name) for g in swept.groups] == [
        (Triage.NO_POD, 1, "web")
    ]


def test_a_workload_whose_pods_are_stuck_is_told_by_its_pods(live: Any) -> None:
    swept = sweep(live(replica_set("web", 2, 1), refused("web-1", labels={"app": "web"}, **owned("web"))), SHOP)
    assert (swept.pods, swept.workloads) == (1, 0)


def test_young_pods_are_counted_alone(live: Any) -> None:
    swept = sweep(live(orphan("new", "x", creationTimestamp="2026-11-30T22:14:55Z")), SHOP)
    assert (swept.groups, swept.young) == ((), 1)


def test_no_pod_and_no_workload_is_young_by_a_clock_that_may_be_slow(tmp_path: Path) -> None:
    objects = {"apiVersion": "v1", "kind": "List", "items": [orphan("new", "x"), replica_set("web", 2, 0)]}
    (tmp_path / "objects.json").write_text(json.dumps(objects))
    source = FilesSource.open([str(tmp_path / "objects.json")])
    assert source.clock_is_floor
    swept = sweep(source, SHOP)
    assert (swept.pods, swept.workloads, swept.young) == (1, 1, 0)


def test_what_may_not_be_read_is_told_once(live: Any) -> None:
    source = live(*MIXED, refuse=lambda q: q.kind.plural != "pods" or not q.namespace)
    swept = sweep(source, SHOP)
    told = [(gap.what, gap.reason) for gap in swept.not_evaluated]
    assert len(told) == len(set(told))
    assert ("events", GapReason.FORBIDDEN) in told
    assert swept.pods == 7


def test_without_the_right_to_list_pods_there_is_no_sweep(live: Any) -> None:
    def refuse(query: Query[Any]) -> bool:
        return query.kind.plural == "pods"

    with pytest.raises(ForbiddenError) as caught:
        sweep(live(*MIXED, refuse=refuse), Scope())
    assert caught.value.hint == "whypending sweep -n NAMESPACE, or ask for the right to list pods"
