"""Resources by name: which cause a shortage of each is.

Wordings: kube-scheduler 1.2 to 1.37 (NodeResourcesFit, "Insufficient X"), KAI-Scheduler (2026-03)
("node(s) didn't have enough resources: X"), Koordinator 1.8 ("Insufficient GPU Devices").
"""

from __future__ import annotations

from whypending.messages.causes.rules import Facts, Hit, Rule, rule

_BY_NAME = {
    "cpu": "insufficient-cpu",
    "vcore": "insufficient-cpu",
    "cpu cores": "insufficient-cpu",
    "amplified cpu": "insufficient-cpu",
    "memory": "insufficient-memory",
    "ephemeral-storage": "insufficient-ephemeral-storage",
    "storage": "insufficient-ephemeral-storage",
    "pods": "too-many-pods",
    "podcount": "too-many-pods",
    "numa node resources": "insufficient-resources-unspecified",
}

CAUSES = frozenset({*_BY_NAME.values(), "max-volume-count", "extended-resource-missing"})
"""Every cause that a shortage of a named resource can be."""


def cause_of_resource(name: str) -> str:
    """The cause that a shortage of this resource is; every name but the built-in ones is an extended resource."""
    name = name.casefold()
    if name.startswith("attachable-volumes-"):
        return "max-volume-count"
    return _BY_NAME.get(name, "extended-resource-missing")


def by_resource(facts: Facts) -> str:
    """The cause by the fact `resource`."""
    return cause_of_resource(facts["resource"])


TEXTS: list[tuple[str, Hit]] = [
    ("Too many pods", Hit("too-many-pods")),
    ("node(s) pod number exceeded", Hit("too-many-pods", source="volcano")),
    ("PodExceedsMaxPodNumber", Hit("too-many-pods")),
    ("PodFitsResources", Hit("insufficient-resources-unspecified")),
    ("node(s) resource fit failed", Hit("insufficient-resources-unspecified", source="volcano")),
    ("insufficient resources on NUMA Node", Hit("insufficient-resources-unspecified", source="koordinator")),
    ("Not enough resources due to pod overhead resources", Hit("insufficient-resources-unspecified", source="kai")),
]

RULES: list[Rule] = [
    rule(r"insufficient (?P<resource>\S+) by (?:node|reservation)", by_resource, source="koordinator"),
    rule(
        r"insufficient (?P<resource>(?:amplified cpu|(?:\S+ ){1,4}(?:devices?|VirtualFunctions)))",
        by_resource,
        source="koordinator",
    ),
    rule(r"insufficient (?P<resource>\S+)", by_resource),
    rule(r"node\(s\) insufficient (?P<resource>numa node resources|primary device)", by_resource, source="koordinator"),
    rule(
        r"node didn't have enough resources?: (?P<resource>[^,]+)"
        r"(?:, requested: (?P<requested>[^,]+), used: (?P<used>[^,]+), capacity: (?P<capacity>[^,]+)"
        r"|, taking all considerations into account)?",
        by_resource,
    ),
    rule(
        r"(?:node|node-group)\(s\) didn't have enough (?:of mig profile|resources): (?P<resource>[^.,]+)(?:\..*)?",
        by_resource,
        source="kai",
    ),
]
