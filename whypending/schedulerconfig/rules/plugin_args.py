"""plugin-args-invalid: arguments of in-tree plugins that validation refuses.

Source: pkg/scheduler/apis/config/validation/validation_pluginargs.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from whypending.schedulerconfig.finding import Facts, Finding, at
from whypending.schedulerconfig.model import MULTI_POINT, Configuration, Profile
from whypending.schedulerconfig.plugins import defaults, gate
from whypending.schedulerconfig.rules.node_terms import check_affinity
from whypending.schedulerconfig.schema import args_type
from whypending.schedulerconfig.tree import Node
from whypending.schedulerconfig.values import duration, is_qualified

RULE = "plugin-args-invalid"
_PERCENT, _SCORES, _SECOND = 100, 10, 10**9
_STRATEGIES = ("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """The arguments of every profile."""
    for profile in configuration.profiles:
        for given in profile.args:
            judge = _BY_PLUGIN.get(given.name)
            if judge and given.args and args_type(given.name, facts.minor) and _is_judged(given.name, profile, facts):
                yield from judge(given.args, facts)


def _is_judged(plugin: str, profile: Profile, facts: Facts) -> bool:
    """Those of NodeResourcesFit are looked at by the plugin alone, where it is enabled at all."""
    if plugin != "NodeResourcesFit":
        return True
    off = {u.name for u in profile.at(MULTI_POINT).disabled}
    on = {u.name for found in profile.sets.values() for u in found.enabled}
    default = any(d.name == plugin for d in defaults(facts.minor, facts.gates)) and not off & {plugin, "*"}
    return plugin in on or default


def _bad(node: Node | None, message: str, fix: str) -> Finding:
    return at(node, RULE, message, fix)


def _within(holder: Node, key: str, low: int, high: int | None) -> Iterator[Finding]:
    value = holder.integer(key)
    if value is not None and (value < low or (high is not None and value > high)):
        span = f"{low} to {high}" if high is not None else f"{low} or more"
        yield _bad(holder.get(key), f"{key} is {value}.", f"Write {span}.")


def _preemption(args: Node, _facts: Facts) -> Iterator[Finding]:
    yield from _within(args, "minCandidateNodesPercentage", 0, _PERCENT)
    yield from _within(args, "minCandidateNodesAbsolute", 0, None)
    if args.integer("minCandidateNodesPercentage") == 0 and args.integer("minCandidateNodesAbsolute") == 0:
        yield _bad(
            args, "minCandidateNodesPercentage and minCandidateNodesAbsolute are both 0.", "Write 1 or more for one."
        )


def _pod_affinity(args: Node, _facts: Facts) -> Iterator[Finding]:
    yield from _within(args, "hardPodAffinityWeight", 0, _PERCENT)


def _node_affinity(args: Node, _facts: Facts) -> Iterator[Finding]:
    added = args.get("addedAffinity")
    if added:
        yield from check_affinity(added, RULE)


def _balanced(args: Node, _facts: Facts) -> Iterator[Finding]:
    seen: set[str] = set()
    for item in args.list("resources"):
        name, weight = item.text("name") or "", item.integer("weight") or 1
        if name in seen:
            yield _bad(item, f"Resource {name} is listed twice.", "Keep one of them.")
        seen.add(name)
        if weight != 1:
            yield _bad(item.get("weight"), f"The weight of {name} is {weight}.", "Write 1, or leave it out.")


def _fit(args: Node, _facts: Facts) -> Iterator[Finding]:
    for item in args.list("ignoredResources"):
        if isinstance(item.value, str) and not is_qualified(item.value):
            yield _bad(item, f'"{item.value}" is no name of a resource.', "Write it as example.com/name.")
    for item in args.list("ignoredResourceGroups"):
        if isinstance(item.value, str) and ("/" in item.value or not is_qualified(item.value)):
            yield _bad(item, f'"{item.value}" is no group of resources.', "Write what stands in front of the slash.")
    strategy = args.get("scoringStrategy")
    if strategy:
        yield from _strategy(strategy)


def _strategy(strategy: Node) -> Iterator[Finding]:
    kind, ratio = strategy.text("type") or "", strategy.get("requestedToCapacityRatio")
    if kind not in _STRATEGIES:
        yield _bad(strategy.get("type") or strategy, f'scoringStrategy.type is "{kind}".',
                   f"Write one of {', '.join(_STRATEGIES)}.")  # fmt: skip
    for item in strategy.list("resources"):
        weight = item.integer("weight") or 1
        if not 0 < weight <= _PERCENT:
            yield _bad(item.get("weight"), f"The weight of {item.text('name') or 'a resource'} is {weight}.",
                       "Write 1 to 100.")  # fmt: skip
    if kind == _STRATEGIES[2]:
        if ratio is None:
            yield _bad(strategy, f"{kind} needs requestedToCapacityRatio.", "Add it, with its shape.")
        else:
            yield from _shape(ratio, ratio.list("shape"))
    elif ratio is not None:
        yield _bad(ratio, f"requestedToCapacityRatio does not go with type {kind}.",
                   f"Remove it, or write type: {_STRATEGIES[2]}.")  # fmt: skip


def _shape(holder: Node, points: tuple[Node, ...]) -> Iterator[Finding]:
    if not points:
        yield _bad(holder, "The shape has no point.", "Add at least one point with utilization and score.")
    uses = [p.integer("utilization") or 0 for p in points]
    for point, use, before in zip(points[1:], uses[1:], uses, strict=False):
        if before >= use:
            yield _bad(point, "The points of the shape are not in increasing order.", "Sort them by utilization.")
            break
    for point in points:
        yield from _within(point, "utilization", 0, _PERCENT)
        yield from _within(point, "score", 0, _SCORES)


def _spread(args: Node, _facts: Facts) -> Iterator[Finding]:
    kind, constraints = args.text("defaultingType") or "System", args.list("defaultConstraints")
    if kind not in {"System", "List"}:
        yield _bad(args.get("defaultingType"), f'defaultingType is "{kind}".', "Write System or List.")
    if kind == "System" and constraints:
        yield _bad(args.get("defaultConstraints"), "defaultConstraints go with defaultingType: List alone.",
                   "Add defaultingType: List.")  # fmt: skip
    seen: set[tuple[str, str]] = set()
    for constraint in constraints:
        yield from _constraint(constraint)
        key = (constraint.text("topologyKey") or "", constraint.text("whenUnsatisfiable") or "")
        if key in seen:
            yield _bad(constraint, f"There are two constraints on {key[0]} with {key[1]}.", "Keep one of them.")
        seen.add(key)


def _constraint(constraint: Node) -> Iterator[Finding]:
    if (constraint.integer("maxSkew") or 0) <= 0:
        yield _bad(constraint.get("maxSkew") or constraint, "maxSkew is missing or not positive.", "Write 1 or more.")
    if not is_qualified(constraint.text("topologyKey") or ""):
        yield _bad(constraint.get("topologyKey") or constraint, "topologyKey is missing or no label.",
                   "Write a label of Nodes, such as topology.kubernetes.io/zone.")  # fmt: skip
    if constraint.text("whenUnsatisfiable") not in {"DoNotSchedule", "ScheduleAnyway"}:
        yield _bad(constraint.get("whenUnsatisfiable") or constraint, "whenUnsatisfiable is missing or unknown.",
                   "Write DoNotSchedule or ScheduleAnyway.")  # fmt: skip
    if constraint.get("labelSelector"):
        yield _bad(constraint.get("labelSelector"), "A default constraint takes no labelSelector.",
                   "Remove it: it follows from the Pod's Service or owner.")  # fmt: skip


def _volumes(args: Node, facts: Facts) -> Iterator[Finding]:
    yield from _within(args, "bindTimeoutSeconds", 0, None)
    shape, name = args.get("shape"), "StorageCapacityScoring"
    if shape and gate(name, facts.minor, facts.gates):
        yield from _shape(shape, shape.items) if shape.items else ()
    elif shape:
        yield _bad(shape, f"shape needs the feature gate {name}, which is off in {facts.release}.",
                   f"Remove shape, or start kube-scheduler with --feature-gates={name}=true.")  # fmt: skip


def _devices(args: Node, facts: Facts) -> Iterator[Finding]:
    gates = {
        "filterTimeout": (0, ("DRASchedulerFilterTimeout",)),
        "bindingTimeout": (_SECOND, ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")),
    }
    for key, (least, names) in gates.items():
        value = duration(args.text(key) or "")
        off = [name for name in names if not gate(name, facts.minor, facts.gates)]
        if args.get(key) and off:
            yield _bad(args.get(key), f"{key} needs the feature gate {off[0]}, which is off.", f"Remove {key}.")
        elif value is not None and value < least:
            yield _bad(args.get(key), f"{key} is too short.", f"Write {least // _SECOND}s or more.")


_BY_PLUGIN: Mapping[str, Callable[[Node, Facts], Iterator[Finding]]] = {
    "DefaultPreemption": _preemption,
    "DynamicResources": _devices,
    "InterPodAffinity": _pod_affinity,
    "NodeAffinity": _node_affinity,
    "NodeResourcesBalancedAllocation": _balanced,
    "NodeResourcesFit": _fit,
    "PodTopologySpread": _spread,
    "VolumeBinding": _volumes,
}
