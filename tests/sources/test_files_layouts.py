from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.sources.kube import a_list, dump, event, node, obj, pod
from tests.sources.test_files import as_yaml, names
from whypending.evidence import Gap, GapReason, seen
from whypending.objects.kinds import CLAIMS, EVENTS, KUEUE_WORKLOADS, LEASES, NODES, PODS, QUOTAS, STORAGE_CLASSES
from whypending.sources.base import LogQuery, Query
from whypending.sources.files import FilesSource


def laid_out(tmp_path: Path, files: dict[str, str]) -> FilesSource:
    for name, text in files.items():
        path = tmp_path / "bundle" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return FilesSource.open([str(tmp_path / "bundle")])


def bare(value: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in value.items() if k not in {"kind", "apiVersion"}}


BUNDLE = {
    "version.yaml": "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec: {versionNumber: 0.90.0}\n",
    "cluster-info/cluster_version.json": dump({"info": {"gitVersion": "v1.30.4"}, "string": "v1.30.4"}),
    "cluster-resources/pods/prod.json": dump(a_list(pod(), kind="PodList")),
    "cluster-resources/pods/dev.json": dump(a_list(kind="PodList")),
    "cluster-resources/pods-errors.json": dump({"kube-system": "pods is forbidden: User x cannot list"}),
    "cluster-resources/events/prod.json": dump(a_list(bare(event("e", "api-1")), kind="EventList")),
    "cluster-resources/nodes.json": dump(a_list(bare(node()), kind="NodeList")),
    "cluster-resources/pvcs/prod.json": dump([bare(obj("PersistentVolumeClaim", "data"))]),
    "cluster-resources/storage-classes-errors.json": dump(["storageclasses.storage.k8s.io is forbidden"]),
    "cluster-resources/resource-quota/prod.json": dump(a_list(kind="ResourceQuotaList")),
    "cluster-resources/leases/kube-system.json": dump(
        a_list(bare(obj("Lease", "kube-scheduler", "kube-system")), kind="LeaseList", api="coordination.k8s.io/v1")
    ),
    "cluster-resources/custom-resources/workloads.kueue.x-k8s.io/prod.json": dump(
        [obj("Workload", "w", api="kueue.x-k8s.io/v1beta1")]
    ),
    "cluster-resources/pods/logs/prod/api-1/app.log": "one\ntwo\n",
    "cluster-resources/pods/logs/prod/api-1/app-previous.log": "panic\n",
    "cluster-resources/auth-cani-list/prod.json": dump([{"verbs": ["*"], "resources": ["*"]}]),
    "notes/readme.txt": "NAME READY\n",
}


def test_support_bundle(tmp_path: Path) -> None:
    found = laid_out(tmp_path, BUNDLE)
    assert found.server_version == "v1.30.4"
    assert names(found.read(Query(kind=PODS))) == ["prod/api-1"]
    assert found.read(Query(kind=PODS, namespace="dev")) == ()
    assert found.read(Query(kind=PODS, namespace="dev", name="x")) == ()
    assert found.read(Query(kind=PODS, namespace="prod", name="x")) == ()
    assert names(found.read(Query(kind=EVENTS, namespace="prod", fields="involvedObject.name=api-1"))) == ["prod/e"]
    assert names(found.read(Query(kind=NODES))) == ["/n1"]
    assert found.read(Query(kind=NODES, name="gone")) == ()
    assert names(found.read(Query(kind=CLAIMS, namespace="prod"))) == ["prod/data"]
    assert found.read(Query(kind=QUOTAS, namespace="prod")) == ()
    assert names(found.read(Query(kind=LEASES, namespace="kube-system"))) == ["kube-system/kube-scheduler"]
    assert names(found.read(Query(kind=KUEUE_WORKLOADS, namespace="prod"))) == ["prod/w"]
    assert found.log(LogQuery(namespace="prod", pod="api-1", container="app")) == ("one", "two")
    assert found.log(LogQuery(namespace="prod", pod="api-1", container="app", previous=True)) == ("panic",)
    assert [note for note in found.notes if "clock" not in note] == []


def test_what_the_bundle_was_refused_is_forbidden(tmp_path: Path) -> None:
    found = laid_out(tmp_path, BUNDLE)
    refused: list[tuple[Query[Any], str]] = [
        (Query(kind=PODS, namespace="kube-system"), "pods is forbidden"),
        (Query(kind=STORAGE_CLASSES), "storageclasses.storage.k8s.io is forbidden"),
    ]
    for query, words in refused:
        gap = found.read(query)
        assert isinstance(gap, Gap)
        assert gap.reason is GapReason.FORBIDDEN
        assert words in gap.detail


GATHERED = {
    "quay-io-x-sha256-1/version": "4.16.1",
    "quay-io-x-sha256-1/cluster-scoped-resources/core/nodes/n1.yaml": as_yaml(node("n1")),
    "quay-io-x-sha256-1/cluster-scoped-resources/core/nodes/n2.yaml": as_yaml(node("n2")),
    "quay-io-x-sha256-1/namespaces/prod/core/pods.yaml": as_yaml(a_list(bare(pod()), bare(pod("b")), kind="PodList")),
    "quay-io-x-sha256-1/namespaces/prod/core/events.yaml": as_yaml(a_list(kind="EventList")),
    "quay-io-x-sha256-1/namespaces/prod/pods/api-1/api-1.yaml": as_yaml(pod()),
    "quay-io-x-sha256-1/namespaces/prod/pods/api-1/app/app/logs/current.log": "now\n",
    "quay-io-x-sha256-1/namespaces/prod/pods/api-1/app/app/logs/previous.log": "then\n",
}


def test_must_gather(tmp_path: Path) -> None:
    found = laid_out(tmp_path, GATHERED)
    assert names(found.read(Query(kind=NODES))) == ["/n1", "/n2"]
    assert found.read(Query(kind=NODES, name="n3")) == ()
    assert names(found.read(Query(kind=PODS, namespace="prod"))) == ["prod/api-1", "prod/b"]
    assert found.read(Query(kind=PODS, namespace="prod", name="x")) == ()
    assert found.read(Query(kind=EVENTS, namespace="prod", fields="involvedObject.name=api-1")) == ()
    assert found.log(LogQuery(namespace="prod", pod="api-1", container="app")) == ("now",)
    assert found.log(LogQuery(namespace="prod", pod="api-1", container="app", previous=True)) == ("then",)


def test_lines_of_every_log_are_those_that_may_speak_of_any_pod(tmp_path: Path) -> None:
    scheduler = "ns/namespaces/kube-system/pods/kube-scheduler-m1/kube-scheduler/kube-scheduler/logs/current.log"
    found = laid_out(tmp_path, {**GATHERED, scheduler: "E1 failed\n", "loose.log": "words\n"})
    assert [line.text for line in seen(found.log_lines())] == ["words", "E1 failed"]


def test_one_pod_of_a_must_gather_proves_no_absence(tmp_path: Path) -> None:
    found = laid_out(tmp_path, {"namespaces/prod/pods/api-1/api-1.yaml": as_yaml(pod())})
    assert isinstance(found.read(Query(kind=PODS, namespace="prod", name="x")), Gap)


@pytest.mark.parametrize("name", ["cluster-resources/pods/prod.json", "cluster-resources/nodes.json"])
def test_a_damaged_file_of_a_bundle_proves_no_absence(tmp_path: Path, name: str) -> None:
    found = laid_out(tmp_path, {**BUNDLE, name: BUNDLE[name][:-20]})
    query: Query[Any] = Query(kind=PODS if "pods" in name else NODES, namespace="prod", name="x")
    assert isinstance(found.read(query), Gap)
    assert any("is cut off" in note for note in found.notes)


def test_the_namespace_of_the_path_is_filled_in(tmp_path: Path) -> None:
    nameless = pod()
    del nameless["metadata"]["namespace"]
    found = laid_out(tmp_path, {"cluster-resources/pods/prod.json": dump(a_list(nameless, kind="PodList"))})
    assert names(found.read(Query(kind=PODS, namespace="prod", name="api-1"))) == ["prod/api-1"]
