"""Objects of the fixtures, damaged at random: an answer in every format or one sentence, never a crash."""

from __future__ import annotations

import json
import shlex
import unicodedata
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cases import Case, fixtures
from tests.renderers.documents import validate
from whypending.collectors import collect
from whypending.diagnosis import Diagnosis
from whypending.engine import diagnose
from whypending.errors import WhypendingError
from whypending.renderers import Format, render
from whypending.renderers.layout import Canvas
from whypending.sources.files import FilesSource

CASES = fixtures()
CANVASES = (Canvas(), Canvas(width=40, unicode=False))
HOSTILE = (
    "\x1b[31mred\x1b[0m", "\x1b]8;;http://x.test\x07click\x1b]8;;\x07", "\u202egnp.exe\u202c", "[bold]x[/bold] [/]",
    "\x00\x07\x08\x7f\x9b", "\u200b\u2066\ufeff\u2028", "\ud800", "a\r\nb\tc\x0b", "0/3 nodes are available: ",
    "{}%s{0}", "$(touch x); `touch x`", "--as=root", "", " ", "9" * 400, "-1", "NaN", "1e999", "9" * 60 + "Gi",
    "x" * 5000, "0/999999999 nodes are available: 3 Insufficient " + "y" * 2000 + ", 4 node(s) had untolerated taint {",
    "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00",
    "2026-13-45T99:00:00Z", "True", "a/b/c", "../..", "=", "a=b,c in (",
)  # fmt: skip
DROP = object()
VALUES: tuple[Any, ...] = (
    DROP, None, True, False, 0, -1, 2**31, 2**63 - 1, 2**70, 1.5, 1e308, [], {}, [None], [[]], [{}], {"": ""},
    {"a": None}, ["x"] * 3, *HOSTILE,
)  # fmt: skip
INJECTION = "; touch x $(touch y)"
NAMES = frozenset(
    {
        "name", "namespace", "nodeName", "schedulerName", "claimName", "secretName", "storageClassName", "volumeName",
        "serviceAccountName", "uid", "key", "image", "priorityClassName", "runtimeClassName", "topologyKey", "path",
        "holderIdentity", "clusterQueue", "queueName",
    }
)  # fmt: skip


@cache
def objects_of(folder: Path) -> str:
    """All objects of a fixture as one JSON List."""
    text = (folder / "objects.yaml").read_text()
    documents = [d for d in yaml.load_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)) if d]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": documents}, default=_as_written)


def _as_written(value: Any) -> str:
    text: str = value.isoformat().replace("+00:00", "Z")
    return text


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every entry of every mapping and list: its holder and its key."""
    entries = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    for key, child in entries:
        yield value, key
        yield from places(child)


def damaged(case: Case, hits: list[tuple[int, Any]]) -> Any:
    """A fixture's List with one entry after the other dropped or replaced."""
    document = json.loads(objects_of(case.folder))
    for where, value in hits:
        found = list(places(document["items"]))
        if not found:
            break
        holder, key = found[where % len(found)]
        if value is DROP:
            del holder[key]
        else:
            holder[key] = deepcopy(value)
    return document


def judged(case: Case, document: Any, folder: Path) -> Diagnosis | None:
    """What whypending makes of it; None where it says in a sentence that it can't look."""
    path = folder / "objects.json"
    path.write_text(json.dumps(document))
    others = [name for name in case.inputs if not name.endswith("/objects.yaml")]
    target = case.target
    try:
        source = FilesSource.open([str(path), *others], now=case.now)
        evidence = collect(source, target.get("kind", "Pod"), target.get("namespace", ""), target["name"])
    except WhypendingError as error:
        return None if error.message else pytest.fail("no sentence")
    return diagnose(evidence, source, strict=True)


def check(diagnosis: Diagnosis) -> None:
    """Every format is whole, and holds nothing that a terminal acts on."""
    texts = [render(diagnosis, form, canvas) for form in Format for canvas in CANVASES]
    assert [c for text in texts for c in text if c != "\n" and not is_text(c)] == []
    assert all(text.endswith("\n") for text in texts)
    document = json.loads(render(diagnosis, Format.JSON, CANVASES[0]))
    validate(document)
    assert json.loads(render(diagnosis, Format.NDJSON, CANVASES[0])) == document


def is_text(char: str) -> bool:
    return unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


HITS = st.lists(st.tuples(st.integers(0, 5000), st.sampled_from(VALUES)), min_size=1, max_size=8)


@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=st.sampled_from(CASES), hits=HITS)
def test_damaged_objects(tmp_path_factory: pytest.TempPathFactory, case: Case, hits: list[tuple[int, Any]]) -> None:
    diagnosis = judged(case, damaged(case, hits), tmp_path_factory.getbasetemp())
    if diagnosis is not None:
        check(diagnosis)


def renamed(value: Any, names: frozenset[str]) -> Any:
    """The same with a command injection behind each of these names."""
    if isinstance(value, dict):
        return {key: renamed(child, names) for key, child in value.items()}
    if isinstance(value, list):
        return [renamed(child, names) for child in value]
    return value + INJECTION if isinstance(value, str) and value in names else value


def commands(diagnosis: Diagnosis) -> Iterator[str]:
    """All that a person may paste into a shell."""
    for finding in diagnosis.findings:
        for remedy in finding.remedies:
            yield from remedy.command.splitlines()
    for gap in diagnosis.not_evaluated:
        yield from gap.grant.split("`")[1::2]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_commands_quote_what_comes_from_the_cluster(tmp_path: Path, case: Case) -> None:
    document = json.loads(objects_of(case.folder))
    names = frozenset(h[k] for h, k in places(document) if k in NAMES and isinstance(h[k], str))
    target = {key: value if key == "kind" else renamed(value, names) for key, value in case.target.items()}
    diagnosis = judged(replace(case, target=target), renamed(document, names), tmp_path)
    if diagnosis is None:
        return
    check(diagnosis)
    for command in commands(diagnosis):
        assert "touch" not in shlex.split(command), command
