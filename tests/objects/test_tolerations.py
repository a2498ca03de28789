from __future__ import annotations

import pytest

from whypending.objects.base import ObjectMeta
from whypending.objects.node import Node, NodeSpec, Taint
from whypending.objects.pod import Toleration
from whypending.objects.tolerations import first_untolerated, is_cordoned_for, is_tolerated, tolerates

TAINT = Taint(key="team", value="ml", effect="NoSchedule")


@pytest.mark.parametrize(
    ("toleration", "matched"),
    [
        (Toleration(key="team", value="ml", effect="NoSchedule"), True),
        (Toleration(key="team", operator="Equal", value="ml"), True),
        (Toleration(key="team", value="web"), False),
        (Toleration(key="team", operator="Exists"), True),
        (Toleration(operator="Exists"), True),
        (Toleration(key="team", operator="Exists", effect="NoExecute"), False),
        (Toleration(key="other", operator="Exists"), False),
        (Toleration(key="team", operator="Sometimes", value="ml"), False),
    ],
)
def test_matches_as_the_api_defines_it(toleration: Toleration, *, matched: bool) -> None:
    assert tolerates(toleration, TAINT) is matched


@pytest.mark.parametrize(
    ("operator", "value", "taint", "matched"),
    [
        ("Lt", "100", "50", True),
        ("Lt", "50", "50", False),
        ("Gt", "10", "50", True),
        ("Gt", "-1", "0", True),
        ("Gt", "10", "many", False),
        ("Gt", "010", "50", False),
        ("Gt", "1", str(2**63), False),
    ],
)
def test_compares_integers(operator: str, value: str, taint: str, *, matched: bool) -> None:
    toleration = Toleration(key="sla", operator=operator, value=value)
    assert tolerates(toleration, Taint(key="sla", value=taint, effect="NoSchedule")) is matched


def test_finds_the_first_taint_that_keeps_the_pod_out() -> None:
    soft = Taint(key="soft", effect="PreferNoSchedule")
    late = Taint(key="late", effect="NoExecute")
    node = Node(metadata=ObjectMeta(name="n1"), spec=NodeSpec(taints=(soft, TAINT, late)))
    assert first_untolerated(node, ()) == TAINT
    assert first_untolerated(node, (Toleration(key="team", operator="Exists"),)) == late
    assert first_untolerated(node, (Toleration(operator="Exists"),)) is None
    assert not is_tolerated(TAINT, ())


def test_cordon_is_a_field_and_a_toleration_lifts_it() -> None:
    node = Node(spec=NodeSpec(unschedulable=True))
    assert is_cordoned_for(node, ())
    assert not is_cordoned_for(node, (Toleration(key="node.kubernetes.io/unschedulable", operator="Exists"),))
    assert not is_cordoned_for(Node(), ())
