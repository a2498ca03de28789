# ruff: noqa: E501 - objects read best with one part a line
from __future__ import annotations

import stat
import tarfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.sources.kube import a_list, dump, event, node, obj, pod
from tests.sources.test_files import names, source
from whypending.errors import UnreadableFileError, UsageError
from whypending.evidence import Gap, GapReason, Known, LogLine, seen
from whypending.objects.kinds import CONFIG_MAPS, DEPLOYMENTS, EVENTS, KUEUE_WORKLOADS, LEASES, NODES, PODS
from whypending.objects.pod import Pod
from whypending.sources.base import LogQuery, Query, Source
from whypending.sources.files import FilesSource
from whypending.sources.redaction import redacted
from whypending.sources.snapshot import RecordingSource

SECRET = "hunter2"
CONTAINER = {
    "name": "app", "image": "app:1", "command": ["/bin/app", f"--password={SECRET}"], "args": [SECRET, "--config=/etc/s.yaml"],
    "env": [{"name": "TOKEN", "value": SECRET}, {"name": "K", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
    "livenessProbe": {"exec": {"command": ["sh", "-c", f"curl -u {SECRET}"]}, "periodSeconds": 5},
}  # fmt: skip
NOTES = {
    "kubectl.kubernetes.io/last-applied-configuration": SECRET,
    "x.corp/pass": SECRET,
    "kubernetes.io/config.mirror": "m",
}
OBJECTS = [
    a_list(
        pod("api-1", spec={"containers": [CONTAINER], "nodeName": "n1"}, metadata={"annotations": NOTES}),
        pod("api-2", metadata={"annotations": NOTES}),
        pod("sched", "kube-system", metadata={"labels": {"component": "kube-scheduler"}}),
    ),
    a_list(event("e", "api-1")),
    node(),
    obj("Deployment", "api", api="apps/v1", spec={"template": {"spec": {"containers": [CONTAINER]}}}),
    obj("ConfigMap", "config", data={"a.yaml": "kind: KubeSchedulerConfiguration\n", "password": SECRET}),
    obj("Workload", "w", api="kueue.x-k8s.io/v1beta1",
        spec={"podSets": [{"template": {"spec": {"containers": [CONTAINER]}}}], "queueName": "q"}),
]  # fmt: skip


def reduced(pod_: Pod) -> Pod | None:
    return Pod(metadata=pod_.metadata, status=pod_.status) if pod_.name != "api-2" else None


QUERIES: list[Query[Any]] = [
    Query(kind=PODS),
    Query(kind=PODS, keep=reduced),
    Query(kind=PODS, limit=1),
    Query(kind=PODS, namespace="prod", name="api-1"),
    Query(kind=PODS, namespace="prod", name="none"),
    Query(kind=PODS, fields="spec.nodeName=", keep=reduced),
    Query(kind=PODS, labels="component=kube-scheduler"),
    Query(kind=EVENTS, namespace="prod", fields="involvedObject.name=api-1"),
    Query(kind=NODES),
    Query(kind=NODES, name="n9", would_decide="whether it exists"),
    Query(kind=LEASES, namespace="kube-system", would_decide="who leads", what="the Leases"),
    Query(kind=DEPLOYMENTS, namespace="prod", name="api"),
    Query(kind=CONFIG_MAPS),
    Query(kind=KUEUE_WORKLOADS, namespace="prod"),
]


def plain(known: Known[Any]) -> Any:
    return known if isinstance(known, Gap) else [redacted(x) for x in known]


def recorded(tmp_path: Path) -> tuple[RecordingSource, list[Known[Any]]]:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/prod_api-1_app.log").write_text("one\ntwo \x1b[1m\n\nthree")
    for number, value in enumerate(OBJECTS):
        (tmp_path / f"in/{number}.json").write_text(dump(value))
    recording = RecordingSource(FilesSource.open([str(tmp_path / "in")], datetime(2026, 3, 4, 5, 6, 7, 89, UTC)))
    return recording, recording.gather([partial(recording.read, query) for query in QUERIES])


@pytest.mark.parametrize("name", ["snap.tar.gz", "snap.tgz", "snap"])
def test_replay_is_identical(tmp_path: Path, name: str) -> None:
    recording, answers = recorded(tmp_path)
    logs = [LogQuery(namespace="prod", pod="api-1", container="app", tail_lines=n) for n in (2, 500)]
    logs.append(LogQuery(namespace="prod", pod="api-1", container="app", previous=True, would_decide="why it ended"))
    lines, every = [recording.log(q) for q in logs], recording.log_lines()
    assert any(isinstance(a, Gap) for a in answers)
    assert sum(len(seen(a)) for a in answers) > 10
    recording.save(tmp_path / name)
    replay = FilesSource.open([str(tmp_path / name)])
    assert [plain(replay.read(q)) for q in QUERIES] == [plain(a) for a in answers]
    assert [replay.log(q) for q in logs] == lines
    assert replay.log_lines() == every
    assert (replay.now, replay.server_version) == (recording.now, recording.server_version)
    assert ("clock", "the snapshot") in replay.details


def test_replayed_objects_are_equal_where_nothing_was_left_out(tmp_path: Path) -> None:
    recording, answers = recorded(tmp_path)
    recording.save(tmp_path / "s.tgz")
    replay = FilesSource.open([str(tmp_path / "s.tgz")])
    whole = {4, 5, 6, 7, 8, 9, 10}
    assert [replay.read(q) for n, q in enumerate(QUERIES) if n in whole] == [
        a for n, a in enumerate(answers) if n in whole
    ]


def test_a_snapshot_of_a_snapshot_is_the_same(tmp_path: Path) -> None:
    first, _ = recorded(tmp_path)
    first.save(tmp_path / "a.tgz")
    second = RecordingSource(FilesSource.open([str(tmp_path / "a.tgz")]))
    known = [plain(second.read(q)) for q in QUERIES]
    second.save(tmp_path / "b.tgz")
    again = FilesSource.open([str(tmp_path / "b.tgz")])
    assert [plain(again.read(q)) for q in QUERIES] == known


def test_no_secret_is_written(tmp_path: Path) -> None:
    recording, _ = recorded(tmp_path)
    text = b"".join(recording.files().values()).decode()
    assert SECRET not in text
    assert all(kept in text for kept in ("TOKEN", "secretKeyRef", "config.mirror", "/bin/app", "--config=/etc/s.yaml"))
    assert all(kept in text for kept in ("KubeSchedulerConfiguration", "queueName", "periodSeconds"))


def test_objects_are_shaped_as_kubectl_shows_them(tmp_path: Path) -> None:
    recording, _ = recorded(tmp_path)
    listed = msgspec.json.decode(recording.files()["objects/nodes.json"])
    assert (listed["kind"], listed["items"][0]["kind"], listed["items"][0]["apiVersion"]) == ("List", "Node", "v1")
    assert listed["items"][0]["metadata"]["creationTimestamp"] == "2026-03-01T10:00:00Z"


def test_queries_that_were_not_made_are_answered_from_what_is_there(tmp_path: Path) -> None:
    recording, _ = recorded(tmp_path)
    recording.save(tmp_path / "s.tgz")
    replay = FilesSource.open([str(tmp_path / "s.tgz")])
    assert names(replay.read(Query(kind=PODS, namespace="kube-system"))) == ["kube-system/sched"]
    assert names(replay.read(Query(kind=PODS, keep=lambda p: p if p.name == "sched" else None))) == [
        "kube-system/sched"
    ]
    assert replay.read(Query(kind=PODS, namespace="dev", name="x")) == ()
    assert isinstance(replay.read(Query(kind=NODES, name="n8")), tuple)
    assert isinstance(replay.read(Query(kind=DEPLOYMENTS, namespace="prod", name="other")), Gap)


def test_files_beside_a_snapshot_close_its_gaps(tmp_path: Path) -> None:
    recording, _ = recorded(tmp_path)
    recording.save(tmp_path / "s.tgz")
    (tmp_path / "leases.json").write_text(dump(obj("Lease", "l", "kube-system", "coordination.k8s.io/v1")))
    replay = FilesSource.open([str(tmp_path / "s.tgz"), str(tmp_path / "leases.json")])
    assert names(replay.read(Query(kind=LEASES, namespace="kube-system"))) == ["kube-system/l"]
    assert names(replay.read(Query(kind=NODES))) == ["/n1"]


def test_the_file_is_private_and_never_replaced_unasked(tmp_path: Path) -> None:
    recording, _ = recorded(tmp_path)
    for name in ("s.tar.gz", "folder"):
        path = tmp_path / name
        recording.save(path)
        file = path if path.is_file() else path / "whypending.json"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with pytest.raises(UsageError, match="exists already"):
            recording.save(path)
        recording.save(path, force=True)
        assert FilesSource.open([str(path)]).now == recording.now
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "in", "s.tar.gz"]


def test_force_spares_a_folder_that_is_no_snapshot(tmp_path: Path) -> None:
    recording, _ = recorded(tmp_path)
    with pytest.raises(UsageError):
        recording.save(tmp_path / "in", force=True)
    assert (tmp_path / "in/prod_api-1_app.log").exists()
    with pytest.raises(UsageError, match="can't be written"):
        recording.save(tmp_path / "no/such/folder.tgz")


def test_the_same_reads_make_the_same_bytes(tmp_path: Path) -> None:
    recording, _ = recorded(tmp_path)
    recording.save(tmp_path / "a.tgz")
    recording.save(tmp_path / "b.tgz")
    assert (tmp_path / "a.tgz").read_bytes() == (tmp_path / "b.tgz").read_bytes()
    with tarfile.open(tmp_path / "a.tgz") as archive:
        assert archive.getnames()[0] == "whypending.json"


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("whypending.json", "{}", "no manifest"),
        ("whypending.json", "not json", "no manifest"),
        ("whypending.json", '{"schemaVersion": "9", "clock": "2026-01-01T00:00:00Z"}', "version 9"),
        ("objects/pods.json", '{"items": [', "damaged"),
    ],
)
def test_a_damaged_snapshot_says_so(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    recording, _ = recorded(tmp_path)
    recording.save(tmp_path / "s")
    (tmp_path / "s" / name).write_text(text)
    with pytest.raises(UnreadableFileError, match=sentence):
        FilesSource.open([str(tmp_path / "s")])


def test_missing_objects_are_a_gap_and_a_lone_manifest_an_error(tmp_path: Path) -> None:
    recording, _ = recorded(tmp_path)
    recording.save(tmp_path / "s")
    (tmp_path / "s/objects/nodes.json").unlink()
    gap = FilesSource.open([str(tmp_path / "s")]).read(Query(kind=NODES))
    assert isinstance(gap, Gap)
    assert gap.reason is GapReason.NOT_IN_SNAPSHOT
    with pytest.raises(UnreadableFileError, match="part of a snapshot"):
        FilesSource.open([str(tmp_path / "s/whypending.json")])


def test_is_a_source_that_passes_everything_through(tmp_path: Path) -> None:
    inner = source(tmp_path, dump(pod()))
    recording: Source = RecordingSource(inner)
    assert (recording.kind, recording.details, recording.notes) == (inner.kind, inner.details, inner.notes)
    assert recording.read(Query(kind=PODS)) == inner.read(Query(kind=PODS))
    assert isinstance(recording.log_lines(), Gap)
    recording.close()


def test_lines_of_logs_survive(tmp_path: Path) -> None:
    recording, _ = recorded(tmp_path)
    assert [line.text for line in seen(recording.log_lines())] == ["one", "two \x1b[1m", "three"]
    recording.save(tmp_path / "s.tgz")
    first = seen(FilesSource.open([str(tmp_path / "s.tgz")]).log_lines())[0]
    assert isinstance(first, LogLine)
    assert (first.number, first.text) == (1, "one")
