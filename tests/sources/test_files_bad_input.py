from __future__ import annotations

import gzip
import io
import os
import tarfile
import tracemalloc
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.sources.kube import a_list, dump, pod
from tests.sources.test_files import as_yaml, names, source
from whypending.errors import UnreadableFileError
from whypending.evidence import seen
from whypending.objects.kinds import PODS
from whypending.sources.base import Query
from whypending.sources.files import FilesSource, documents, inputs

BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
WHOLE = dump(a_list(pod("a"), pod("b")))

BAD: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "is empty"),
    "blank": ("\n \n", "is empty"),
    "binary": (b"\x7fELF\x00\x00\x01", "is a binary file"),
    "yaml, not kubernetes": ("name: x\nvalues: [1]\n", "holds no Kubernetes objects"),
    "a sentence": ("hello\n", "holds no Kubernetes objects"),
    "json, not kubernetes": ('{"a": 1}', "holds no Kubernetes objects"),
    "a number": ("[1, 2]", "holds no Kubernetes objects"),
    "null": ("null", "holds no Kubernetes objects"),
    "truncated json": (WHOLE[:-60], "is cut off"),
    "one brace": ("{", "is cut off"),
    "broken json": (WHOLE.replace('"kind": "List"', '"kind" "List"'), r":\d+ is not JSON"),
    "deep json": ('{"a":' + "[" * 100_000, "nested too deeply|cut off"),
    "deep yaml": ("a:\n" + "- " * 100_000 + "x", "maximum nesting depth|nested too deeply"),
    "bomb": ("apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n" + BOMB, "aliases"),
    "recursive alias": ("apiVersion: v1\nkind: Pod\nmetadata: &m {name: *m}\n", "aliases"),
    "merge key": ("x: &x {a: b}\ny: {<<: *x}\n", "aliases"),
    "alias of a text": ("a: &x words\nb: [*x, *x]\n", "aliases"),
    "unknown alias": ("a: *b\n", "aliases"),
    "describe": ("Name:             api-1\nNamespace:        prod\nPriority: 0\nEvents:\n  Type\n", "kubectl describe"),
    "table": (
        "NAME    READY   STATUS    RESTARTS   AGE\napi-1   0/1     Pending   0          3m\n",
        "table of kubectl get",
    ),
    "table -A": ("NAMESPACE   NAME   READY   STATUS\nprod   a  0/1  Pending\n", "table of kubectl get"),
    "refusal": ("Error from server (Forbidden): pods is forbidden\n", "pods is forbidden"),
    "nothing found": ("No resources found in prod namespace.\n", "No resources found"),
    "html": ("<!DOCTYPE html><html><body>Sign in</body></html>", "web page"),
    "an empty list": (dump(a_list()), "is an empty List"),
    "gzip cut off": (gzip.compress(WHOLE.encode() * 50)[:-30], "cut off or damaged"),
    "gzip of nothing": (gzip.compress(b""), "is empty"),
    "gzip with rubbish": (b"\x1f\x8b\x08\x00" + b"rubbish" * 20, "cut off or damaged"),
    "zip": (b"PK\x03\x04" + b"x" * 600, "is a zip archive"),
    "only a secret": (dump({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}), "holds only Secret"),
    "only a service": (dump({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}}), "holds only Service"),
    "status": (dump({"kind": "Status", "apiVersion": "v1", "message": "no"}), "An API server's answer .*: no"),
}


@pytest.mark.parametrize(("data", "sentence"), BAD.values(), ids=BAD.keys())
def test_a_sentence_for_what_can_not_be_used(tmp_path: Path, data: str | bytes, sentence: str) -> None:
    with pytest.raises(UnreadableFileError, match=sentence) as caught:
        source(tmp_path, data)
    assert caught.value.exit_status == 3
    assert caught.value.hint
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(("data", "sentence"), BAD.values(), ids=BAD.keys())
def test_it_costs_no_other_file(tmp_path: Path, data: str | bytes, sentence: str) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x/bad.json").write_bytes(data if isinstance(data, bytes) else data.encode())
    (tmp_path / "x/good.yaml").write_text(as_yaml(pod()))
    assert names(FilesSource.open([str(tmp_path / "x")]).read(Query(kind=PODS))) == ["prod/api-1"]
    assert sentence


def test_paths_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnreadableFileError, match="There is no file"):
        FilesSource.open([str(tmp_path / "no.yaml")])
    with pytest.raises(UnreadableFileError, match="There is no file"):
        FilesSource.open([""])
    with pytest.raises(UnreadableFileError, match="holds no Kubernetes objects"):
        FilesSource.open([str(tmp_path)])

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UnreadableFileError, match="may not be read") as caught:
        FilesSource.open([str(tmp_path / "no.yaml")])
    assert "chmod +r" in caught.value.hint


def test_a_broken_document_is_noted_by_file_and_line(tmp_path: Path) -> None:
    good, broken = as_yaml(pod("a")), "apiVersion: v1\nkind: Pod\nmetadata:\n  name: 'x\n"
    found = source(tmp_path, f"{good}---\n{broken}---\n{as_yaml(pod('b'))}")
    assert names(found.read(Query(kind=PODS))) == ["prod/a", "prod/b"]
    line = good.count("\n") + 2
    assert any(
        f"0-in.yaml:{line + 3} was skipped" in note or f"0-in.yaml:{line + 4} was skipped" in note
        for note in found.notes
    )


def test_a_broken_item_costs_only_itself(tmp_path: Path) -> None:
    text = as_yaml(a_list(pod("a"), pod("b"), pod("c"))).replace("name: b", "name: *b")
    found = source(tmp_path, text)
    assert names(found.read(Query(kind=PODS))) == ["prod/a", "prod/c"]
    assert any("aliases" in note for note in found.notes)


def tar(path: Path, members: dict[str, bytes], links: dict[str, str] | None = None) -> str:
    with tarfile.open(path, "w:gz") as archive:
        for name, target in (links or {}).items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return str(path)


def test_archives_do_not_lead_out(tmp_path: Path) -> None:
    members = {"../../evil.json": dump(pod("evil")).encode(), "/etc/x.json": dump(pod("abs")).encode()}
    path = tar(tmp_path / "x.tgz", {**members, "ok.json": dump(pod()).encode()}, {"l.json": "/etc/passwd"})
    found = FilesSource.open([path])
    assert names(found.read(Query(kind=PODS))) == ["prod/api-1"]
    assert sum("leads out" in note for note in found.notes) == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.tgz"]


def test_a_damaged_archive(tmp_path: Path) -> None:
    path = Path(tar(tmp_path / "x.tgz", {"a.json": os.urandom(50_000)}))
    path.write_bytes(path.read_bytes()[:20_000])
    with pytest.raises(UnreadableFileError, match="cut off or damaged"):
        FilesSource.open([str(path)])


def test_bombs_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "MAX_BYTES", 1 << 20)
    bomb = gzip.compress(b" " * (64 << 20))
    (tmp_path / "x.json.gz").write_bytes(bomb)
    path = tar(tmp_path / "y.tgz", {"a.json": b" " * (64 << 20)})
    for name in (str(tmp_path / "x.json.gz"), path):
        tracemalloc.start()
        with pytest.raises(UnreadableFileError, match="holds more than 1 MiB"):
            FilesSource.open([name])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8 << 20


def test_too_much_yaml_asks_for_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_YAML_BYTES", 1000)
    with pytest.raises(UnreadableFileError, match="-o json"):
        source(tmp_path, as_yaml(a_list(*(pod(f"p{n}") for n in range(20)))))


@pytest.mark.parametrize(
    "part", ["\n", " ", "@", "~:", "# ", "$ kubectl ", "---\n", "```\n", "- ", "{}\n", "a: b\n", "[", "x" * 99]
)
def test_no_text_takes_long(tmp_path: Path, part: str) -> None:
    started = process_time()
    source(tmp_path, "a\n" + part * (300_000 // len(part)), part * (300_000 // len(part)), dump(pod()))
    assert process_time() - started < 5


def test_logs_in_archives_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "MAX_LOG_BYTES", 1 << 20)
    monkeypatch.setattr(inputs, "MAX_LOGS_BYTES", 1 << 20)
    long = b"".join(b"line %d\n" % n for n in range(400_000))
    path = tar(tmp_path / "x.tgz", {"a.log": long, "b.log": b"b\n", "pod.json": dump(pod()).encode()})
    found = FilesSource.open([path])
    lines = seen(found.log_lines())
    assert lines[-1].text == "line 399999"
    assert sum(len(line.text) for line in lines) < 3 << 20
    assert any("b.log was skipped" in note for note in found.notes)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["kind", "apiVersion", "metadata", "items", "name", "spec", "status"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON, as_json=st.booleans())
def test_any_value_is_an_answer_or_a_sentence(tmp_path: Path, value: Any, as_json: bool) -> None:
    text = dump(value) if as_json else as_yaml(value)
    try:
        found = source(tmp_path, text, dump(pod()))
    except UnreadableFileError as error:
        pytest.fail(str(error))
    assert "prod/api-1" in names(found.read(Query(kind=PODS)))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(junk=st.binary(max_size=60), cut=st.integers(0, 400), middle=st.booleans())
def test_any_bytes_are_an_answer_or_a_sentence(tmp_path: Path, junk: bytes, cut: int, middle: bool) -> None:
    whole = as_yaml(pod("a")).encode()
    data = whole[:cut] + junk + (whole[cut:] if middle else b"")
    try:
        found = source(tmp_path, data, dump(pod()))
    except UnreadableFileError as error:  # an archive by its first bytes
        assert "archive" in str(error) or "gzip" in str(error)  # noqa: PT017 - either outcome is right
    else:
        assert "prod/api-1" in names(found.read(Query(kind=PODS)))
