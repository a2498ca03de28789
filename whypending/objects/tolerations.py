"""Which taints a Pod tolerates, as core/v1 `Toleration.ToleratesTaint` and the TaintToleration plugin decide it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from whypending.objects.node import Node, Taint
from whypending.objects.pod import Toleration
from whypending.patterns import Pattern

KEEPS_OUT = ("NoSchedule", "NoExecute")
"""The effects that a scheduler's Filter looks at; PreferNoSchedule only scores."""
UNSCHEDULABLE = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")
"""What the NodeUnschedulable plugin asks of the tolerations where `spec.unschedulable` is set."""
_INTEGER = Pattern(r"0|-?[1-9][0-9]*", re.ASCII)
_LIMIT = 2**63


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    """Whether this toleration matches this taint.

    An empty effect matches every effect, an empty key every key, an empty operator means Equal. Lt and Gt (feature
    TaintTolerationComparisonOperators) compare the taint's value with the toleration's as 64-bit integers.
    """
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    match toleration.operator:
        case "" | "Equal":
            return toleration.value == taint.value
        case "Exists":
            return True
        case "Lt" | "Gt":
            return _compare(toleration, taint.value)
        case _:
            return False


def _compare(toleration: Toleration, value: str) -> bool:
    if not (_INTEGER.fullmatch(value) and _INTEGER.fullmatch(toleration.value)):
        return False
    left, right = int(value), int(toleration.value)
    if not all(-_LIMIT <= number < _LIMIT for number in (left, right)):
        return False
    return left < right if toleration.operator == "Lt" else left > right


def is_tolerated(taint: Taint, tolerations: Iterable[Toleration]) -> bool:
    """Whether any of the tolerations matches."""
    return any(tolerates(t, taint) for t in tolerations)


def first_untolerated(node: Node, tolerations: Iterable[Toleration]) -> Taint | None:
    """The taint for which TaintToleration refuses the node: the first in `spec.taints` that keeps the Pod out."""
    known = tuple(tolerations)
    return next((t for t in node.spec.taints if t.effect in KEEPS_OUT and not is_tolerated(t, known)), None)


def is_cordoned_for(node: Node, tolerations: Iterable[Toleration]) -> bool:
    """Whether NodeUnschedulable refuses the node: `spec.unschedulable` without a toleration of its taint."""
    return node.spec.unschedulable and not is_tolerated(UNSCHEDULABLE, tolerations)
