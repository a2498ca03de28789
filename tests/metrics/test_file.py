"""`--metrics-file`: texts, packed texts and saved answers of Prometheus, and what is none of these."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.metrics.kit import HOME, PENDING, captured, error, series, vector
from whypending.errors import UnreadableFileError
from whypending.evidence import Gap, GapReason
from whypending.sources.metrics import file


def saved(folder: Path, content: bytes) -> str:
    path = folder / "metrics.prom"
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_saved_text(tmp_path: Path, pack: type[bytes]) -> None:
    path = saved(tmp_path, pack(captured("1.34").encode()))
    found = file.read(path)
    assert not isinstance(found, Gap)
    (scrape,) = found
    assert (scrape.origin, scrape.how, scrape.at, scrape.warnings) == (path, "file", None, ())
    assert len(scrape.samples) > 50


def test_a_saved_answer_of_prometheus(tmp_path: Path) -> None:
    other = {**PENDING, "instance": "10.0.0.2:10259"}
    answer = vector(series("3", **PENDING, queue="active"), series("4", **other, queue="active"), warnings=["partial"])
    path = saved(tmp_path, json.dumps(answer).encode())
    found = file.read(path)
    assert not isinstance(found, Gap)
    assert [s.origin for s in found] == [f"{path} · job kube-scheduler · instance 10.0.0.{n}:10259" for n in (1, 2)]
    assert {s.warnings for s in found} == {("partial",)}
    assert all(s.at for s in found)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "it is empty"),
        (b"<html></html>", "it is a web page"),
        ((HOME / "kube-apiserver-1.37.prom").read_bytes(), "the metrics of an API server"),
        (json.dumps(error("timeout", "query timed out")).encode(), "timeout: query timed out"),
        (json.dumps(vector()).encode(), "holds no series of a scheduler"),
        (b'{"kind": "Pod"}', "no answer of Prometheus' HTTP API"),
        (b"\xff\xfe\x00\x01" * 50, "it holds no metrics"),
    ],
)
def test_what_holds_no_metrics_of_a_scheduler(tmp_path: Path, content: bytes, says: str) -> None:
    path = saved(tmp_path, content)
    gap = file.read(path)
    assert isinstance(gap, Gap)
    assert (gap.reason, path in gap.detail, says in gap.detail) == (GapReason.MALFORMED, True, True), gap.detail
    assert "is the API server's" in gap.grant


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "MAX_BYTES", 1000)
    bomb = gzip.compress(captured("1.37").encode())
    gap = file.read(saved(tmp_path, bomb))
    assert isinstance(gap, Gap)
    assert "is larger than" in gap.detail


def test_a_packed_file_that_is_cut(tmp_path: Path) -> None:
    path = saved(tmp_path, gzip.compress(captured("1.37").encode())[:-100])
    with pytest.raises(UnreadableFileError, match="can't be read"):
        file.read(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="No such file") as raised:
        file.read(str(tmp_path / "none"))
    assert raised.value.hint == "Check the path given with --metrics-file."
    with pytest.raises(UnreadableFileError, match="can't be read"):
        file.read(str(tmp_path))
