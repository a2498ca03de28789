"""`--metrics-file`: a saved /metrics text, plain or gzipped, or a saved answer of Prometheus."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime
from pathlib import Path

from whypending.errors import UnreadableFileError
from whypending.evidence import GapReason, Known, Scrape
from whypending.metrics import promql
from whypending.metrics.exposition import ForeignError, parse
from whypending.sources.metrics.gaps import gap

MAX_BYTES = 64 << 20
"""Uncompressed: a scheduler's text is some hundred kilobytes."""
_HOW_TO_SAVE = "Save it from a scheduler's /metrics; `kubectl get --raw /metrics` is the API server's."


def read(path: str) -> Known[Scrape]:
    """Its metrics; a Gap where it holds none of a scheduler. UnreadableFileError where it can't be read."""
    data = _content(path)
    if data is None:
        return gap(GapReason.MALFORMED, f"{path} is larger than {MAX_BYTES >> 20} MiB.", _HOW_TO_SAVE)
    text = data.decode("utf-8", "replace")
    try:
        return _saved_answer(path, data) if text.lstrip()[:1] == "{" else (_text(path, text),)
    except (ForeignError, promql.AnswerError) as error:
        return gap(GapReason.MALFORMED, f"{path} can't be used: {error}.", _HOW_TO_SAVE)


def _text(path: str, text: str) -> Scrape:
    exposed = parse(text)
    return Scrape(origin=path, how="file", samples=exposed.samples, warnings=exposed.warnings)


def _saved_answer(path: str, data: bytes) -> Known[Scrape]:
    vector = promql.decode(data)
    when = None if vector.at is None else datetime.fromtimestamp(vector.at, UTC)
    found = tuple(
        Scrape(origin=origin_of(path, p.target), how="file", at=when, samples=p.samples, warnings=vector.warnings)
        for p in promql.processes(vector.samples)
    )
    return found or gap(GapReason.MALFORMED, f"{path} holds no series of a scheduler.", _HOW_TO_SAVE)


def origin_of(where: str, target: tuple[tuple[str, str], ...]) -> str:
    """`WHERE · job kube-scheduler · instance 10.0.0.1:10259`: what tells the process apart for a person."""
    labels = dict(target)
    named = [f"{name} {labels[name]}" for name in ("cluster", "job", "namespace", "pod", "instance") if name in labels]
    return " · ".join((where, *named))


def _content(path: str) -> bytes | None:
    """The bytes, unpacked; None where they are too many."""
    try:
        with Path(path).open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            data = (gzip.GzipFile(fileobj=file) if packed else file).read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "it is cut off or damaged"
        raise UnreadableFileError(
            f"{path} can't be read: {reason}.", "Check the path given with --metrics-file."
        ) from error
    return data if len(data) <= MAX_BYTES else None
