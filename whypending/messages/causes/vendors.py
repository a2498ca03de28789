"""YuniKorn, KAI, HAMi, Koordinator's other filters, Fargate: texts that stand alone or among counted reasons.

Read in yunikorn-core and yunikorn-k8shim (2026-08: objects/application.go, objects/events/ask_events.go,
scheduler.go, cache/application.go, cache/context.go, cache/task.go); KAI-Scheduler (2026-03:
pkg/scheduler/api/unschedule_info.go, common_info/*_errors.go, actions/common/allocate.go); HAMi (2026-08:
pkg/device/common, pkg/scheduler); Koordinator (2026-07: plugins/reservation, deviceshare, loadaware). Fargate's source
is closed: its texts are from kubernetes-sigs/aws-efs-csi-driver#589, aws/containers-roadmap#1382 and #1890,
freegroup/kube-s3#14, awsdocs/amazon-eks-user-guide#262 and clowdhaus/eks-reference-architecture#12.
"""

from __future__ import annotations

from whypending.messages.causes.resources import by_resource
from whypending.messages.causes.rules import Facts, Hit, Rule, rule, says

_YUNIKORN, _KAI, _HAMI, _KOORDINATOR, _FARGATE = "yunikorn", "kai", "hami", "koordinator", "fargate"
_QUOTA = "queue-quota-exhausted"
_DEVICE = "extended-resource-missing"
_UNSPECIFIED = "insufficient-resources-unspecified"

_HAMI_REASONS = (
    "CardTypeMismatch",
    "CardUuidMismatch",
    "CardTimeSlicingExhausted",
    "CardComputeUnitsExhausted",
    "CardInsufficientMemory",
    "CardInsufficientCore",
    "CardNotHealth",
    "CardUnhealthy",
    "CardCordoned",
    "CardNotFoundCustomFilterRule",
    "CardMigTopologyInfeasible",
    "CardQosPolicyMismatch",
    "CardAppClassMismatch",
    "NumaNotFit",
    "ModeNotFit",
    "ExclusiveDeviceAllocateConflict",
    "NodeInsufficientDevice",
    "AllocatedCardsInsufficientRequest",
    "NodeUnfitPod",
    "ResourceQuotaNotFit",
    "node unregistered",
    "node usage unavailable",
)
_KOORDINATOR_RESERVATION = (
    "node(s) no reservation(s) to meet the requirements",
    "node(s) no reservations match reservation affinity",
    "node(s) didn't match the nodeName specified by reservation",
    "node(s) reservation allocate policy conflict",
    "node(s) preemption failed due to insufficient resources",
    "no nominated reservation",
)

TEXTS: list[tuple[str, Hit]] = [
    ("Not enough user quota", Hit(_QUOTA, (("limit", "user"),), _YUNIKORN)),
    ("Not enough queue quota", Hit(_QUOTA, source=_YUNIKORN)),
    ("request is waiting for cluster resources become available", Hit(_UNSPECIFIED, source=_YUNIKORN)),
    ("application rejected: no placement rule matched", Hit("queue-not-found", source=_YUNIKORN)),
    *(
        (text, Hit("preemption-not-possible", source=_YUNIKORN))
        for text in (
            "Preemption does not help",
            "Preemption preconditions failed",
            "Preemption queue guarantees check failed",
            "Preemption helped but short of resources",
            "Preemption max attempts exhausted",
            "No fit on required node, preemption does not help",
        )
    ),
    ("no nodes with enough resources were found", Hit(_UNSPECIFIED, source=_KAI)),
    ("Not enough resources for the workload", Hit(_UNSPECIFIED, source=_KAI)),
    ("Unable to schedule pod", Hit(None, (says("cannot-schedule"),), _KAI)),
    ("Unable to schedule podgroup", Hit(None, (says("cannot-schedule"),), _KAI)),
    *((text, Hit(_DEVICE, source=_HAMI)) for text in _HAMI_REASONS),
    *((text, Hit(_UNSPECIFIED, source=_KOORDINATOR)) for text in _KOORDINATOR_RESERVATION),
    ("node(s) nodeMetric expired", Hit("node-not-ready", source=_KOORDINATOR)),
    ("node(s) missing NUMA resources", Hit(_UNSPECIFIED, source=_KOORDINATOR)),
    ("node(s) Device Joint-Allocate rules violation", Hit(_DEVICE, source=_KOORDINATOR)),
]
CAUSES = frozenset({"elastic-quota-exceeded", _UNSPECIFIED, _DEVICE})
"""Causes that only functions of this module name."""


def _kai_limit(facts: Facts) -> str:
    return "elastic-quota-exceeded" if facts["resource"] else _UNSPECIFIED


_YUNIKORN_RULES: list[Rule] = [
    rule(r"task (?P<task>\S+) is skipped from scheduling because the queue quota .*", _QUOTA, source=_YUNIKORN),
    rule(r"task (?P<task>\S+) is pending for the requested resources .*", _UNSPECIFIED, source=_YUNIKORN),
    rule(r"task (?P<task>\S+) is rejected by the scheduler", "queue-not-permitted", source=_YUNIKORN),
    rule(r"request '(?P<request>[^']*)' does not fit in queue '(?P<queue>[^']*)'.*", _QUOTA, source=_YUNIKORN),
    rule(
        r"request '(?P<request>[^']*)' exceeds the available user quota.*", _QUOTA, ("limit", "user"), source=_YUNIKORN
    ),
    rule(
        r"unschedulable request '(?P<request>[^']*)' with required node '(?P<node>[^']*)', no preemption victim found",
        "preemption-not-possible",
        source=_YUNIKORN,
    ),
    rule(
        r"application (?P<application>\S+) scheduling failed, reason: (?P<inner>.*)",
        "queue-not-permitted",
        source=_YUNIKORN,
    ),
    rule(r"applicationrejected: ?(?P<inner>.*)", "queue-not-permitted", source=_YUNIKORN),
    rule(r"failed to place application (?P<application>\S+): (?P<inner>.*)", "queue-not-found", source=_YUNIKORN),
    rule(r"failed to find queue (?P<queue>\S+) for application \S+", "queue-not-found", source=_YUNIKORN),
    rule(r"submit access to queue (?P<queue>\S+) denied .*", "queue-not-permitted", source=_YUNIKORN),
    rule(r"queue (?P<queue>\S+) cannot fit application .*", _QUOTA, source=_YUNIKORN),
    rule(r"scheduling has timed out due to insufficient resources", "gang-not-ready", source=_YUNIKORN),
    rule(r"application (?P<application>\S+) placeholder has been timed out", "gang-not-ready", source=_YUNIKORN),
    rule(r"application (?P<application>\S+) placeholder timeout exceeded, .*", "gang-not-ready", source=_YUNIKORN),
    rule(
        r"application (?P<application>\S+) (?:creating placeholders|placeholder has been allocated|all .*"
        r"|resuming .*|fall back .*)",
        None,
        says("gang-progress"),
        source=_YUNIKORN,
    ),
    rule(r"(?P<task>\S+) is queued and waiting for allocation", None, says("queued"), source=_YUNIKORN),
    rule(
        r"pod belongs to the taskgroup (?P<group>\S+), it will be scheduled as a gang member",
        None,
        says("gang-member"),
        source=_YUNIKORN,
    ),
]
_KAI_RULES: list[Rule] = [
    rule(
        r"resources were found for (?P<found>\d+) pods while (?P<required>\d+) are required for gang scheduling",
        "gang-sibling-unschedulable",
        source=_KAI,
    ),
    rule(
        r"resources were found for (?P<found>\d+) pods from all sub-groups while sub-group (?P<group>\S+) requires"
        r" (?P<required>\d+) pods for gang scheduling",
        "gang-sibling-unschedulable",
        source=_KAI,
    ),
    rule(r"(?P<queue>\S+) quota has reached the allowable limit of (?P<resource>[^.]+)\..*", _kai_limit, source=_KAI),
    rule(
        r"non-preemptible workload is over quota\. workload requested [\d.]+ (?P<resource>gpus|cpu cores|gb memory),"
        r" but (?P<queue>\S+) quota .*",
        "elastic-quota-exceeded",
        source=_KAI,
    ),
    rule(r"queue '(?P<queue>[^']*)' does not exist", "queue-not-found", source=_KAI),
    rule(r"job is not ready for scheduling.*", "gang-not-ready", source=_KAI),
    rule(r"job is stale\..*", "gang-not-ready", source=_KAI),
    rule(r"requested topology (?P<topology>\S+) does not exist", "topology-spread", source=_KAI),
    rule(r"not enough resources in (?P<domain>.+) to allocate the job", _UNSPECIFIED, source=_KAI),
    rule(
        r"(?:maxnodepoolresources: )?the pod \S+ requires .* no node in the \S+ node-pool has (?P<resource>\S+)"
        r" resources",
        by_resource,
        source=_KAI,
    ),
    rule(
        r"(?:maxnodepoolresources: )?the pod \S+ requires .* max (?P<resource>.+) resources available in a single node"
        r" in the .*",
        by_resource,
        source=_KAI,
    ),
    rule(r"(?P<phase>maxnodepoolresources): (?P<inner>.*)", _UNSPECIFIED, source=_KAI),
    rule(r"(?P<plugin>[A-Z]\w+): (?P<inner>\S.*)", None, source=_KAI, needs_inner=True),
    rule(r"missing required configmaps: \[?(?P<configMaps>[^\]]*)\]?", "configmap-missing", source=_KAI),
    rule(r"node does not have enough capacity\. reason: (?P<inner>.*)", "elastic-quota-exceeded", source=_KAI),
    rule(r"failed to bind pod \S+ to node (?P<node>\S+?)\. .*", "scheduler-internal-error", source=_KAI),
]
_HAMI_RULES: list[Rule] = [
    rule(r"no available node, (?:\d+ nodes|all node scores) do not meet", _DEVICE, source=_HAMI),
    rule(r"\d{1,9}/\d{1,9} \w+(?:, \d{1,9}/\d{1,9} \w+)*", _DEVICE, source=_HAMI),
    rule(
        r"(?P<kind>Card\w+|Numa\w+|Node\w+|Mode\w+|Allocated\w+|Exclusive\w+|ResourceQuotaNotFit)\((?P<nodes>[^()]*)\)",
        _DEVICE,
        source=_HAMI,
    ),
]
_KOORDINATOR_RULES: list[Rule] = [
    rule(r"node\(s\) (?P<resource>\S+) (?:aggregated )?usage exceed threshold", by_resource, source=_KOORDINATOR),
]
_UNSUPPORTED = "platform-unsupported-pod-spec"
_FARGATE_RULES: list[Rule] = [
    rule(r"pod not supported on fargate: (?P<inner>.*)", _UNSUPPORTED, source=_FARGATE),
    rule(r"fields not supported: (?P<fields>.*)", _UNSUPPORTED, source=_FARGATE),
    rule(r"invalid securitycontext fields: (?P<fields>.*)", _UNSUPPORTED, source=_FARGATE),
    rule(r"volumes not supported: persistence not supported because: (?P<inner>.*)", _UNSUPPORTED, source=_FARGATE),
    rule(r"volumes not supported: (?P<volumes>.*)", _UNSUPPORTED, source=_FARGATE),
    rule(r"port contains hostip or hostport", _UNSUPPORTED, ("fields", "hostIP,hostPort"), source=_FARGATE),
    rule(r"fargate is not supported in the requested availability zone: (?P<zone>\S+)", _UNSUPPORTED, source=_FARGATE),
    rule(r"misconfigured fargate profile: .*", _UNSUPPORTED, ("field", "fargate-profile"), source=_FARGATE),
    rule(r"fargate capacity is unavailable .*", _UNSPECIFIED, source=_FARGATE),
    rule(r"your aws account .*", _UNSPECIFIED, ("limit", "account"), source=_FARGATE),
    rule(r"pod provisioning timed out .*", _UNSPECIFIED, ("state", "timed-out"), source=_FARGATE),
]

RULES: list[Rule] = [
    *_YUNIKORN_RULES,
    *_HAMI_RULES,
    *_KOORDINATOR_RULES,
    *_FARGATE_RULES,
    *_KAI_RULES,
]
