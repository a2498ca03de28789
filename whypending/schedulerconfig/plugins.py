"""The in-tree plugins of each release: where they can run, and which are on by default, in which order.

Source: pkg/scheduler/framework/plugins (registry.go and each plugin's methods), apis/config/v1/default_plugins.go and
pkg/features/kube_features.go of Kubernetes 1.25 to 1.37.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

POINTS = (
    "preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore", "score", "reserve", "permit", "preBind",
    "bind", "postBind", "placementGenerate", "placementScore", "podGroupPostFilter",
)  # fmt: skip
"""In the order in which a Pod meets them."""
SCORED = ("score", "placementScore")
_POINT_SINCE = {"placementGenerate": 36, "placementScore": 36, "podGroupPostFilter": 37}

Gates = Mapping[str, bool]
"""Feature gates that a scheduler is started with."""


class Default(NamedTuple):
    """A plugin that is on by default, with its weight (0: none given)."""

    name: str
    weight: int = 0


_HISTORY: Mapping[str, tuple[tuple[int, str], ...]] = {
    "AzureDiskLimits": ((25, "filter"), (28, "preFilter filter"), (32, "")),
    "CinderLimits": ((25, "filter"), (28, "preFilter filter"), (32, "")),
    "DefaultBinder": ((25, "bind"),),
    "DefaultPreemption": (
        (25, "postFilter"), (32, "preEnqueue postFilter"), (36, "preEnqueue postFilter podGroupPostFilter"),
    ),
    "DeferredPodScheduling": ((37, "preFilter filter permit"),),
    "DynamicResources": (
        (26, "preFilter filter postFilter preScore reserve postBind"),
        (28, "preEnqueue preFilter filter postFilter preScore reserve postBind"),
        (30, "preEnqueue preFilter filter postFilter preScore reserve preBind postBind"),
        (32, "preEnqueue preFilter filter postFilter reserve preBind"),
        (35, "preEnqueue preFilter filter postFilter score reserve preBind"),
        (37, "preEnqueue preFilter filter postFilter score reserve preBind podGroupPostFilter"),
    ),
    "EBSLimits": ((25, "filter"), (28, "preFilter filter"), (32, "")),
    "GCEPDLimits": ((25, "filter"), (28, "preFilter filter"), (32, "")),
    "GangScheduling": ((35, "preEnqueue reserve permit"), (36, "preEnqueue permit")),
    "ImageLocality": ((25, "score"),),
    "InterPodAffinity": ((25, "preFilter filter preScore score"),),
    "NodeAffinity": ((25, "preFilter filter preScore score"),),
    "NodeDeclaredFeatures": ((35, "preFilter filter"),),
    "NodeName": ((25, "filter"), (37, "preFilter filter")),
    "NodePorts": ((25, "preFilter filter"),),
    "NodeResourcesBalancedAllocation": ((25, "score"), (27, "preScore score")),
    "NodeResourcesFit": (
        (25, "preFilter filter score"), (27, "preFilter filter preScore score"),
        (36, "preFilter filter preScore score placementScore"),
    ),
    "NodeUnschedulable": ((25, "filter"), (37, "preFilter filter")),
    "NodeVolumeLimits": ((25, "filter"), (28, "preFilter filter")),
    "PodGroupPodsCount": ((36, "placementScore"),),
    "PodTopologySpread": ((25, "preFilter filter preScore score"),),
    "PrioritySort": ((25, "queueSort"),),
    "SchedulingGates": ((26, "preEnqueue"),),
    "SelectorSpread": ((25, "preScore score"), (29, "")),
    "TaintToleration": ((25, "filter preScore score"), (37, "preFilter filter preScore score")),
    "TopologyPlacementGenerator": ((36, "placementGenerate"),),
    "VolumeBinding": (
        (25, "preFilter filter score reserve preBind"), (30, "preFilter filter preScore score reserve preBind"),
    ),
    "VolumeRestrictions": ((25, "preFilter filter"),),
    "VolumeZone": ((25, "filter"), (27, "preFilter filter")),
}  # fmt: skip
"""The extension points from a release on; empty: not in the tree any more."""

_GATES: Mapping[str, tuple[tuple[int, bool], ...]] = {
    "PodSchedulingReadiness": ((26, False), (27, True)),
    "DynamicResourceAllocation": ((26, False), (34, True)),
    "NodeDeclaredFeatures": ((35, False), (36, True)),
    "GangScheduling": ((35, False),),
    "GenericWorkload": ((35, False),),
    "TopologyAwareWorkloadScheduling": ((36, False),),
    "InPlacePodVerticalScalingSchedulerPreemption": ((37, False),),
    "StorageCapacityScoring": ((33, False), (37, True)),
    "DRASchedulerFilterTimeout": ((34, True),),
    "DRADeviceBindingConditions": ((34, False), (36, True)),
    "DRAResourceClaimDeviceStatus": ((32, False), (33, True)),
}
"""What a gate is from a release on, where nothing is said; before the first release there is no such gate."""

_OFF_IN_31 = ("EBSLimits", "GCEPDLimits", "AzureDiskLimits")
"""Still there in 1.31, but not on by default any more."""
_WITH_DYNAMIC_WEIGHT = 35
_BASE = (
    Default("PrioritySort"), Default("NodeUnschedulable"), Default("NodeName"), Default("TaintToleration", 3),
    Default("NodeAffinity", 2), Default("NodePorts"), Default("NodeResourcesFit", 1), Default("VolumeRestrictions"),
    Default("EBSLimits"), Default("GCEPDLimits"), Default("NodeVolumeLimits"), Default("AzureDiskLimits"),
    Default("VolumeBinding"), Default("VolumeZone"), Default("PodTopologySpread", 2), Default("InterPodAffinity", 2),
    Default("DefaultPreemption"), Default("NodeResourcesBalancedAllocation", 1), Default("ImageLocality", 1),
    Default("DefaultBinder"),
)  # fmt: skip


def points_in(minor: int) -> tuple[str, ...]:
    """The extension points that `plugins` of a profile may name."""
    return tuple(p for p in POINTS if _POINT_SINCE.get(p, 0) <= minor)


def points_of(plugin: str, minor: int) -> frozenset[str] | None:
    """Where an in-tree plugin can run in a release; None where the release has no such plugin."""
    found = [points for since, points in _HISTORY.get(plugin, ()) if since <= minor]
    return frozenset(found[-1].split()) & frozenset(points_in(minor)) if found and found[-1] else None


def in_tree(minor: int) -> tuple[str, ...]:
    """The names of a release's plugins."""
    return tuple(name for name in _HISTORY if points_of(name, minor) is not None)


def lifetime(plugin: str) -> tuple[int, int]:
    """The minor releases that a plugin came with and went with (0: not gone, or never there)."""
    history = _HISTORY.get(plugin, ())
    return (history[0][0], 0 if history[-1][1] else history[-1][0]) if history else (0, 0)


def gate(name: str, minor: int, gates: Gates) -> bool:
    """Whether a feature gate is on."""
    known = [on for since, on in _GATES.get(name, ()) if since <= minor]
    return gates.get(name, known[-1]) if known else False


def defaults(minor: int, gates: Gates) -> tuple[Default, ...]:
    """The plugins that are on by default, all of them at multiPoint, in order."""
    gone = _OFF_IN_31 if minor == 31 else ()  # noqa: PLR2004
    found = [d for d in _BASE if points_of(d.name, minor) is not None and d.name not in gone]
    if minor >= 30:  # noqa: PLR2004 - since then not behind its feature gate
        found.insert(0, Default("SchedulingGates"))
    elif gate("PodSchedulingReadiness", minor, gates):
        found.append(Default("SchedulingGates"))
    if minor >= 37:  # noqa: PLR2004
        _move(found, "NodeName", before="NodeUnschedulable")
    return tuple(_gated(found, minor, gates))


def _gated(found: list[Default], minor: int, gates: Gates) -> list[Default]:
    if gate("NodeDeclaredFeatures", minor, gates):
        found.append(Default("NodeDeclaredFeatures"))
    if gate("InPlacePodVerticalScalingSchedulerPreemption", minor, gates):
        found.insert(_index(found, "NodeResourcesFit"), Default("DeferredPodScheduling"))
    if gate("DynamicResourceAllocation", minor, gates):
        weight = 2 if minor >= _WITH_DYNAMIC_WEIGHT else 0
        found.insert(_index(found, "DefaultPreemption"), Default("DynamicResources", weight))
    if gate("GenericWorkload" if minor >= 37 else "GangScheduling", minor, gates):  # noqa: PLR2004
        found.append(Default("GangScheduling"))
    if gate("TopologyAwareWorkloadScheduling", minor, gates):
        found += [Default("TopologyPlacementGenerator"), Default("PodGroupPodsCount", 1)]
    return found


def _move(found: list[Default], name: str, *, before: str) -> None:
    moved = found.pop(_index(found, name))
    found.insert(_index(found, before), moved)


def _index(found: list[Default], name: str) -> int:
    return next(at for at, default in enumerate(found) if default.name == name)
