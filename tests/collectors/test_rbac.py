"""What a scheduler may do: from roles and bindings, from access reviews, and where neither can be had."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.asked import NOW
from tests.worlds import CONFIGURED, WEB
from whypending.collectors import collect
from whypending.collectors.wish import Wish
from whypending.evidence import Access, Gap, GapReason, seen
from whypending.inventory.found import Scheduler, schedulers_in
from whypending.objects.kinds import CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS
from whypending.rbacmodel.scheduler import missing, needs_of, stops_start, subject_of
from whypending.sources.base import Query, Review
from whypending.sources.files import FilesSource
from whypending.sources.snapshot import RecordingSource

USER = "system:serviceaccount:kube-system:second"
API = "rbac.authorization.k8s.io/v1"
CHECKED = Wish(check_access=True)
LABELS = {"app": "second"}
Object = dict[str, Any]


class Live:
    """A FilesSource that passes as a cluster: complete, with access reviews; `refused` kinds are forbidden."""

    kind = "live"
    clock_is_floor = False

    def __init__(
        self, inner: FilesSource, refused: Sequence[str] = (), review: Callable[[Review], Any] | None = None
    ) -> None:
        self._inner, self._refused, self._review = inner, refused, review
        self.details, self.now, self.notes, self.server_version = (), inner.now, (), "v1.37.2"
        self.reviews: list[Review] = []
        self.log, self.log_lines, self.gather, self.close = inner.log, inner.log_lines, inner.gather, inner.close

    def read(self, query: Query[Any]) -> Any:
        if query.kind.plural in self._refused:
            return Gap(what=query.kind.plural, reason=GapReason.FORBIDDEN, grant=f"list {query.kind.plural}")
        known = self._inner.read(query)
        return () if isinstance(known, Gap) else known

    def review(self, review: Review) -> Any:
        self.reviews.append(review)
        assert self._review is not None, "a POST that nobody asked for"
        return self._review(review)


def thing(kind: str, name: str, api: str = "v1", namespace: str = "kube-system", **fields: Any) -> Object:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": namespace}, **fields}


def scheduler(**spec: Any) -> list[Object]:
    container = {"name": "main", "image": "example.com/kube-scheduler:v1.37.2",
                 "command": ["kube-scheduler", "--config=/etc/config.yaml"]}  # fmt: skip
    config = f"{CONFIGURED}leaderElection: {{resourceName: other}}\n"
    running = {"serviceAccountName": "second", "containers": [container], **spec}
    running["volumes"] = [{"name": "c", "configMap": {"name": "c"}}]
    pod = thing("Pod", "second-1", spec=running, status={"conditions": [{"type": "Ready", "status": "True"}]})
    pod["metadata"]["labels"] = LABELS
    written = [{"manager": "kubectl", "operation": "Update", "time": "2026-11-30T20:00:00Z"}]
    configured = thing("ConfigMap", "c", data={"config.yaml": config})
    configured["metadata"]["managedFields"] = written
    pod["status"]["containerStatuses"] = [
        {"name": "main", "restartCount": 0, "state": {"running": {"startedAt": "2026-11-30T20:00:09Z"}}}
    ]
    deployed = {"selector": {"matchLabels": LABELS}, "template": {"spec": running}}
    return [
        thing("Deployment", "second", "apps/v1", spec=deployed),
        pod,
        configured,
        {"apiVersion": "v1", "kind": "Pod", "spec": {"schedulerName": "other"}, "status": {"phase": "Pending"},
         "metadata": {"name": "web", "namespace": "shop", "creationTimestamp": "2026-11-30T21:00:00Z"}},
    ]  # fmt: skip


def bound(role: str, of: str = "ClusterRole", by: str = "ClusterRoleBinding", **subject: Any) -> Object:
    to = subject or {"kind": "ServiceAccount", "name": "second", "namespace": "kube-system"}
    place = "kube-system" if by == "RoleBinding" else ""
    return thing(by, f"b-{role}", API, place, subjects=[to], roleRef={"kind": of, "name": role})


def role(name: str, *rules: Object, kind: str = "ClusterRole", **fields: Any) -> Object:
    return thing(kind, name, API, "kube-system" if kind == "Role" else "", rules=list(rules), **fields)


def rule(verbs: str, group: str, resources: str, **more: Any) -> Object:
    return {"verbs": verbs.split(), "apiGroups": [group], "resources": resources.split(), **more}


ADMIN = rule("*", "*", "*")
LEADS = role("leads", rule("create get update", "coordination.k8s.io", "leases"), kind="Role")


def opened(folder: Path, *objects: Object) -> FilesSource:
    (folder / "objects.yaml").write_text(yaml.safe_dump_all([*objects]))
    return FilesSource.open([str(folder)], now=NOW)


def lacks(source: Any, wish: Wish | None = None) -> set[str]:
    found = collect(source, *WEB, wish=wish or Wish())
    return {f"{a.verb} {a.resource}" for a in missing(found, USER)}


def test_an_account_without_bindings_lacks_everything(tmp_path: Path) -> None:
    found = lacks(Live(opened(tmp_path, *scheduler())))
    assert {"get leases", "update leases", "create leases", "list pods", "watch nodes", "create pods/binding"} <= found


@pytest.mark.parametrize(
    "objects",
    [
        (bound("admin"), role("admin", ADMIN)),
        (bound("admin", kind="Group", name="system:serviceaccounts"), role("admin", ADMIN)),
        (bound("admin", kind="Group", name="system:authenticated"), role("admin", ADMIN)),
        (bound("all"), role("all", aggregationRule={"clusterRoleSelectors": [{}]}), role("admin", ADMIN)),
    ],
    ids=["account", "accounts", "authenticated", "aggregated"],
)
def test_an_account_with_all_rights_lacks_nothing(tmp_path: Path, objects: tuple[Object, ...]) -> None:
    found = collect(Live(opened(tmp_path, *scheduler(), *objects)), *WEB)
    assert {a.allowed for a in seen(found.access)} == {True}
    assert {a.how for a in seen(found.access)} == {"roles and bindings"}


def test_rights_in_its_leases_namespace_are_enough_for_the_lease_alone(tmp_path: Path) -> None:
    found = lacks(Live(opened(tmp_path, *scheduler(), bound("leads", "Role", "RoleBinding"), LEADS)))
    assert not {each for each in found if "leases" in each}
    assert "list pods" in found


def test_a_role_for_another_lease_does_not_help(tmp_path: Path) -> None:
    named = rule("get update", "coordination.k8s.io", "leases", resourceNames=["kube-scheduler"])
    create = rule("create", "coordination.k8s.io", "leases")
    objects = (bound("leads", "Role", "RoleBinding"), role("leads", named, create, kind="Role"))
    found = lacks(Live(opened(tmp_path, *scheduler(), *objects)))
    assert {each for each in found if "leases" in each} == {"get leases", "update leases"}


def test_a_role_that_is_not_there_grants_nothing(tmp_path: Path) -> None:
    assert "list pods" in lacks(Live(opened(tmp_path, *scheduler(), bound("gone"))))


def test_what_cannot_be_read_is_not_known_to_lack(tmp_path: Path) -> None:
    inner = opened(tmp_path, *scheduler(), bound("admin"), role("admin", ADMIN))
    hidden = collect(Live(inner, [CLUSTER_ROLES.plural]), *WEB)
    assert {a.allowed for a in seen(hidden.access)} == {None}
    half = collect(Live(opened(tmp_path, *scheduler()), [ROLE_BINDINGS.plural]), *WEB)
    assert {a.allowed for a in seen(half.access) if a.resource == "leases"} == {None}
    assert {a.allowed for a in seen(half.access) if a.resource == "pods"} == {False}
    assert [gap.what for gap in half.partly] == [ROLE_BINDINGS.plural]
    none = collect(Live(inner, [CLUSTER_ROLE_BINDINGS.plural]), *WEB)
    assert isinstance(none.access, Gap)
    assert none.access.reason is GapReason.FORBIDDEN


def test_reviews_are_asked_for_only_by_the_flag_and_then_alone(tmp_path: Path) -> None:
    source = Live(opened(tmp_path, *scheduler()), [CLUSTER_ROLE_BINDINGS.plural], lambda r: (r.resource != "leases",))
    assert lacks(source, CHECKED) == {"get leases", "update leases", "create leases"}
    assert {(r.user, r.groups[0]) for r in source.reviews} == {(USER, "system:serviceaccounts")}


def test_reviews_that_are_refused_cost_one_request_and_the_roles_answer(tmp_path: Path) -> None:
    refused = Gap(what="reviews", reason=GapReason.FORBIDDEN)
    source = Live(opened(tmp_path, *scheduler()), (), lambda _: refused)
    found = collect(source, *WEB, wish=CHECKED)
    assert len(source.reviews) == 1
    assert {a.how for a in seen(found.access)} == {"roles and bindings"}
    assert found.partly[-1:] == (refused,)


@pytest.mark.parametrize("wish", [Wish(), CHECKED])
def test_a_snapshot_gives_the_same(tmp_path: Path, wish: Wish) -> None:
    inner = opened(tmp_path, *scheduler(), bound("leads", "Role", "RoleBinding"), LEADS)
    recording = RecordingSource(Live(inner, (), lambda r: (r.verb != "watch",)))
    before = collect(recording, *WEB, wish=wish).access
    recording.save(tmp_path / "s.tgz")
    assert collect(FilesSource.open([str(tmp_path / "s.tgz")]), *WEB).access == before
    assert seen(before)


def test_files_without_all_bindings_are_a_gap(tmp_path: Path) -> None:
    found = collect(opened(tmp_path, *scheduler(), bound("leads", "Role", "RoleBinding"), LEADS), *WEB)
    assert isinstance(found.access, Gap)
    assert found.access.grant.startswith("add `kubectl get clusterrolebindings")


def test_files_with_lists_of_all_bindings_answer(tmp_path: Path) -> None:
    for kind, item in (("ClusterRole", role("admin", ADMIN)), ("RoleBinding", bound("leads", "Role", "RoleBinding"))):
        text = yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": [item, item | {"metadata": {"name": "x"}}]})
        (tmp_path / f"{kind.lower()}s-A.yaml").write_text(text)
    whole = {"apiVersion": "v1", "kind": "List", "items": [bound("admin")]}
    (tmp_path / "clusterrolebindings.yaml").write_text(yaml.safe_dump(whole))
    found = collect(opened(tmp_path, *scheduler()), *WEB)
    assert {a.allowed for a in seen(found.access)} == {True}


@pytest.mark.parametrize(
    "change",
    [
        {"containers": [{"name": "main", "image": "kube-scheduler", "command": ["kube-scheduler", "--kubeconfig=/k"]}]},
        {
            "containers": [
                {"name": "main", "image": "kube-scheduler", "command": ["kube-scheduler", "--config=/c.yaml"]}
            ]
        },
    ],
)
def test_a_user_that_a_kubeconfig_names_is_not_known(tmp_path: Path, change: Object) -> None:
    config = f"{CONFIGURED}clientConnection:\n  kubeconfig: /etc/kubernetes/scheduler.conf\n"
    objects = [each for each in scheduler(**change) if each["kind"] != "ConfigMap"]
    assert subject_of(inventoried(tmp_path, *objects, thing("ConfigMap", "c", data={"c.yaml": config}))) == ""


def test_another_program_needs_pods_nodes_and_binds(tmp_path: Path) -> None:
    own = {"name": "main", "image": "example.com/volcano/vc-scheduler:v1.13"}
    found = inventoried(tmp_path, *(each for each in scheduler(containers=[own]) if each["kind"] != "ConfigMap"))
    wanted = {f"{r.verb} {r.resource}" for r in needs_of(found, "") if r.resource != "leases"}
    assert wanted == {"list nodes", "watch nodes", "list pods", "watch pods", "create pods/binding"}


@pytest.mark.parametrize(("version", "dra"), [("v1.37.2", True), ("", True), ("v1.30.14+k3s1", False), ("odd", True)])
def test_what_the_release_does_not_have_is_not_needed(tmp_path: Path, version: str, dra: bool) -> None:
    needs = list(needs_of(inventoried(tmp_path, *scheduler()), version))
    assert any(r.resource == "resourceslices" for r in needs) is dra


def test_only_lists_stop_the_start() -> None:
    def access(verb: str, resource: str, group: str = "") -> Access:
        return Access(subject="u", verb=verb, group=group, resource=resource)

    assert stops_start(access("watch", "nodes"))
    assert not stops_start(access("create", "pods/binding"))
    assert not stops_start(access("get", "leases", "coordination.k8s.io"))


def inventoried(folder: Path, *objects: Object) -> Scheduler:
    """The scheduler in these objects."""
    return schedulers_in(collect(opened(folder, *objects), *WEB))[0]
