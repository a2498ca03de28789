"""Grouping and the order of groups, and what each form makes of them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from prometheus_client.parser import text_string_to_metric_families
from referencing import Registry, Resource

from tests.renderers.documents import published, strict
from tests.sweep.kit import MIXED, NOW, Counting, orphan, ready, refused, source_of, unready
from whypending.cli.sweep import sweep
from whypending.diagnosis import Confidence, Diagnosis, Finding, Remedy, Triage
from whypending.evidence import Gap, GapReason, Target
from whypending.renderers.escape import visible
from whypending.renderers.layout import Canvas
from whypending.renderers.sweep import SweepForm, render
from whypending.sweep.groups import gaps_of, grouped
from whypending.sweep.model import Case, Member, Scope, Sweep

NAMES = st.text(min_size=1, max_size=20)


def case(  # noqa: PLR0913 - each is one thing that a group may hang on
    name: str,
    triage: Triage,
    cause: str = "x",
    *,
    age: int = 60,
    scheduler: str = "",
    count: int = 1,
    sure: Confidence = Confidence.PROVED,
) -> Case:
    finding = Finding(code="WP001", name=cause, confidence=sure, message="It is so.",
                      remedies=(Remedy(text="Do it."),))  # fmt: skip
    target = Target(namespace="shop", name=f"{name}-0")
    told = Diagnosis(target=target, observed_at=NOW, source="live", source_details=(), triage=triage, confidence=sure,
                     summary="It is so.", findings=(finding,) if cause else ())  # fmt: skip
    since = NOW - timedelta(seconds=age)
    members = tuple(Member(target=Target(namespace="shop", name=f"{name}-{n}"), since=since) for n in range(count))
    return Case(diagnosis=told, members=members, scheduler_name=scheduler)


def of(*cases: Case) -> Sweep:
    return Sweep(scope=Scope(namespace="shop"), observed_at=NOW, source="live",
                 source_details=(("server", "https://example.invalid"),), groups=grouped(cases))  # fmt: skip


def drawn(swept: Sweep, form: SweepForm = SweepForm.TEXT, width: int | None = 80) -> str:
    return render(swept, form, Canvas(width))


@pytest.fixture
def mixed(tmp_path: Path) -> Sweep:
    return sweep(source_of(tmp_path, *MIXED), Scope())


def test_orphans_come_first_then_the_largest_and_what_is_undecided_last() -> None:
    groups = grouped([
        case("u", Triage.UNKNOWN, "", count=9), case("a", Triage.UNSCHEDULABLE, "few"),
        case("b", Triage.HELD, "many", count=5), case("o", Triage.NO_SCHEDULER, "unknown", scheduler="x"),
        case("p", Triage.NO_SCHEDULER, "unknown", scheduler="y", count=2),
    ])  # fmt: skip
    assert [(g.triage, g.scheduler_name, g.pods) for g in groups] == [
        (Triage.NO_SCHEDULER, "y", 2), (Triage.NO_SCHEDULER, "x", 1), (Triage.HELD, "", 5),
        (Triage.UNSCHEDULABLE, "", 1), (Triage.UNKNOWN, "", 9),
    ]  # fmt: skip


def test_a_group_is_as_sure_as_its_least_sure_case_and_its_oldest_is_the_example() -> None:
    (group,) = grouped([case("a", Triage.HELD, age=60), case("b", Triage.HELD, age=90, sure=Confidence.LIKELY)])
    assert (group.confidence, group.example.diagnosis.target.name) == (Confidence.LIKELY, "b-0")
    assert group.oldest == NOW - timedelta(seconds=90)


def test_the_same_gap_is_told_once() -> None:
    gap = Gap(what="the Nodes", reason=GapReason.FORBIDDEN)
    assert gaps_of((), (gap, gap, Gap(what="the Nodes", reason=GapReason.TIMED_OUT))) == (
        gap, Gap(what="the Nodes", reason=GapReason.TIMED_OUT),
    )  # fmt: skip


def test_causes_owners_and_nearest_names(mixed: Sweep) -> None:
    assert [(g.causes[0], g.scheduler_name, g.pods) for g in mixed.groups] == [
        ("scheduler-name-unknown", "defualt-scheduler", 2),
        ("scheduler-name-unknown", "volcano", 1),
        ("insufficient-cpu", "", 2),
        ("scheduling-gate-unresolved", "", 2),
    ]
    first = mixed.groups[0]
    assert (first.nearest, first.owners) == ("default-scheduler", ("ReplicaSet web",))


def test_a_name_that_was_served_once_says_when(tmp_path: Path) -> None:
    swept = sweep(source_of(tmp_path, orphan("a", "volcano"), ready("b", "volcano")), Scope())
    (group,) = swept.orphans
    assert group.last_bind == datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
    assert "last bind 15m ago" in drawn(swept)


def test_three_orphan_names_two_gated_and_two_unschedulable_are_one_screen(tmp_path: Path) -> None:
    objects = (*MIXED, orphan("other", "my-scheduler"), refused("odd", message="0/1 nodes are available: 1 x."))
    text = drawn(sweep(Counting(source_of(tmp_path, *objects)), Scope(namespace="shop")))
    assert len(text.splitlines()) <= 24
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_stuck_is_one_sentence(tmp_path: Path) -> None:
    text = drawn(sweep(source_of(tmp_path, ready("a")), Scope()))
    assert text.splitlines()[0] == "Nothing is stuck in all namespaces (running ones: --not-ready)"


def test_what_was_not_looked_for_is_said(tmp_path: Path) -> None:
    source = source_of(tmp_path, unready("slow"))
    assert "--not-ready" in drawn(sweep(source, Scope()))
    text = drawn(sweep(source, Scope(not_ready=True)))
    assert "--not-ready" not in text
    assert text.startswith("1 stuck Pod in all namespaces, 1 group\n")


def test_wide_names_every_pod_and_the_sentence(mixed: Sweep) -> None:
    text = drawn(mixed, SweepForm.WIDE, None)
    assert all(m.target.ref in text for g in mixed.groups for m in g.members)
    assert all(g.example.diagnosis.summary in text for g in mixed.groups)


def validator() -> Any:
    registry: Registry[Any] = Registry().with_resource("v1", Resource.from_contents(strict(published())))
    return Draft202012Validator({"$ref": "v1#/$defs/sweep"}, registry=registry)


def test_json_and_yaml_are_as_the_schema_says(mixed: Sweep) -> None:
    document = json.loads(drawn(mixed, SweepForm.JSON))
    validator().validate(document)
    assert yaml.safe_load(drawn(mixed, SweepForm.YAML)) == document


def test_every_stuck_pod_has_a_diagnosis(mixed: Sweep) -> None:
    document = json.loads(drawn(mixed, SweepForm.JSON))
    told = {(p["target"]["namespace"], p["target"]["name"]) for p in document["pods"]}
    also = {(p["namespace"], p["name"]) for d in document["pods"] for p in d["alike"]}
    members = [m for g in document["groups"] for m in g["members"]]
    assert told | also == {(m["namespace"], m["name"]) for m in members}
    assert {(m["diagnosedAs"]["namespace"], m["diagnosedAs"]["name"]) for m in members} == told
    assert document["counts"]["stuckPods"] == len(members)


def test_ndjson_is_one_valid_diagnosis_a_line(mixed: Sweep) -> None:
    lines = drawn(mixed, SweepForm.NDJSON).splitlines()
    assert len(lines) == sum(len(g.cases) for g in mixed.groups)
    for line in lines:
        Draft202012Validator(strict(published())).validate(json.loads(line))


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {(s.name, tuple(sorted(s.labels.items()))): s.value
            for family in text_string_to_metric_families(text) for s in family.samples}  # fmt: skip


def test_prometheus_counts_pods(mixed: Sweep) -> None:
    text = drawn(mixed, SweepForm.PROMETHEUS)
    found = samples(text)
    pods = [value for (name, _), value in found.items() if name == "whypending_stuck_pods"]
    assert sum(pods) == mixed.pods
    key = ("whypending_orphan_scheduler_pods", (("namespace", "shop"), ("scheduler_name", "defualt-scheduler")))
    assert found[key] == 2
    assert found["whypending_sweep_timestamp_seconds", ()] == NOW.timestamp()
    families = set(re.findall(r"^(\w+)(?:\{| )", text, re.MULTILINE))
    for family in families:
        assert f"# HELP {family} " in text
        assert f"# TYPE {family} gauge\n" in text


@given(name=NAMES)
def test_prometheus_labels_survive_any_name(name: str) -> None:
    swept = of(case("a", Triage.NO_SCHEDULER, scheduler=name, count=2))
    found = samples(drawn(swept, SweepForm.PROMETHEUS))
    (labels,) = [dict(labels) for (metric, labels) in found if metric == "whypending_orphan_scheduler_pods"]
    assert labels["scheduler_name"] == visible(name)


def test_prometheus_has_each_series_once() -> None:
    swept = of(*(case("a", Triage.NO_SCHEDULER, scheduler=name) for name in ("x\n", "x\\n")))
    text = drawn(swept, SweepForm.PROMETHEUS)
    assert text.count("whypending_orphan_scheduler_pods{") == 1


@given(name=NAMES, form=st.sampled_from(SweepForm))
def test_no_form_lets_control_characters_through(name: str, form: SweepForm) -> None:
    text = drawn(of(case(name, Triage.NO_SCHEDULER, scheduler=name)), form)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
