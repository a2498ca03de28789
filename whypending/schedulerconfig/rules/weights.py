"""weight-*: weights that are refused, or that mean nothing.

Source: getValidScoreWeights of pkg/scheduler/framework/runtime/framework.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.effective import Trouble, effective
from whypending.schedulerconfig.finding import Facts, Finding, at, warn
from whypending.schedulerconfig.model import MULTI_POINT, Configuration, PluginUse, Profile
from whypending.schedulerconfig.plugins import SCORED, points_in, points_of
from whypending.schedulerconfig.tree import Node


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """Every enabled plugin with a weight."""
    for profile in configuration.profiles:
        for refusal in effective(profile, facts).refusals:
            if refusal.trouble is Trouble.OVERFLOW:
                yield at(
                    _negative(profile) or refusal.use.node or profile.node, "weight-overflow",
                    f"The weights at {refusal.point} add up to more than fits, or one is negative.",
                    "Write weights of 1 to 100.",
                )  # fmt: skip
        for point in (MULTI_POINT, *points_in(facts.minor)):
            for use in profile.at(point).enabled:
                yield from _idle(use, point, facts)


def _negative(profile: Profile) -> Node | None:
    return next(
        (u.node for s in profile.sets.values() for u in s.enabled if u.weight is not None and u.weight < 0), None
    )


def _idle(use: PluginUse, point: str, facts: Facts) -> Iterator[Finding]:
    points = points_of(use.name, facts.minor)
    if use.weight is None or points is None or (use.weight == 0 and point not in SCORED):
        return
    node = use.node.get("weight")
    if point not in SCORED and (point != MULTI_POINT or not points & set(SCORED)):
        yield warn(
            node, "weight-ignored", f"{use.name} does not score at {point}, so its weight means nothing.",
            "Remove the weight, or enable the plugin at score.",
        )  # fmt: skip
    elif use.weight == 0:
        yield warn(
            node, "weight-zero", f"Weight 0 of {use.name} counts as 1.",
            f"Disable {use.name} at score if it is not to score, or write the weight that is meant.",
        )  # fmt: skip
    elif use.weight < 0:
        yield warn(
            node, "weight-negative", f"The weight of {use.name} is negative: the best nodes lose.",
            "Write a weight of 1 to 100.",
        )  # fmt: skip
