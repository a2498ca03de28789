"""Gang scheduling and scheduler-level quota: built-in (1.35 to 1.37), scheduler-plugins, Koordinator, Volcano.

Read in framework/plugins/gangscheduling of Kubernetes 1.37.2; pkg/coscheduling and pkg/capacityscheduling of
scheduler-plugins 0.18 to 0.34 (2026-08); pkg/scheduler/plugins/{coscheduling,elasticquota} of Koordinator
(2026-07); pkg/scheduler of Volcano 0.4 to 1.15 (2026-08).
"""

from __future__ import annotations

from whypending.messages.causes.rules import Facts, Hit, Rule, rule, says

_COSCHEDULING = "coscheduling"
_KOORDINATOR = "koordinator"
_VOLCANO = "volcano"
_NOT_READY = "gang-not-ready"
_SIBLING = "gang-sibling-unschedulable"
_QUOTA = "elastic-quota-exceeded"

TEXTS: list[tuple[str, Hit]] = [
    ("waiting for minCount pods from a gang to appear in scheduling queue", Hit(_NOT_READY, source="gang")),
    ("waiting for minCount pods from a gang to be scheduled", Hit("permit-wait", source="gang")),
    ("pod group is unschedulable", Hit(_SIBLING, source="gang")),
    ("optimistic rejection in PostFilter", Hit(_SIBLING, source=_COSCHEDULING)),
    ("rejection in Unreserve", Hit(_SIBLING, source=_COSCHEDULING)),
    ("can not find pod group", Hit(_NOT_READY, source=_COSCHEDULING)),
    ("PodGroup not found", Hit(_NOT_READY, source=_COSCHEDULING)),
    ("less than minAvailable", Hit(_NOT_READY, source=_COSCHEDULING)),
    ("global quota max exceeded", Hit(_QUOTA, source=_COSCHEDULING)),
    ("Gang not found", Hit(_NOT_READY, source=_KOORDINATOR)),
    ("job batch schedule failed", Hit(_SIBLING, source=_KOORDINATOR)),
    ("job bind failed", Hit(_SIBLING, source=_KOORDINATOR)),
    ("all nodes are unavailable", Hit(None, (says("all-nodes-unavailable"),), _VOLCANO)),
    ("plugin equivalence cache predicates failed", Hit(None, (says("as-the-equivalent-pod"),), _VOLCANO)),
    ("the CPU load of the node exceeds the upper limit", Hit("insufficient-cpu", (), _VOLCANO)),
    ("the memory load of the node exceeds the upper limit", Hit("insufficient-memory", (), _VOLCANO)),
    ("Not enough valid pods of each task for gang-scheduling", Hit(_NOT_READY, source=_VOLCANO)),
    ("Not enough valid subGroups of each task for gang-scheduling", Hit(_NOT_READY, source=_VOLCANO)),
    ("queue resource quota insufficient", Hit(_QUOTA, source=_VOLCANO)),
    ("resource in cluster is overused", Hit("insufficient-resources-unspecified", source=_VOLCANO)),
]
CAUSES = frozenset({_NOT_READY, "insufficient-resources-unspecified"})
"""Causes that only functions of this module name."""


def _names(facts: Facts, cause: str) -> str:
    words = (part.strip().split(" ")[-1] for part in facts["resources"].split(","))
    facts["resources"] = ",".join(words)
    return cause


def _queue_quota(facts: Facts) -> str:
    return _names(facts, _QUOTA)


def _cluster_overused(facts: Facts) -> str:
    return _names(facts, "insufficient-resources-unspecified")


def _group_status(facts: Facts) -> str:
    for part in facts.pop("counts").replace(";", ",").split(","):
        number, _, name = part.removeprefix(" Pending:").strip().partition(" ")
        if number.isdecimal() and name:
            facts[name] = number
    return _NOT_READY


_GANG: list[Rule] = [
    rule(r"waiting for pods's pod group \"?(?P<group>[^\"\s]+)\"? to appear in .*", _NOT_READY, source="gang"),
    rule(r"waiting for composite pod group \"?(?P<group>[^\"\s]+)\"? tree .*", _NOT_READY, source="gang"),
    rule(r"failed to build hierarchy snapshot: .*", _NOT_READY, source="gang"),
    rule(r"mincount \((?P<minCount>\d+)\) cannot be satisfied: \d+ scheduled, \d+ remaining", _SIBLING, source="gang"),
    rule(
        r"mincount \((?P<minCount>\d+)\) is not yet satisfied: \d+ scheduled, \d+ remaining", _NOT_READY, source="gang"
    ),
]
_SIG_SCHEDULING: list[Rule] = [
    rule(
        r"pre-filter pod (?P<pod>\S+) cannot find enough sibling pods, current pods number: (?P<pods>\d+),"
        r" minmember of group: (?P<minMember>\d+)",
        _NOT_READY,
        source=_COSCHEDULING,
    ),
    rule(r"pre-filter pod (?P<pod>\S+) cannot proceed due to gated pods .*", _NOT_READY, source=_COSCHEDULING),
    rule(r"podgroup (?P<group>\S+) failed recently", _SIBLING, source=_COSCHEDULING),
    rule(r"pod with pgname: (?P<group>\S+) last failed in (?P<within>\S+), deny", _SIBLING, source=_COSCHEDULING),
    rule(r"podgroup (?P<group>\S+) gets rejected due to .*", _SIBLING, source=_COSCHEDULING),
    rule(r"resource gap: .*", _NOT_READY, source=_COSCHEDULING),
    rule(
        r"pod (?P<pod>\S+) is rejected in prefilter because elasticquota (?P<quota>\S+) is more than max",
        _QUOTA,
        ("limit", "max"),
        source=_COSCHEDULING,
    ),
    rule(
        r"pod (?P<pod>\S+) is rejected in prefilter because total elasticquota used is more than min",
        _QUOTA,
        ("limit", "min"),
        source=_COSCHEDULING,
    ),
]
_KOORD: list[Rule] = [
    rule(
        r"insufficient (?:non-preemptible )?quotas, quotaname(?:topo)?: (?P<quota>[^,]+),.*",
        _QUOTA,
        source=_KOORDINATOR,
    ),
    rule(r"can't find gang, gangname: (?P<group>[^,]+),.*", _NOT_READY, source=_KOORDINATOR),
    rule(r"gang has not init, gangname: (?P<group>[^,]+),.*", _NOT_READY, source=_KOORDINATOR),
    rule(r"ganggroup .* basic check: .*", _NOT_READY, source=_KOORDINATOR),
    rule(r"gang \"?(?P<group>[^\"]+)\"? gets rejected due to .*", _SIBLING, source=_KOORDINATOR),
    rule(r"ganggroup \"?(?P<group>[^\"]+)\"? gets rejected due to .*", _SIBLING, source=_KOORDINATOR),
]
_VOLCANO_RULES: list[Rule] = [
    rule(
        r"plugin (?P<plugin>\S+) (?:memory usage )?(?:pre-)?predicates failed,? (?:because of )?(?!for task)"
        r"(?P<inner>.*)",
        None,
        source=_VOLCANO,
    ),
    rule(
        r"plugin (?P<plugin>\S+) predicates failed for task (?P<task>\S+) container (?P<container>\S+) on node"
        r" (?P<node>\S+)",
        "insufficient-resources-unspecified",
        source=_VOLCANO,
    ),
    rule(
        r"container (?P<container>\S+) cannot be assigned by numa",
        "insufficient-resources-unspecified",
        source=_VOLCANO,
    ),
    rule(r"device (?P<device>\S+) cannot fit task .*", "extended-resource-missing", source=_VOLCANO),
    rule(r"queue resource quota insufficient: (?P<resources>.*)", _queue_quota, source=_VOLCANO),
    rule(r"resource in cluster is overused: (?P<resources>.*)", _cluster_overused, source=_VOLCANO),
    rule(r"resource quota insufficient, requested: .*", "quota-exceeded", source=_VOLCANO),
    rule(r"pod group is not ready, (?P<counts>[^.]*)", _group_status, source=_VOLCANO),
    rule(r"job is not ready, (?P<counts>[^.]*)", _group_status, source=_VOLCANO),
    rule(
        r"not enough valid tasks for gang-scheduling, valid: (?P<valid>\d+), min: (?P<min>\d+)",
        _NOT_READY,
        source=_VOLCANO,
    ),
    rule(
        r"pod (?P<pod>\S+) can possibly be ass(?:ig|gi)ned to (?P<node>[^\s,]+)(?:, once (?P<once>.*))?",
        _NOT_READY,
        source=_VOLCANO,
    ),
    rule(r"task (?P<task>\S+) with role spec .* has already predicated failed, skip", _SIBLING, source=_VOLCANO),
    rule(r"(?:\[\w+\] )queue (?P<queue>\S+) not found", "queue-not-found", source=_VOLCANO),
    rule(r"queue (?P<queue>\S+) not found", "queue-not-found", source=_VOLCANO),
]

RULES: list[Rule] = [*_GANG, *_SIG_SCHEDULING, *_KOORD, *_VOLCANO_RULES]
