from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources.kube import a_list, dump, event, obj, pod
from tests.sources.test_files import as_yaml, source
from whypending.evidence import Gap, GapReason, seen
from whypending.objects.kinds import EVENTS, PODS
from whypending.sources.base import Query
from whypending.sources.files import selectors
from whypending.sources.files.items import from_raw

PODS_HERE = [
    pod("a", metadata={"labels": {"app": "x", "tier": "web"}}, spec={"nodeName": "n1", "schedulerName": "s1"}),
    pod(
        "b", metadata={"labels": {"app": "y"}}, spec={"nodeName": "", "schedulerName": "s2"}, status={"phase": "Failed"}
    ),
    pod("c", "dev", metadata={"labels": {"app": "x", "n": 1}}, spec={}, status={"phase": "Running"}),
]


@pytest.mark.parametrize(
    ("fields", "labels", "wanted"),
    [
        ("metadata.name=a", "", "a"),
        ("metadata.name!=a", "", "bc"),
        ("metadata.namespace=dev", "", "c"),
        ("metadata.namespace!=dev,metadata.name!=a", "", "b"),
        ("spec.nodeName=n1", "", "a"),
        ("spec.nodeName==n1", "", "a"),
        ("spec.nodeName=", "", "bc"),
        ("spec.nodeName!=", "", "a"),
        ("spec.nodeName!=n1", "", "bc"),
        ("status.phase=Pending", "", "a"),
        ("status.phase!=Pending", "", "bc"),
        ("status.phase!=Failed,status.phase!=Running", "", "a"),
        ("spec.schedulerName=s2,spec.nodeName=", "", "b"),
        ("spec.hostNetwork=", "", "abc"),
        ("", "app=x", "ac"),
        ("", "app==x,tier=web", "a"),
        ("", "app!=x", "b"),
        ("", "tier", "a"),
        ("", "!tier", "bc"),
        ("", "app in (x,z),tier notin (db)", "ac"),
        ("", "app notin (x, z)", "b"),
        ("spec.nodeName=n1", "app in (x)", "a"),
        ("", "n=1", "c"),
    ],
)
def test_selectors(tmp_path: Path, fields: str, labels: str, wanted: str) -> None:
    for text in (dump(a_list(*PODS_HERE)), as_yaml(a_list(*PODS_HERE))):
        known = source(tmp_path, text).read(Query(kind=PODS, fields=fields, labels=labels))
        assert not isinstance(known, Gap)
        assert [p.name for p in known] == list(wanted)


def test_involved_object_of_both_shapes(tmp_path: Path) -> None:
    about = {"kind": "Pod", "name": "api-1", "namespace": "prod", "uid": "u1"}
    new = obj("Event", "new", api="events.k8s.io/v1", regarding=about, note="words", reason="FailedScheduling")
    values = a_list(event("old", "api-1"), new, event("other", "z"))
    for text in (dump(values), as_yaml(values)):
        found = source(tmp_path, text)
        by_name = found.read(Query(kind=EVENTS, fields="involvedObject.name=api-1,involvedObject.kind=Pod"))
        assert [(e.name, e.text) for e in seen(by_name)] == [("old", "no"), ("new", "words")]
        by_uid = found.read(Query(kind=EVENTS, namespace="prod", fields="involvedObject.uid=u1"))
        assert [e.name for e in seen(by_uid)] == ["new"]


def test_keep_and_limit(tmp_path: Path) -> None:
    found = source(tmp_path, dump(a_list(*(pod(f"p{n}") for n in range(9)))))
    known = found.read(Query(kind=PODS, keep=lambda p: p if p.name > "p3" else None, limit=2))
    assert [p.name for p in seen(known)] == ["p4", "p5"]


@pytest.mark.parametrize(("fields", "labels"), [("spec.nodeName", ""), ("", "a in b"), ("", "=x")])
def test_what_is_no_selector_is_unsupported(tmp_path: Path, fields: str, labels: str) -> None:
    known = source(tmp_path, dump(pod())).read(Query(kind=PODS, fields=fields, labels=labels))
    assert isinstance(known, Gap)
    assert known.reason is GapReason.UNSUPPORTED


WORD = st.sampled_from(["a", "b", "c.d/e", "x-1"])


@given(labels=st.dictionaries(WORD, WORD), key=WORD, values=st.lists(WORD, min_size=1, max_size=3))
def test_set_based_selectors_mean_what_they_say(labels: dict[str, str], key: str, values: list[str]) -> None:
    value: dict[str, Any] = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "p", "labels": labels}}
    item = from_raw(msgspec.Raw(msgspec.json.encode(value)))
    assert item is not None
    listed = ",".join(values)
    inside = selectors.selects(selectors.parse("", f"{key} in ({listed})"), item)
    outside = selectors.selects(selectors.parse("", f"{key} notin ({listed})"), item)
    assert inside is (labels.get(key) in values)
    assert outside is not inside
