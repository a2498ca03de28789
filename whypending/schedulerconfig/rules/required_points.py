"""queue-sort-missing, queue-sort-several, bind-missing, placement-generate-several: what a profile can't do without.

Source: NewFramework of pkg/scheduler/framework/runtime/framework.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.effective import Enabled, effective
from whypending.schedulerconfig.finding import Facts, Finding, at
from whypending.schedulerconfig.model import MULTI_POINT, Configuration, Profile
from whypending.schedulerconfig.tree import Node


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """Exactly one queueSort, at least one bind, at most one placementGenerate. Built-in ones can't be counted."""
    for profile in configuration.profiles:
        found = effective(profile, facts)
        if not found.unknown:
            yield from _missing(profile, "queueSort", found.points["queueSort"], "PrioritySort")
            yield from _missing(profile, "bind", found.points["bind"], "DefaultBinder")
        for point, rule in (("queueSort", "queue-sort-several"), ("placementGenerate", "placement-generate-several")):
            plugins = found.points.get(point, ())
            if len(plugins) > 1:
                names = ", ".join(p.name for p in plugins)
                yield at(
                    _where(profile, point), rule, f'Profile "{profile.name}" has several {point} plugins: {names}.',
                    f"Keep one; others are turned off by {point}.disabled.",
                )  # fmt: skip


def _missing(profile: Profile, point: str, plugins: tuple[Enabled, ...], default: str) -> Iterator[Finding]:
    if not plugins:
        rule = "queue-sort-missing" if point == "queueSort" else f"{point}-missing"
        yield at(
            _where(profile, point), rule,
            f'Profile "{profile.name}" has no {point} plugin left: kube-scheduler does not start.',
            f"Enable {default} at {point}, or do not disable it.",
        )  # fmt: skip


def _where(profile: Profile, point: str) -> Node:
    return profile.at(point).node or profile.at(MULTI_POINT).node or profile.node
