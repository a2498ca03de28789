"""What fixtures can't show of the unschedulable class: order, the choice of the verdict, and that nothing is lost."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import Case, evidence_of, fixtures
from whypending.classifiers import classifiers_of
from whypending.classifiers.unschedulable import MODULES
from whypending.classifiers.unschedulable._order import ORDER, rank
from whypending.classifiers.unschedulable._verdict import verdict_of
from whypending.classifiers.unschedulable._words import names, nodes
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.engine import diagnose
from whypending.evidence import NOT_READ, Evidence, Gap, Target
from whypending.objects.base import Condition, LabelSelectorRequirement, ObjectMeta, OwnerReference
from whypending.objects.container import Container, ContainerPort, Resources
from whypending.objects.event import Event, EventSeries
from whypending.objects.node import Node, NodeStatus
from whypending.objects.pod import Affinity, NodeAffinity, NodeSelector, NodeSelectorTerm, Pod, PodSpec, PodStatus

NOW = datetime(2026, 9, 14, 3, 20, tzinfo=UTC)
SELF = {c.cause.name for c in classifiers_of(Triage.UNSCHEDULABLE)}
HITS = [c for c in fixtures() if c.folder.parent.name in SELF and c.folder.name.startswith("hit-")]


def pod(message: str = "", reason: str = "Unschedulable") -> Pod:
    scheduled = Condition(
        type="PodScheduled",
        status="False",
        reason=reason,
        message=message,
        last_transition_time=NOW - timedelta(hours=1),
    )
    return Pod(
        metadata=ObjectMeta(name="web", namespace="shop"),
        spec=PodSpec(),
        status=PodStatus(phase="Pending", conditions=(scheduled,)),
    )


def event(text: str, minutes: int, **more: object) -> Event:
    time = NOW - timedelta(minutes=minutes)
    fields = {
        "reason": "FailedScheduling",
        "message": text,
        "event_time": time,
        "reporting_component": "default-scheduler",
    }
    return Event(**{**fields, **more})  # type: ignore[arg-type]


def evidence(waiting: Pod, *events: Event) -> Evidence:
    return Evidence(target=Target(namespace="shop", name="web"), now=NOW, pod=(waiting,), events=events)


def found(known: Evidence) -> dict[str, Finding]:
    return {f.name: f for f in diagnose(known, strict=True).findings}


def test_modules_stand_in_the_order_that_the_roles_rest_on() -> None:
    assert tuple(m.CAUSE.name for m in MODULES) == ORDER
    assert rank("a-cause-of-another-class") == len(ORDER)


def test_the_condition_wins_over_a_repeated_event_which_keeps_its_first_words() -> None:
    old = event("0/1 nodes are available: 1 Insufficient cpu.", 50, series=EventSeries(count=9, last_observed_time=NOW))
    verdict = verdict_of(evidence(pod("0/1 nodes are available: 1 Too many pods."), old))
    assert verdict is not None
    assert verdict.text == "0/1 nodes are available: 1 Too many pods."


def test_the_newest_event_speaks_where_the_condition_is_silent() -> None:
    events = (
        event("0/1 nodes are available: 1 Too many pods.", 5),
        event("0/1 nodes are available: 1 Insufficient cpu.", 9),
    )
    assert set(found(evidence(pod(), *events))) == {"too-many-pods"}


def test_an_event_adds_what_is_known_to_a_condition_that_is_not() -> None:
    names_found = found(evidence(pod("try later"), event("0/1 nodes are available: 1 Insufficient cpu.", 1)))
    assert list(names_found) == ["insufficient-cpu", "unrecognised-message"]


def test_an_autoscalers_refusal_is_no_verdict() -> None:
    karpenter = event("Failed to schedule pod, no nodepools found", 1, reporting_component="karpenter")
    verdict = verdict_of(evidence(pod("0/1 nodes are available: 1 Insufficient cpu."), karpenter))
    assert verdict is not None
    assert len(verdict.citations) == 1


def test_counts_above_the_nodes_are_told_as_they_are() -> None:
    both = "0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient memory."
    assert list(found(evidence(pod(both)))) == ["insufficient-cpu", "insufficient-memory"]


def test_one_line_a_node_counts_nodes() -> None:
    lines = "".join(f"fit failure on node ({node}): Insufficient cpu\n" for node in ("n1", "n2"))
    text = f"pod (web) failed to fit in any node\n{lines}"
    assert found(evidence(pod(text)))["insufficient-cpu"].message.startswith("Both nodes")
    text += "fit failure on node (n3): MatchNodeSelector\n"
    assert found(evidence(pod(text)))["insufficient-cpu"].message.endswith("; elsewhere: 1 MatchNodeSelector.")


@given(st.lists(st.text("abcdefg hij", min_size=3, max_size=12).filter(lambda t: t.strip()), min_size=1, max_size=3))
def test_no_unknown_reason_is_dropped(words: list[str]) -> None:
    unknown = [f"node(s) zq{' '.join(w.split())}" for w in words]
    text = f"0/9 nodes are available: 2 Insufficient cpu, {', '.join(f'1 {w}' for w in unknown)}."
    message = found(evidence(pod(text)))["unrecognised-message"].message
    assert all(w in message for w in unknown)


@given(st.text(max_size=200))
def test_any_text_gets_a_finding(text: str) -> None:
    diagnosis = diagnose(evidence(pod(text), event(text or "x", 1)), strict=True)
    assert diagnosis.findings
    assert all(f.remedies and f.citations for f in diagnosis.findings)


@pytest.mark.parametrize("case", HITS, ids=lambda c: c.id)
def test_blindness_to_any_one_thing_breaks_nothing(case: Case) -> None:
    whole = evidence_of(case)
    for field in whole.__struct_fields__:
        if field == "pod" or not isinstance(getattr(whole, field), tuple | Gap):
            continue
        blind = msgspec.structs.replace(whole, **{field: NOT_READ})
        assert all(re.search(r"[.?]$", f.message) for f in diagnose(blind, strict=True).findings)


@pytest.mark.parametrize(
    ("count", "total", "words"),
    [
        (9, 12, "9 of 12 nodes"),
        (12, 12, "all 12 nodes"),
        (2, 2, "both nodes"),
        (1, 1, "the only node"),
        (1, None, "1 node"),
        (23, None, "23 nodes"),
        (14, 12, "14 nodes"),
        (None, 3, "the 3 nodes"),
        (None, 1, "the only node"),
        (None, None, "the nodes"),
    ],
)
def test_how_nodes_are_counted_in_words(count: int | None, total: int | None, words: str) -> None:
    assert nodes(count, total) == words


def test_long_lists_are_cut() -> None:
    assert names(("a", "b", "c", "d")) == "a, b, c and d"
    assert names(("a", "b", "c", "d", "e")) == "a, b, c and 2 more"


def test_counts_that_may_overlap_are_not_called_elsewhere() -> None:
    once = "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable."
    twice = "0/3 nodes are available: 2 Insufficient cpu, 2 node(s) were unschedulable."
    assert "; elsewhere: 2 node(s) were unschedulable" in found(evidence(pod(once)))["insufficient-cpu"].message
    message = found(evidence(pod(twice)))["insufficient-cpu"].message
    assert "; the scheduler also counts: 2 node(s) were unschedulable" in message


def _node(name: str, cpu: str, **labels: str) -> Node:
    return Node(metadata=ObjectMeta(name=name, labels=labels), status=NodeStatus(allocatable={"cpu": cpu}))


@pytest.mark.parametrize(
    ("cpus", "node", "yet"),
    [(("1", "8"), "n1", ""), (("1", "2"), "n0", "; the label alone is not enough there, as it has 1 cpu in all")],
)
def test_a_label_is_put_where_nothing_else_is_in_the_way(cpus: tuple[str, ...], node: str, yet: str) -> None:
    text = "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector."
    asking = Container(name="c", resources=Resources(requests={"cpu": "4"}))
    spec = PodSpec(node_selector={"disk": "ssd"}, containers=(asking,))
    known = msgspec.structs.replace(
        evidence(msgspec.structs.replace(pod(text), spec=spec)),
        nodes=tuple(_node(f"n{i}", cpu) for i, cpu in enumerate(cpus)),
    )
    finding = found(known)["node-selector-mismatch"]
    label = next(r for r in finding.remedies if "kubectl label" in r.command)
    assert label.command == f"kubectl label node {node} disk=ssd"
    assert yet in label.text
    assert (not yet) == ("not enough" not in label.text)
    assert ("spec.nodeSelector[disk]", "ssd") in {(c.field, c.value) for c in finding.citations}


def test_one_sibling_is_named_with_the_port_that_it_holds() -> None:
    text = "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports."
    port = Container(name="c", ports=(ContainerPort(container_port=80, host_port=8080),))
    waiting = msgspec.structs.replace(pod(text), spec=PodSpec(containers=(port,)))
    holder = Pod(metadata=ObjectMeta(name="web-1", namespace="shop"), spec=PodSpec(node_name="n1", containers=(port,)))
    known = msgspec.structs.replace(evidence(waiting), siblings=(holder,))
    assert found(known)["host-port-conflict"].message.endswith("; its sibling web-1 holds it on n1.")


def test_a_pinned_node_that_was_not_read_makes_nothing_certain() -> None:
    text = "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't have free ports for the requested pod ports."
    pin = NodeSelectorTerm(match_fields=(LabelSelectorRequirement(key="metadata.name", operator="In", values=("n1",)),))
    spec = PodSpec(affinity=Affinity(node_affinity=NodeAffinity(required=NodeSelector(node_selector_terms=(pin,)))))
    owner = OwnerReference(kind="DaemonSet", name="agent", controller=True)
    waiting = msgspec.structs.replace(
        pod(text), spec=spec, metadata=ObjectMeta(name="web", namespace="shop", owner_references=(owner,))
    )
    told = found(evidence(waiting))
    assert told["insufficient-cpu"].confidence is Confidence.LIKELY
    assert "which were not read, may hold it there" in told["host-port-conflict"].message
