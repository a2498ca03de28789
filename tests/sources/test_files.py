# ruff: noqa: E501 - a table reads best with one case a line
from __future__ import annotations

import gzip
import io
import sys
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.sources.kube import BORN, a_list, dump, event, node, obj, pod
from whypending.errors import UnreadableFileError
from whypending.evidence import Gap, GapReason, Known, seen
from whypending.objects.kinds import CONFIG_MAPS, DEPLOYMENTS, EVENTS, LEASES, NODES, PODS
from whypending.sources.base import LogQuery, Query, Source
from whypending.sources.files import FilesSource


def source(tmp_path: Path, *texts: str | bytes, name: str = "in.yaml", now: datetime | None = None) -> FilesSource:
    paths = []
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}-{name}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        paths.append(str(path))
    return FilesSource.open(paths, now)


def names(known: Known[Any]) -> list[str]:
    assert not isinstance(known, Gap), known
    return [f"{x.namespace}/{x.name}" for x in known]


def as_yaml(*values: dict[str, Any]) -> str:
    return "---\n".join(yaml.safe_dump(value) for value in values)


TWO = (pod("a"), pod("b"))
SHAPES = {
    "one yaml object each": as_yaml(*TWO),
    "yaml list": as_yaml(a_list(*TWO)),
    "typed yaml list without kinds": as_yaml(
        a_list(*({k: v for k, v in p.items() if k not in {"kind", "apiVersion"}} for p in TWO), kind="PodList")
    ),
    "yaml without breaks": as_yaml(pod("a")) + as_yaml(pod("b")),
    "yaml with a comment and an end": "# saved\n--- # first\n" + as_yaml(pod("a")) + "...\n" + as_yaml(pod("b")),
    "indented yaml": "".join(f"    {line}\n" for line in as_yaml(a_list(*TWO)).splitlines()),
    "indented sequence": "kind: List\napiVersion: v1\nitems:\n  - " + dump(TWO[0], None) + "  - " + dump(TWO[1], None),
    "json list": dump(a_list(*TWO)),
    "json list in one line": dump(a_list(*TWO), None),
    "json array": dump(list(TWO)),
    "json objects one after the other": dump(TWO[0]) + dump(TWO[1]),
    "ndjson": dump(TWO[0], None) + dump(TWO[1], None),
    "two json lists": dump(a_list(TWO[0])) + "\n" + dump(a_list(TWO[1])),
    "bom": "\ufeff" + dump(a_list(*TWO)),
    "yaml bom": "\ufeff" + as_yaml(*TWO),
    "crlf": as_yaml(*TWO).replace("\n", "\r\n"),
    "prompts": "$ kubectl get pod a -o yaml\n" + as_yaml(TWO[0]) + "me@host:~/x$ kubectl get pod b -o yaml\n"
    + as_yaml(TWO[1]) + "me@host:~/x$ \n",
    "root prompt and json": "[root@m1 ~]# kubectl -n prod get pods -o json\n" + dump(a_list(*TWO)) + "[root@m1 ~]#\n",
    "powershell": "PS C:\\> kubectl get pods -o yaml\n" + as_yaml(a_list(*TWO)),
    "prompt after json": dump(a_list(*TWO)) + "$ kubectl get nodes -o json\n" + dump(a_list(node())),
    "code fences": "Look:\n```yaml\n" + as_yaml(TWO[0]) + "```\nand\n```json\n" + dump(TWO[1]) + "```\nWhy?\n",
    "words before": "Warning: v1 ComponentStatus is deprecated\n" + as_yaml(*TWO),
    "tabs": "apiVersion: v1\nkind: Pod\nmetadata:\n\tname: a\n\tnamespace: prod\n\tcreationTimestamp: " + BORN + "\n---\n"
    + as_yaml(TWO[1]),
    "flow yaml": "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: prod, creationTimestamp: '" + BORN + "'}}\n---\n"
    + as_yaml(TWO[1]),
    "no apiVersion": as_yaml({k: v for k, v in TWO[0].items() if k != "apiVersion"}, TWO[1]),
}  # fmt: skip


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES.keys())
def test_takes_what_people_have(tmp_path: Path, text: str) -> None:
    found = source(tmp_path, text)
    assert names(found.read(Query(kind=PODS))) == ["prod/a", "prod/b"]
    assert found.now == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert [note for note in found.notes if "clock" not in note] == []
    (one,) = seen(found.read(Query(kind=PODS, namespace="prod", name="b")))
    assert (one.kind, one.api_version, one.status.phase) == ("Pod", "v1", "Pending")


def test_utf_16_of_powershell(tmp_path: Path) -> None:
    for text in (dump(a_list(*TWO)), as_yaml(*TWO)):
        found = source(tmp_path, text.encode("utf-16"))
        assert names(found.read(Query(kind=PODS))) == ["prod/a", "prod/b"]
        assert found.now.year == 2026


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(as_yaml(*TWO).encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    found = FilesSource.open(["-"])
    assert names(found.read(Query(kind=PODS))) == ["prod/a", "prod/b"]


def test_gzip_and_folder(tmp_path: Path) -> None:
    (tmp_path / "deep/er").mkdir(parents=True)
    (tmp_path / "deep/a.json.gz").write_bytes(gzip.compress(dump(a_list(pod("a"))).encode()))
    (tmp_path / "deep/er/b.yml").write_text(as_yaml(pod("b")))
    (tmp_path / "deep/picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "deep/words.txt").write_text("nothing to see")
    assert names(FilesSource.open([str(tmp_path / "deep")]).read(Query(kind=PODS))) == ["prod/a", "prod/b"]
    assert names(FilesSource.open([str(tmp_path / "deep/a.json.gz")]).read(Query(kind=PODS))) == ["prod/a"]


@pytest.mark.parametrize("suffix", ["tar", "tar.gz", "tgz"])
def test_archives(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"bundle.{suffix}"
    with tarfile.open(path, "w" if suffix == "tar" else "w:gz") as archive:
        for name, text in (("./x/pods.json", dump(a_list(*TWO))), ("x/s.log", "one\ntwo\n"), ("x/y.yaml.gz", None)):
            data = gzip.compress(as_yaml(node()).encode()) if text is None else text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    found = FilesSource.open([str(path)])
    assert names(found.read(Query(kind=PODS))) == ["prod/a", "prod/b"]
    assert names(found.read(Query(kind=NODES))) == ["/n1"]
    assert [(line.number, line.text) for line in seen(found.log_lines())] == [(1, "one"), (2, "two")]


def test_secrets_are_dropped(tmp_path: Path) -> None:
    secret = obj("Secret", "s", data={"k": "czNjcjN0"})
    found = source(tmp_path, as_yaml(pod(), secret, a_list(secret, pod("b"))), dump(a_list(secret)))
    assert ("secretsDropped", "3") in found.details
    assert "czNjcjN0" not in repr(found._index.items)  # noqa: SLF001
    assert names(found.read(Query(kind=PODS))) == ["prod/api-1", "prod/b"]


def test_unknown_kinds_are_counted(tmp_path: Path) -> None:
    found = source(
        tmp_path, as_yaml(pod(), obj("Service", "a"), obj("Service", "b"), obj("Gadget", "c", api="x.io/v1"))
    )
    assert ("notUsed", "1 Gadget, 2 Service") in found.details


def test_odd_values_cost_the_field_only(tmp_path: Path) -> None:
    odd = [
        pod("a", status=None),
        pod("b", spec={"containers": None, "nodeName": None}),
        pod("c", metadata={"labels": None, "uid": None}),
        pod("d", status={"phase": 5, "conditions": [None, {"type": "Ready", "lastTransitionTime": "yesterday"}]}),
        pod("e", spec=[1]),
    ]
    for text in (dump(a_list(*odd)), as_yaml(a_list(*odd)), as_yaml(*odd)):
        found = source(tmp_path, text)
        assert names(found.read(Query(kind=PODS))) == [f"prod/{n}" for n in "abcde"]
        assert any("prod/e" in note for note in found.notes)


def test_the_newest_copy_wins_and_is_noted(tmp_path: Path) -> None:
    old, new = (
        pod(metadata={"resourceVersion": v}, status={"phase": p}) for v, p in (("9", "Pending"), ("10", "Running"))
    )
    for texts in ((dump(new), dump(old)), (dump(old), as_yaml(new))):
        found = source(tmp_path, *texts)
        assert [p.status.phase for p in seen(found.read(Query(kind=PODS)))] == ["Running"]
        assert any("1 objects occur in several versions" in note for note in found.notes)
    assert not any("several" in note for note in source(tmp_path, dump(new), dump(new)).notes)


def test_ambiguous_names_are_all_shown(tmp_path: Path) -> None:
    found = source(tmp_path, as_yaml(pod("x", "a"), pod("x", "b"), pod("x", "b", metadata={"uid": "other"})))
    assert names(found.read(Query(kind=PODS, name="x"))) == ["a/x", "b/x", "b/x"]
    assert names(found.read(Query(kind=PODS, name="x", namespace="a"))) == ["a/x"]


ABSENCE: list[tuple[str, list[dict[str, Any]], Query[Any], bool]] = [
    ("kind never occurs", [pod()], Query(kind=NODES), False),
    ("kind occurs", [pod(), node()], Query(kind=NODES, labels="a=b"), True),
    ("other namespace", [pod()], Query(kind=PODS, namespace="dev"), False),
    ("list of several namespaces", [a_list(pod(), pod("x", "y"))], Query(kind=PODS, namespace="dev"), True),
    ("list of one namespace", [a_list(pod(), pod("x"))], Query(kind=PODS, namespace="dev"), False),
    ("name, loose object", [pod()], Query(kind=PODS, namespace="prod", name="x"), False),
    ("name, list of that kind", [a_list(pod())], Query(kind=PODS, namespace="prod", name="x"), True),
    ("name, list of other namespace", [a_list(pod())], Query(kind=PODS, namespace="dev", name="x"), False),
    ("name, list of all", [a_list(pod(), pod("x", "y"))], Query(kind=PODS, namespace="dev", name="x"), True),
    ("name, mixed list", [a_list(pod(), node())], Query(kind=PODS, namespace="prod", name="x"), False),
    ("name, cluster-scoped", [a_list(node())], Query(kind=NODES, name="n9"), True),
    ("empty typed list of nodes", [a_list(kind="NodeList"), pod()], Query(kind=NODES, name="n9"), True),
    ("empty typed list of pods, list", [a_list(kind="PodList"), node()], Query(kind=PODS, namespace="a"), True),
    ("empty typed list of pods, name", [a_list(kind="PodList"), node()], Query(kind=PODS, namespace="a", name="x"), False),
    ("name as a field", [pod()], Query(kind=PODS, namespace="prod", fields="metadata.name=x"), False),
    ("events of another object", [pod(), event("e", "z")], Query(kind=EVENTS, fields="involvedObject.name=api-1"), True),
    ("no events", [pod()], Query(kind=EVENTS, namespace="prod", fields="involvedObject.name=api-1"), False),
    ("selector over a part of the cluster", [a_list(pod())], Query(kind=PODS, labels="component=kube-scheduler"), False),
    ("selector over all of it", [a_list(pod(), pod("x", "y"))], Query(kind=PODS, labels="a=b"), True),
]  # fmt: skip


@pytest.mark.parametrize(("values", "query", "known"), [x[1:] for x in ABSENCE], ids=[x[0] for x in ABSENCE])
def test_absence_or_gap(tmp_path: Path, values: list[dict[str, Any]], query: Query[Any], known: bool) -> None:
    for text in (as_yaml(*values), "".join(dump(v) for v in values)):
        answer = source(tmp_path, text).read(query)
        assert answer == () if known else isinstance(answer, Gap) and answer.reason is GapReason.NOT_IN_SNAPSHOT


@pytest.mark.parametrize(
    ("query", "command"),
    [
        (Query(kind=NODES), "kubectl get nodes -o yaml"),
        (Query(kind=LEASES, namespace="kube-system"), "kubectl get leases.coordination.k8s.io -n kube-system -o yaml"),
        (Query(kind=LEASES, namespace="a", name="b"), "kubectl get leases.coordination.k8s.io b -n a -o yaml"),
        (Query(kind=DEPLOYMENTS), "kubectl get deployments.apps -A -o yaml"),
        (Query(kind=PODS, namespace="a", labels="x in (1,2)"), "kubectl get pods -n a -l 'x in (1,2)' -o yaml"),
    ],
)
def test_a_gap_names_the_exact_command(tmp_path: Path, query: Query[Any], command: str) -> None:
    gap = source(tmp_path, as_yaml(obj("ConfigMap", "c"))).read(query)
    assert isinstance(gap, Gap)
    assert gap.grant == f"add `{command}` to --from"


def test_an_empty_list_is_of_the_kind_that_its_file_is_named_for(tmp_path: Path) -> None:
    (tmp_path / "events.yaml").write_text(as_yaml(a_list()))
    (tmp_path / "pods-prod.json").write_text(dump(pod()))
    found = FilesSource.open([str(tmp_path)])
    assert found.read(Query(kind=EVENTS, namespace="prod", fields="involvedObject.name=api-1")) == ()
    assert isinstance(found.read(Query(kind=CONFIG_MAPS)), Gap)


def test_clock(tmp_path: Path) -> None:
    seen_at = "2026-03-02T01:02:03Z"
    late = pod(metadata={"deletionTimestamp": "2027-01-01T00:00:00Z"}, status={"startTime": "2026-13-45T00:00:00Z"})
    lease = obj(
        "Lease", "n1", "kube-node-lease", "coordination.k8s.io/v1", spec={"renewTime": "2026-03-02T01:02:03.000000Z"}
    )
    running = pod("b", status={"containerStatuses": [{"state": {"running": {"startedAt": seen_at}}}]})
    for values in ((late, lease), (late, running)):
        for text in (as_yaml(*values), "".join(dump(v) for v in values), "".join(dump(v, None) for v in values)):
            found = source(tmp_path, text)
            assert found.now == datetime(2026, 3, 2, 1, 2, 3, tzinfo=UTC)
            assert any("newest time" in note for note in found.notes)
    given = datetime(2030, 1, 1, tzinfo=UTC)
    found = source(tmp_path, dump(late), now=given)
    assert (found.now, ("clock", "--now") in found.details, found.notes) == (given, True, ())
    with pytest.raises(UnreadableFileError, match="no time"):
        source(tmp_path, as_yaml({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}}))


@pytest.mark.parametrize(
    "version",
    [
        {"clientVersion": {"gitVersion": "v1.30.0"}, "serverVersion": {"gitVersion": "v1.29.5"}},
        {"info": {"gitVersion": "v1.29.5"}, "string": "v1.29.5"},
        {"major": "1", "gitVersion": "v1.29.5", "platform": "linux/amd64"},
    ],
)
def test_server_version(tmp_path: Path, version: dict[str, Any]) -> None:
    for text in (dump(version), as_yaml(version)):
        assert source(tmp_path, dump(pod()), text).server_version == "v1.29.5"


def test_logs(tmp_path: Path) -> None:
    (tmp_path / "pods.yaml").write_text(as_yaml(pod()))
    (tmp_path / "prod_api-1_app.log").write_text("".join(f"line {n}\n" for n in range(1000)))
    (tmp_path / "prod_api-1_app-previous.log").write_text("panic\n")
    (tmp_path / "scheduler.log").write_text("E1\n\nE2 \x1b[31m\n")
    found = FilesSource.open([str(tmp_path)])
    lines = found.log(LogQuery(namespace="prod", pod="api-1", container="app", tail_lines=2))
    assert lines == ("line 998", "line 999")
    assert found.log(LogQuery(namespace="prod", pod="api-1", limit_bytes=20)) == ("line 998", "line 999")
    assert found.log(LogQuery(namespace="prod", pod="api-1", previous=True)) == ("panic",)
    gap = found.log(LogQuery(namespace="prod", pod="other", container="c"))
    assert isinstance(gap, Gap)
    assert "kubectl logs -n prod other -c c" in gap.grant
    every = seen(found.log_lines())
    assert [(x.number, x.text) for x in every if x.origin.endswith("scheduler.log")] == [(1, "E1"), (3, "E2 \x1b[31m")]
    assert isinstance(source(tmp_path, dump(pod())).log_lines(), Gap)


def test_is_a_source(tmp_path: Path) -> None:
    found: Source = source(tmp_path, dump(pod()))
    assert found.kind == "files"
    assert found.gather([lambda: 1, lambda: 2]) == [1, 2]
    found.close()


def test_what_can_not_be_decoded_is_not_absent(tmp_path: Path) -> None:
    found = source(tmp_path, dump(a_list(pod("a"), {**pod("b"), "metadata": {"name": "b", "namespace": ["x"]}})))
    assert names(found.read(Query(kind=PODS))) != []
    broken = source(tmp_path, '{"kind": "List", "apiVersion": "v1", "items": [' + dump(pod("a")) + ', {"kind": "Pod",'
                    '"apiVersion": "v1", "metadata": {"name": "x", "namespace": "prod", "generation": 1e}}]}', dump(pod()))  # fmt: skip
    assert any("is not JSON" in note for note in broken.notes)
    assert isinstance(broken.read(Query(kind=PODS, namespace="prod", name="x")), Gap)
