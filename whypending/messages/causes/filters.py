"""Reason texts of the in-tree filters but for taints, resources and storage: kube-scheduler 1.2 to 1.37.

Read in pkg/scheduler/framework/plugins/*/ of 1.16.15, 1.19.16, 1.24.17, 1.30.14, 1.34.2 and 1.37.2, and in
algorithm/predicates/error.go of 1.4.12, 1.5.8, 1.8.15, 1.9.11, 1.10.13, 1.12.10 and 1.14.10.
"""

from __future__ import annotations

from whypending.messages.causes.rules import Facts, Hit, Rule, rule, says

_BY_CAUSE: dict[str, tuple[str, ...]] = {
    "host-port-conflict": (
        "node(s) didn't have free ports for the requested pod ports",
        "PodFitsHostPorts",
        "PodFitsPorts",
    ),
    "node-selector-mismatch": (
        "node(s) didn't match Pod's node affinity/selector",
        "node(s) didn't match Pod's node affinity",
        "node(s) didn't match node selector",
        "node(s) didn't match scheduler-enforced node affinity",
        "node(s) didn't match service affinity",
        "node(s) didn't have the requested labels",
        "pod affinity terms conflict",
        "node is filtered out by the prefilter result",
        "MatchNodeSelector",
        "CheckNodeLabelPresence",
        "CheckServiceAffinity",
    ),
    "pod-affinity": ("node(s) didn't match pod affinity rules", "PodAffinityRulesNotMatch"),
    "pod-anti-affinity": (
        "node(s) didn't match pod anti-affinity rules",
        "node(s) didn't satisfy existing pods anti-affinity rules",
        "PodAntiAffinityRulesNotMatch",
        "ExistingPodsAntiAffinityRulesNotMatch",
    ),
    "topology-spread": ("node(s) didn't match pod topology spread constraints",),
    "node-cordoned": ("node(s) were unschedulable", "NodeUnschedulable"),
    "node-not-ready": (
        "node(s) were not ready",
        "node(s) had unavailable network",
        "node(s) had unknown conditions",
        "NodeNotReady",
        "NodeNetworkUnavailable",
        "NodeUnknownCondition",
    ),
    "node-memory-pressure": ("node(s) had memory pressure", "NodeUnderMemoryPressure"),
    "node-disk-pressure": (
        "node(s) had disk pressure",
        "node(s) were out of disk space",
        "NodeUnderDiskPressure",
        "NodeOutOfDisk",
    ),
    "node-pid-pressure": ("node(s) had pid pressure", "NodeUnderPIDPressure"),
    "node-feature-missing": ("node(s) didn't match Pod's required features",),
    "scheduling-gate-unresolved": ("Scheduling is blocked due to non-empty scheduling gates",),
    "pod-resize-pending": (
        "node had resize preemption disabled",
        "pod resize fits, waiting for Kubelet actuation",
        "pod assigned to different node",
    ),
}
_AMBIGUOUS = Hit("pod-anti-affinity", (("or", "pod-affinity"),))
_MISSING_LABEL = Hit("topology-spread", (("missing", "label"),))
_NODE_NAME = Hit("node-selector-mismatch", (("field", "spec.nodeName"),))

_BY_PLUGIN = {
    "nodeaffinity": "node-selector-mismatch",
    "nodename": "node-selector-mismatch",
    "volumebinding": "volume-node-affinity-conflict",
    "volumezone": "volume-zone-conflict",
    "nodevolumelimits": "max-volume-count",
    "nodeports": "host-port-conflict",
    "noderesourcesfit": "insufficient-resources-unspecified",
    "dynamicresources": "dra-claim-not-allocated",
    "interpodaffinity": "pod-affinity",
    "podtopologyspread": "topology-spread",
    "tainttoleration": "untolerated-taint",
    "nodedeclaredfeatures": "node-feature-missing",
}

CAUSES = frozenset({*_BY_CAUSE, *_BY_PLUGIN.values()})
"""Every cause that this module can name."""


def _by_plugins(facts: Facts) -> str | None:
    names = facts["plugins"].split()
    facts["plugins"] = ",".join(names)
    known = (_BY_PLUGIN.get(name.casefold()) for name in names)
    return next((cause for cause in known if cause), None)


def _by_gates(facts: Facts) -> str:
    facts["gates"] = ",".join(facts["gates"].split())
    return "scheduling-gate-unresolved"


TEXTS: list[tuple[str, Hit]] = [
    *((text, Hit(cause)) for cause, texts in _BY_CAUSE.items() for text in texts),
    ("node(s) didn't match pod affinity/anti-affinity", _AMBIGUOUS),
    ("node(s) didn't match pod affinity/anti-affinity rules", _AMBIGUOUS),
    ("MatchInterPodAffinity", _AMBIGUOUS),
    ("node(s) didn't match pod topology spread constraints (missing required label)", _MISSING_LABEL),
    ("node(s) didn't match the requested node name", _NODE_NAME),
    ("node(s) didn't match the requested hostname", _NODE_NAME),
    ("HostName", _NODE_NAME),
]

RULES: list[Rule] = [
    rule(r"node\(s\) didn't satisfy plugin\(s\) \[(?P<plugins>[^\]]+)\](?: simultaneously)?", _by_plugins),
    rule(r"node\(s\) didn't satisfy plugin (?P<plugins>\S+)", _by_plugins),
    rule(r"waiting for scheduling gates: \[(?P<gates>[^\]]*)\]", _by_gates),
    rule(r"pod \((?P<pod>\S+)\) failed to fit in any node", None, says("no-node-fits")),
    rule(r"predicate (?P<inner>\S+) failed", None, needs_inner=True),
]
