"""KubeSchedulerConfigurations by the hundred: each seed is one, so what once failed can be kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import yaml

from whypending.schedulerconfig.plugins import in_tree, points_in, points_of
from whypending.schedulerconfig.releases import CURRENT, KIND

Document = dict[str, Any]
Change = Callable[[Document, random.Random], None]
_CHANGED = 7
"""Every seventh seed gets one change more."""


def generate(seed: int, minor: int) -> str:
    """The text of a seed for a release: many as people write them, the others with something changed."""
    rng = random.Random(f"{seed} {minor}")  # noqa: S311 - repeatable on purpose
    document: Document = {"apiVersion": CURRENT, "kind": KIND}
    names = ["default-scheduler", "batch", "gpu", "low-latency"][: rng.choice([1, 1, 1, 2, 3])]
    if rng.random() < 0.9 or len(names) > 1:
        document["profiles"] = [_profile(name, rng, minor) for name in names]
    if rng.random() < 0.3:
        document["leaderElection"] = {"leaderElect": rng.random() < 0.5, "resourceName": rng.choice(names)}
    if rng.random() < 0.2:
        document["percentageOfNodesToScore"] = rng.choice([0, 50, 100])
    for _ in range(rng.choice([0, 0, 0, 0, 1, 2]) + (seed % _CHANGED == 0)):
        rng.choice(CHANGES)(document, rng)
    return str(yaml.safe_dump(document, sort_keys=False))


def _profile(name: str, rng: random.Random, minor: int) -> Document:
    profile: Document = {"schedulerName": name}
    sets = {point: found for point in ("multiPoint", *points_in(minor)) if (found := _set(point, rng, minor))}
    if sets:
        profile["plugins"] = sets
    if rng.random() < 0.4:
        profile["pluginConfig"] = [rng.choice(ARGS)(rng)]
    return profile


def _set(point: str, rng: random.Random, minor: int) -> Document:
    if rng.random() < (0.5 if point == "multiPoint" else 0.8) or point == "queueSort":
        return {}
    known = list(in_tree(minor))
    able = known if point == "multiPoint" else [p for p in known if point in (points_of(p, minor) or ())]
    enabled = rng.sample(able, min(len(able), rng.choice([0, 1, 1, 2, 4])))
    disabled = rng.sample(known, rng.choice([0, 0, 1, 2, 3]))
    if rng.random() < 0.25:
        disabled.append("*")
        enabled = able if point in {"multiPoint", "bind"} and rng.random() < 0.8 else enabled
    found: Document = {}
    if enabled:
        found["enabled"] = [_use(name, rng) for name in enabled]
    if disabled:
        found["disabled"] = [{"name": name} for name in disabled]
    return found


def _use(name: str, rng: random.Random) -> Document:
    return {"name": name, **({"weight": rng.choice([1, 2, 5, 100])} if rng.random() < 0.4 else {})}


def _balanced(rng: random.Random) -> Document:
    resources = [{"name": n, "weight": rng.choice([1, 1, 1, 2])} for n in ("cpu", "memory")]
    return {"name": "NodeResourcesBalancedAllocation", "args": {"resources": resources}}


def _fit(rng: random.Random) -> Document:
    strategy: Document = {"type": rng.choice(["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio", "Best"])}
    if rng.random() < 0.5:
        points = [{"utilization": u, "score": rng.choice([0, 5, 10, 11])} for u in (0, rng.choice([0, 50, 100, 101]))]
        strategy["requestedToCapacityRatio"] = {"shape": points}
    if rng.random() < 0.4:
        strategy["resources"] = [{"name": "cpu", "weight": rng.choice([0, 1, 100, 101])}]
    return {"name": "NodeResourcesFit", "args": {"scoringStrategy": strategy}}


def _spread(rng: random.Random) -> Document:
    constraint = {
        "maxSkew": rng.choice([0, 1, 5]),
        "topologyKey": rng.choice(["topology.kubernetes.io/zone", "zone", "not/a/key"]),
        "whenUnsatisfiable": rng.choice(["ScheduleAnyway", "DoNotSchedule", "Never"]),
    }
    args: Document = {"defaultConstraints": [constraint] * rng.choice([1, 1, 2])}
    if rng.random() < 0.7:
        args["defaultingType"] = rng.choice(["List", "List", "System", "Other"])
    return {"name": "PodTopologySpread", "args": args}


def _affinity(rng: random.Random) -> Document:
    expression = {"key": rng.choice(["zone", "bad key", "a.b/c"]), "operator": rng.choice(["In", "Exists", "Gt", "Is"])}
    values = rng.choice([[], ["a"], ["5"], ["a", "b"], ["bad value"]])
    term = {"matchExpressions": [{**expression, **({"values": values} if values else {})}]}
    if rng.random() < 0.5:
        added: Document = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    else:
        preferred = {"weight": rng.choice([0, 1, 50]), "preference": term}
        added = {"preferredDuringSchedulingIgnoredDuringExecution": [preferred]}
    return {"name": "NodeAffinity", "args": {"addedAffinity": added}}


ARGS: tuple[Callable[[random.Random], Document], ...] = (
    _balanced,
    _fit,
    _spread,
    _affinity,
    lambda rng: {"name": "InterPodAffinity", "args": {"hardPodAffinityWeight": rng.choice([-1, 0, 100, 101])}},
    lambda rng: {"name": "VolumeBinding", "args": {"bindTimeoutSeconds": rng.choice([-1, 0, 60])}},
    lambda rng: {
        "name": "VolumeBinding",
        "args": {"shape": [{"utilization": 0, "score": rng.choice([0, 10])}, {"utilization": rng.choice([0, 100])}]},
    },
    lambda rng: {
        "name": "DefaultPreemption",
        "args": {
            "minCandidateNodesPercentage": rng.choice([0, 10, 101]),
            "minCandidateNodesAbsolute": rng.choice([0, 5]),
        },
    },
    lambda rng: {"name": "DynamicResources", "args": {"filterTimeout": rng.choice(["0s", "5s", "-1s", "5"])}},
    lambda rng: {"name": "DynamicResources", "args": {"bindingTimeout": rng.choice(["0s", "500ms", "2m"])}},
    lambda rng: {
        "name": rng.choice(["NodeResourcesFitArgs", "Coscheduling", "EBSLimits", "PrioritySort"]),
        "args": {"a": 1},
    },
    lambda rng: {"name": "NodeAffinity", "args": {"kind": rng.choice(["NodeAffinityArgs", "VolumeBindingArgs"])}},
    lambda rng: {"name": "NodeAffinity", "args": {"apiVersion": rng.choice([CURRENT, CURRENT + "beta3"])}},
)


def _any_profile(document: Document, rng: random.Random) -> Document:
    profiles = [p for p in document.get("profiles") or [] if p]
    if not profiles:
        profiles = document["profiles"] = [{"schedulerName": "default-scheduler"}]
    chosen: Document = rng.choice(profiles)
    return chosen


def _at_profile(key: str, *values: Any) -> Change:
    def change(document: Document, rng: random.Random) -> None:
        _any_profile(document, rng)[key] = rng.choice(values)

    return change


def _at_root(key: str, *values: Any) -> Change:
    def change(document: Document, rng: random.Random) -> None:
        document[key] = rng.choice(values)

    return change


def _plugin(point: str, kind: str, *names: str) -> Change:
    def change(document: Document, rng: random.Random) -> None:
        found = _any_profile(document, rng).setdefault("plugins", {}).setdefault(point, {}).setdefault(kind, [])
        found.append({"name": rng.choice(names)})

    return change


def _extender(**fields: tuple[Any, ...]) -> Change:
    def change(document: Document, rng: random.Random) -> None:
        chosen = {key: rng.choice(values) for key, values in fields.items()}
        document.setdefault("extenders", []).append({"urlPrefix": "http://127.0.0.1:1", **chosen})

    return change


ELECTIONS: tuple[Document, ...] = (
    {"leaseDuration": "5s"},
    {"leaseDuration": 15},
    {"leaseDuration": None},
    {"resourceLock": "endpoints"},
    {"leaderElect": False, "leaseDuration": "1s"},
    {"renewDeadline": "-1s"},
    {"retryPeriod": "1.5s"},
    {"leaseDuration": "1m30"},
)
MANAGED = {"name": "a.example/b"}
CHANGES: tuple[Change, ...] = (
    _at_root("apiVersion", CURRENT + "beta2", CURRENT + "beta3", CURRENT + "alpha1", "kubescheduler.config.k8s.io/v2"),
    _at_root("parallelism", 0, -1, 1, 16.0, "16", 2**31, None),
    _at_root("percentageOfNodesToScore", -1, 101, 100, "50"),
    _at_root("podInitialBackoffSeconds", 0, 5, 20),
    _at_root("podMaxBackoffSeconds", 0, 1, 300),
    _at_root("enableProfiling", *("yes", False, None)),
    _at_root("clientConnection", {"qps": 5, "burst": -1}, {"qps": "5"}, {"burst": 10}, {"acceptContentTypes": 5}, None),
    _at_root("leaderElection", *ELECTIONS),
    _at_root("Parallelism", 4),
    _at_root("metadata", {"name": "scheduler"}),
    _at_root("profiles", None, [], [{}], [{}, {}], [None], {}),
    _at_profile("schedulerName", "", "default-scheduler", "batch", None, 5),
    _at_profile("percentageOfNodesToScore", -1, 101, 7),
    _at_profile("plugin", {}),
    _plugin("filter", "enabled", "ImageLocality", "NodeName", "Coscheduling", ""),
    _plugin("multiPoint", "enabled", "Coscheduling", "NodeAffinity", "nodeAffinity", "GangScheduling"),
    _plugin("multiPoint", "disabled", "NodeResourcesFit", "DefaultBinder", "PrioritySort", "Coscheduling", "*"),
    _plugin("score", "enabled", "NodeAffinity", "NodeAffinity", "SelectorSpread", "EBSLimits"),
    _plugin("queueSort", "enabled", "PrioritySort", "Coscheduling"),
    _plugin("queueSort", "disabled", "PrioritySort", "*"),
    _plugin("bind", "disabled", "DefaultBinder", "*"),
    _plugin("permits", "enabled", "GangScheduling"),
    _extender(prioritizeVerb=("prioritize", ""), weight=(0, 1, -1)),
    _extender(bindVerb=("bind",)),
    _extender(managedResources=([{"name": "cpu"}], [MANAGED], [{**MANAGED, "ignoredByScheduler": True}])),
    _extender(httpTimeout=("5s", 5, "5"), enableHTTPS=(True, "true")),
    _extender(tlsConfig=({"insecure": True}, {"caData": "@@@"}, {"serverName": "a", "cafile": "/x"})),
)  # fmt: skip
"""Each sets something that is often wrong; some values are right: nothing is to be flagged for its name alone."""
