"""Texts from the rest of a scheduling cycle: PostFilter, Reserve, Permit, PreBind, Bind, extenders, DRA.

Read in pkg/scheduler (schedule_one.go, extender.go, framework/preemption, framework/runtime,
plugins/defaultpreemption, plugins/dynamicresources, backend/cache) of 1.16.15 to 1.37.2 and in
k8s.io/dynamic-resource-allocation 0.37.2; the "PodSchedulingContext" texts are of 1.26 to 1.31.
"""

from __future__ import annotations

from whypending.messages.causes.rules import Facts, Hit, Rule, rule, says

_BY_CAUSE: dict[str, tuple[str, ...]] = {
    "preemption-not-possible": (
        "No preemption victims found for incoming pod",
        "No preemption victims found for incoming preemptor",
        "No victims found on node",
        "Preemption is not helpful for scheduling",
        "not eligible due to preemptionPolicy=Never",
        "no candidate node for preemption",
        "no feasible placements found",
    ),
    "preemption-in-progress": (
        "not eligible due to a terminating pod on the nominated node",
        "waiting for the preemption for this pod to be finished",
        "waiting for the preemption for this pod group to be finished",
        "ongoing preemption on nominated nodes",
    ),
    "no-nodes": ("no nodes available to schedule pods", "0 nodes are available", "0/0 nodes are available"),
    "scheduler-internal-error": (
        "node not found",
        "invalid nodeInfo",
        "All PostFilter plugins are skipped",
        "skip schedule",
    ),
    "dra-claim-not-allocated": (
        "resourceclaim in use",
        "resourceclaim must be reallocated",
        "unallocated immediate resourceclaim",
        "cannot allocate all claims",
        "resourceclaim not available on the node",
        "resourceclaim cannot be allocated for the node (unsuitable)",
        "excluded by resource class node filter",
        "waiting for resource driver to allocate resource",
        "waiting for resource driver to provide information",
        "ResourceClaim not created yet",
        "invalid resource pools were encountered",
        "allocation max size exceeded",
    ),
    "feature-gate-mismatch": (
        "Pod has a restartable init container and the SidecarContainers feature is disabled",
        "generic workload feature is disabled, cannot perform PodGroupPostFilter",
    ),
    "extended-resource-missing": ("cannot schedule extended resource claim", "cannot fit resource"),
}
_POST_FILTER = (
    "no new claims to deallocate",
    "still not schedulable",
    "plugin disabled",
    "deallocation of ResourceClaim completed",
    "deletion of ResourceClaim completed",
    "deallocation and deletion of ResourceClaims completed",
    "deallocation of PodGroup ResourceClaim completed",
    "ResourceClaim unreserved for PodGroup",
)

TEXTS: list[tuple[str, Hit]] = [
    *((text, Hit(cause)) for cause, texts in _BY_CAUSE.items() for text in texts),
    *((text, Hit(None, (says("resource-claim-clean-up"),))) for text in _POST_FILTER),
]
CAUSES = frozenset({*_BY_CAUSE, "gang-not-ready", "permit-wait"})
"""Every cause that this module can name but for those of its rules."""

_PHASES = {
    name.casefold(): name
    for name in ("PreFilter", "Filter", "PostFilter", "PreScore", "Score", "Reserve", "Permit", "PreBind", "Bind")
}
_GANG_PLUGINS = ("coscheduling", "gangscheduling", "gang", "batchscheduling")
_FRAMEWORK = "framework-error"
_EXTENDER = "extender"
_QUOTED = r'"?(?P<plugin>[^"\s:]+)"?'
_CLAIM = r'"?(?P<claim>[^"\s:,]+)"?'
_DRA = "dra-claim-not-allocated"


def _permit(facts: Facts) -> str:
    return "gang-not-ready" if facts.get("waitedAt", "").casefold() in _GANG_PLUGINS else "permit-wait"


def _framework(facts: Facts) -> str:
    if "phase" in facts:
        facts["phase"] = _PHASES.get(facts["phase"].casefold(), facts["phase"])
    return "scheduler-internal-error"


_WRAPPERS: list[Rule] = [
    rule(
        rf"running (?P<phase>PreFilter|PreScore|Score|Reserve|Permit|PreBind|Bind) plugin {_QUOTED}: (?P<inner>.*)",
        _framework,
        source=_FRAMEWORK,
    ),
    rule(
        rf'running {_QUOTED} (?P<phase>\w+) plugin(?: for pod "[^"]*")?: (?P<inner>.*)',
        _framework,
        source=_FRAMEWORK,
    ),
    rule(
        rf'error while running (?:Reserve in )?{_QUOTED} (?P<phase>\w+) plugin for pod "[^"]*": (?P<inner>.*)',
        _framework,
        source=_FRAMEWORK,
    ),
    rule(
        rf'plugin {_QUOTED} failed (?:to bind pod "[^"]*"|with): (?P<inner>.*)',
        _framework,
        source=_FRAMEWORK,
    ),
    rule(
        rf'(?P<phase>prefilter|bind) plugin {_QUOTED} failed (?:for|to bind) pod "[^"]*": (?P<inner>.*)',
        _framework,
        source=_FRAMEWORK,
    ),
    rule(rf'rejected pod "[^"]*" by permit plugin {_QUOTED}: (?P<inner>.*)', "permit-wait", source=_FRAMEWORK),
    rule(rf"rejected by {_QUOTED} at (?P<phase>\w+): (?P<inner>.*)", _framework, source=_FRAMEWORK),
    rule(r'pod "[^"]*" rejected while waiting on permit: (?P<inner>.*)', "permit-wait", source=_FRAMEWORK),
    rule(r"rejected while waiting at permit: (?P<inner>.*)", "permit-wait", source=_FRAMEWORK),
    rule(r"waiting on permit for pod: (?P<inner>.*)", "permit-wait", source=_FRAMEWORK),
    rule(
        r"rejected due to timeout after waiting (?P<waited>\S+) at plugin (?P<waitedAt>\S+)",
        _permit,
        source="coscheduling",
    ),
    rule(
        r'pod "[^"]*" rejected due to timeout after waiting (?P<waited>\S+) at permit', "permit-wait", source=_FRAMEWORK
    ),
    rule(r"one or more plugins asked to wait and no plugin rejected pod .*", "permit-wait", source=_FRAMEWORK),
    rule(r"assumepod(?:volumes)? failed: .*", "scheduler-internal-error", source=_FRAMEWORK),
    rule(r"binding rejected: (?P<inner>.*)", "scheduler-internal-error", ("phase", "Bind"), source=_FRAMEWORK),
    rule(r"pod \S+ is in the cache, so can't be assumed", "scheduler-internal-error", source=_FRAMEWORK),
    rule(r"skip schedule deleting pod: (?P<pod>\S+)", None, says("pod-being-deleted"), source=_FRAMEWORK),
    rule(r'profile not found for scheduler name "?(?P<scheduler>[^"\s]+)"?', "scheduler-profile-missing"),
]
_PREEMPTION: list[Rule] = [
    rule(r"no victims found on node (?P<node>\S+) for preemptor pod \S+", "preemption-not-possible"),
    rule(
        r"found a (?:potential )?placement for pod(?:group)?(?: on node (?P<node>[^\s,]+))?,"
        r" preempting (?P<victims>\d+) victims",
        "preemption-in-progress",
    ),
]
_EXTENDERS: list[Rule] = [
    rule(
        r'post "?(?P<extender>https?://[^"\s]+?)"?: (?P<error>.*)', "scheduler-extender-unreachable", source=_EXTENDER
    ),
    rule(
        r"failed (?P<verb>\S+) with extender at url (?P<extender>\S+?), code (?P<code>\d+)",
        "scheduler-extender-unreachable",
        source=_EXTENDER,
    ),
    rule(r'extender "?(?P<extender>[^"\s]+)"? claims .*', "scheduler-internal-error", source=_EXTENDER),
]
_RESOURCE_CLAIMS: list[Rule] = [
    rule(rf"resourceclaim(?:s\.resource\.k8s\.io)? {_CLAIM} not found", _DRA, ("missing", "ResourceClaim")),
    rule(rf"resourceclaim {_CLAIM} is being deleted", _DRA, ("state", "being-deleted")),
    rule(rf"resourceclaim {_CLAIM} was not created for pod .*", _DRA),
    rule(r'pod(?:group)? "?[^"\s]+"?: resourceclaim not created yet', _DRA, ("missing", "ResourceClaim")),
    rule(rf"resource claim {_CLAIM} is in the process of being allocated", _DRA),
    rule(r"resource class (?P<deviceClass>\S+) does not exist", _DRA, ("missing", "ResourceClass")),
    rule(
        r"request (?P<request>\S+): device class (?P<deviceClass>\S+) does not exist", _DRA, ("missing", "DeviceClass")
    ),
    rule(
        r"(?:resource )?claim (?P<claim>[^\s,]+), (?:sub)?request (?P<request>[^\s:]+): .* but the"
        r" (?P<feature>\w+) feature is disabled",
        "feature-gate-mismatch",
    ),
    rule(
        r"(?:resource )?claim (?P<claim>[^\s,]+) allocation requires (?P<feature>\w+) feature on the node",
        "feature-gate-mismatch",
    ),
    rule(r"claim (?P<claim>[^\s,]+), request (?P<request>[^\s:,]+)[:,] .*", _DRA),
    rule(r"(?:node \S+: )?timed out trying to allocate devices", _DRA),
    rule(r"device binding (?:timeout|failed)(?:: .*?claim=(?P<claim>[^\s,]+).*)?", _DRA, ("phase", "PreBind")),
    rule(r"(?:generated )?(?:class|claim) parameters .* not found", _DRA),
]

RULES: list[Rule] = [*_WRAPPERS, *_PREEMPTION, *_EXTENDERS, *_RESOURCE_CLAIMS]
