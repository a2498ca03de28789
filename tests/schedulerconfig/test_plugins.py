"""The tables of releases: complete, and what changed where."""

from __future__ import annotations

import pytest

from whypending.schedulerconfig.plugins import POINTS, defaults, gate, in_tree, lifetime, points_in, points_of
from whypending.schedulerconfig.releases import API_VERSIONS, CURRENT, NEWEST, OLDEST, parse_release

RELEASES = range(OLDEST, NEWEST + 1)


@pytest.mark.parametrize("minor", RELEASES)
def test_what_is_on_by_default_is_in_the_tree(minor: int) -> None:
    names = [d.name for d in defaults(minor, {})]
    assert len(set(names)) == len(names)
    assert set(names) <= set(in_tree(minor))


@pytest.mark.parametrize("minor", RELEASES)
def test_each_release_can_sort_and_bind_by_default(minor: int) -> None:
    found = [points_of(d.name, minor) or frozenset() for d in defaults(minor, {})]
    assert sum("queueSort" in points for points in found) == 1
    assert sum("bind" in points for points in found) == 1


@pytest.mark.parametrize("minor", RELEASES)
def test_every_plugin_runs_somewhere(minor: int) -> None:
    assert all(points_of(name, minor) for name in in_tree(minor))
    assert all(
        (points_of(name, minor) or frozenset()) <= set(points_in(minor)) <= set(POINTS) for name in in_tree(minor)
    )


@pytest.mark.parametrize(
    ("plugin", "expected"),
    [("SelectorSpread", (25, 29)), ("EBSLimits", (25, 32)), ("DynamicResources", (26, 0)), ("Coscheduling", (0, 0))],
)
def test_lifetimes(plugin: str, expected: tuple[int, int]) -> None:
    assert lifetime(plugin) == expected


def test_gates_follow_the_release_and_what_is_said() -> None:
    assert not gate("DynamicResourceAllocation", 33, {})
    assert gate("DynamicResourceAllocation", 34, {})
    assert gate("DynamicResourceAllocation", 33, {"DynamicResourceAllocation": True})
    assert not gate("DynamicResourceAllocation", 25, {"DynamicResourceAllocation": True})


@pytest.mark.parametrize(
    ("minor", "name", "on"),
    [
        (34, "DynamicResourceAllocation", ["DynamicResources"]),
        (28, "PodSchedulingReadiness", ["SchedulingGates"]),
        (36, "GangScheduling", ["GangScheduling"]),
        (37, "GenericWorkload", ["GangScheduling"]),
        (36, "TopologyAwareWorkloadScheduling", ["TopologyPlacementGenerator", "PodGroupPodsCount"]),
        (37, "InPlacePodVerticalScalingSchedulerPreemption", ["DeferredPodScheduling"]),
    ],
)
def test_a_gate_brings_its_plugins(minor: int, name: str, on: list[str]) -> None:
    without = {d.name for d in defaults(minor, {name: False})}
    assert [d.name for d in defaults(minor, {name: True}) if d.name not in without] == on


def test_one_version_is_current() -> None:
    assert [v for v, life in API_VERSIONS.items() if not life.removed] == [CURRENT]
    assert all(life.since < life.removed for life in API_VERSIONS.values() if life.removed)


@pytest.mark.parametrize(
    ("text", "minor"), [("1.37", 37), ("v1.30.2", 30), ("1.29+", 29), ("v1.31.0-eks-1", 31), ("2.0", None), ("", None)]
)
def test_releases(text: str, minor: int | None) -> None:
    found = parse_release(text, "")
    assert (found.minor if found else None) == minor
