from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whypending.objects.base import KubeObject
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload
from whypending.sources.decode import MAX_NOTES, describe, from_json, from_value, page_from_json


def pod(**fields: Any) -> dict[str, Any]:
    return {"kind": "Pod", "metadata": {"namespace": "prod", "name": "api-1"}, **fields}


def decoded(value: object) -> tuple[Pod, list[str]]:
    notes: list[str] = []
    result = from_json(json.dumps(value).encode(), Pod, notes)
    assert result is not None
    assert from_value(value, Pod, []) == result
    return result, notes


def test_a_proper_object_is_decoded_without_notes() -> None:
    got, notes = decoded(pod(spec={"containers": [{"name": "app"}]}))
    assert got.spec.containers[0].name == "app"
    assert notes == []


def test_null_is_absent_everywhere() -> None:
    value = pod(spec={"containers": None, "nodeSelector": None, "tolerations": [None, {"key": None}]}, status=None)
    got, notes = decoded(value)
    assert (got.spec.containers, dict(got.spec.node_selector), len(got.spec.tolerations)) == ((), {}, 1)
    assert notes == []


def test_a_field_of_a_wrong_type_costs_that_field_only() -> None:
    got, notes = decoded(pod(spec={"nodeName": 7, "schedulerName": "mine", "containers": [{"name": "a", "image": []}]}))
    assert (got.spec.node_name, got.spec.scheduler_name, got.spec.containers[0].name) == ("", "mine", "a")
    assert notes == [
        "Pod prod/api-1: spec.nodeName was ignored: Expected `str`, got `int`.",
        "Pod prod/api-1: spec.containers[0].image was ignored: Expected `str`, got `array`.",
    ]


def test_a_wrong_entry_of_a_mapping_leaves_the_others() -> None:
    got, notes = decoded(pod(spec={"nodeSelector": {"disk": "ssd", "gpu": True, "zone": "a"}}))
    assert dict(got.spec.node_selector) == {"disk": "ssd", "zone": "a"}
    assert notes == ["Pod prod/api-1: spec.nodeSelector[...] was ignored: Expected `str`, got `bool`."]


def test_a_wrong_element_of_a_list_leaves_the_others() -> None:
    got, notes = decoded(pod(spec={"containers": ["x", {"name": "a"}, 3]}))
    assert [c.name for c in got.spec.containers] == ["a"]
    assert len(notes) == 2


def test_a_time_that_is_none_is_dropped() -> None:
    got, notes = decoded(pod(status={"startTime": "yesterday", "phase": "Pending"}))
    assert (got.status.start_time, got.status.phase) == (None, "Pending")
    assert notes == ["Pod prod/api-1: status.startTime was ignored: Invalid RFC3339 encoded datetime."]


@pytest.mark.parametrize("value", [[], "x", 3, None, True])
def test_what_is_no_object_is_beyond_repair(value: object) -> None:
    notes: list[str] = []
    assert from_value(value, Pod, notes) is None
    assert from_json(json.dumps(value).encode(), Pod, notes) is None
    assert len(notes) == 2
    assert "was skipped" in notes[0]


@pytest.mark.parametrize("raw", [b"", b"{", b'{"metadata": {"name"', b"<html>", b"\x00\x01"])
def test_what_is_no_json_is_noted(raw: bytes) -> None:
    notes: list[str] = []
    assert from_json(raw, Pod, notes) is None
    assert len(notes) == 1


def test_invalid_utf8_is_replaced() -> None:
    got = from_json(b'{"metadata": {"name": "a\xff"}}', Pod, [])
    assert got is not None
    assert got.name == "a\ufffd"


def test_keys_that_are_no_strings_become_strings() -> None:
    got = from_value({"metadata": {"name": "a", "labels": {1: "one"}}}, Pod, [])
    assert got is not None
    assert dict(got.metadata.labels) == {"1": "one"}


def test_deep_nesting_is_skipped_and_noted() -> None:
    notes: list[str] = []
    assert from_json(b'{"x":' + b"[" * 5000 + b"]" * 5000 + b"}", Pod, notes) is None
    deep: Any = 1
    for _ in range(5000):
        deep = [deep]
    assert from_value({"spec": {"nodeName": deep}}, Pod, notes) is None
    assert len(notes) == 2


def test_from_value_leaves_its_argument_alone() -> None:
    value = pod(spec={"nodeName": 7, "nodeSelector": None})
    before = json.dumps(value)
    from_value(value, Pod, [])
    assert json.dumps(value) == before


def test_endless_wrong_fields_end() -> None:
    notes: list[str] = []
    assert from_value(pod(spec={"containers": ["x"] * 200}), Pod, notes) is None
    assert notes[-1] == "Pod prod/api-1 was skipped: more than 50 fields have a wrong type."


def test_notes_are_bounded() -> None:
    notes: list[str] = []
    for _ in range(2 * MAX_NOTES):
        from_value(3, Pod, notes)
    assert len(notes) == MAX_NOTES + 1
    assert notes[-1] == "More of the kind is not listed."


def test_a_page_gives_items_and_where_it_goes_on() -> None:
    raw = json.dumps({"metadata": {"continue": "tok", "resourceVersion": "12"}, "items": [pod(), pod()]}).encode()
    page = page_from_json(raw, Pod, [])
    assert page is not None
    assert (len(page.items), page.metadata.continue_, page.metadata.resource_version) == (2, "tok", "12")


@pytest.mark.parametrize("raw", [b'{"items": null}', b'{"items": [], "metadata": null}', b"{}"])
def test_an_empty_page_in_all_its_forms(raw: bytes) -> None:
    page = page_from_json(raw, Pod, [])
    assert page is not None
    assert (page.items, page.metadata.continue_) == ((), "")


def test_one_odd_item_costs_only_itself() -> None:
    notes: list[str] = []
    raw = json.dumps({"items": [pod(), 3, pod(status=None), pod(spec={"nodeName": {}})]}).encode()
    page = page_from_json(raw, Pod, notes)
    assert page is not None
    assert [p.name for p in page.items] == ["api-1"] * 3
    assert notes == [
        "A document that is an int was skipped: Expected `object`, got `int`.",
        "Pod prod/api-1: spec.nodeName was ignored: Expected `str`, got `object`.",
    ]


def test_a_page_that_is_no_list_is_noted() -> None:
    notes: list[str] = []
    assert page_from_json(b'{"items": [{"metadata"', Pod, notes) is None
    assert len(notes) == 1


def test_micro_times_of_events() -> None:
    got = from_json(b'{"eventTime": "2026-01-02T03:04:05.123456Z", "lastTimestamp": null}', Event, [])
    assert got is not None
    assert got.event_time == datetime(2026, 1, 2, 3, 4, 5, 123456, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"kind": "Node", "metadata": {"name": "n1"}}, "Node n1"),
        ({"metadata": 3}, "An object without a name"),
        ([], "A document that is an array"),
        (None, "A document that is a null"),
    ],
)
def test_describe(value: object, text: str) -> None:
    assert describe(value) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["metadata", "spec", "status", "labels", "containers", "conditions", "name", "active", "type"])
ODD = st.recursive(
    JSON,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=12,
)


@given(ODD, st.sampled_from([Pod, Workload, Event]))
def test_any_json_is_an_object_or_noted(value: object, type_: type[KubeObject]) -> None:
    notes: list[str] = []
    result = from_json(json.dumps(value).encode(), type_, notes)
    assert isinstance(result, type_) or notes
    assert (result is not None) == isinstance(value, dict)
