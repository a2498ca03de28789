from __future__ import annotations

import pytest

from whypending.objects.base import LabelSelector, LabelSelectorRequirement, ObjectMeta
from whypending.objects.node import Node
from whypending.objects.pod import Affinity, NodeAffinity, NodeSelector, NodeSelectorTerm, PodSpec
from whypending.objects.selectors import (
    matches,
    matches_node_selector,
    matches_pod,
    matches_selector,
    matches_term,
    show,
    show_selector,
)

LABELS = {"disk": "ssd", "gen": "5", "word": "x"}
NODE = Node(metadata=ObjectMeta(name="n1", labels=LABELS))


def need(key: str, operator: str, *values: str) -> LabelSelectorRequirement:
    return LabelSelectorRequirement(key=key, operator=operator, values=values)


@pytest.mark.parametrize(
    ("requirement", "matched", "shown"),
    [
        (need("disk", "In", "ssd"), True, "disk=ssd"),
        (need("disk", "In", "hdd", "nvme"), False, "disk in (hdd,nvme)"),
        (need("none", "In", ""), False, "none="),
        (need("disk", "NotIn", "hdd"), True, "disk!=hdd"),
        (need("none", "NotIn", "a", "b"), True, "none notin (a,b)"),
        (need("disk", "NotIn", "ssd"), False, "disk!=ssd"),
        (need("disk", "Exists"), True, "disk"),
        (need("disk", "DoesNotExist"), False, "!disk"),
        (need("gen", "Gt", "4"), True, "gen>4"),
        (need("gen", "Lt", "5"), False, "gen<5"),
        (need("word", "Gt", "4"), False, "word>4"),
        (need("none", "Lt", "4"), False, "none<4"),
        (need("gen", "Gt", "1", "2"), False, "gen>1,2"),
        (need("gen", "Near", "4"), False, "gen Near 4"),
    ],
)
def test_one_requirement(requirement: LabelSelectorRequirement, matched: bool, shown: str) -> None:
    assert matches(requirement, LABELS) is matched
    assert show(requirement) == shown


def test_label_selectors() -> None:
    both = LabelSelector(match_labels={"disk": "ssd"}, match_expressions=(need("gen", "Exists"),))
    assert matches_selector(both, LABELS)
    assert not matches_selector(both, {"disk": "ssd"})
    assert matches_selector(LabelSelector(), {})
    assert not matches_selector(None, LABELS)
    assert (show_selector(both), show_selector(None), show_selector(LabelSelector())) == (
        "disk=ssd,gen",
        "<none>",
        "<all>",
    )


def test_terms_are_ored_requirements_anded_and_empty_matches_nothing() -> None:
    named = NodeSelectorTerm(match_fields=(need("metadata.name", "In", "n1"),))
    other = NodeSelectorTerm(match_expressions=(need("disk", "In", "ssd"), need("gen", "Gt", "9")))
    assert matches_term(named, NODE)
    assert not matches_term(other, NODE)
    assert not matches_term(NodeSelectorTerm(), NODE)
    assert not matches_term(NodeSelectorTerm(match_fields=(need("metadata.uid", "In", "n1"),)), NODE)
    assert matches_node_selector(NodeSelector(node_selector_terms=(other, named)), NODE)
    assert not matches_node_selector(NodeSelector(), NODE)
    assert matches_node_selector(None, NODE)


def test_a_pod_needs_its_node_selector_and_one_term() -> None:
    term = NodeSelectorTerm(match_expressions=(need("gen", "Gt", "4"),))
    affinity = Affinity(node_affinity=NodeAffinity(required=NodeSelector(node_selector_terms=(term,))))
    assert matches_pod(PodSpec(), NODE)
    assert matches_pod(PodSpec(node_selector={"disk": "ssd"}, affinity=affinity), NODE)
    assert not matches_pod(PodSpec(node_selector={"disk": "hdd"}, affinity=affinity), NODE)
    assert not matches_pod(PodSpec(affinity=affinity), Node(metadata=ObjectMeta(name="n2")))
