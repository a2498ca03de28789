"""Autoscalers and Kueue: texts about Pods that some other component would have to let in or make room for.

Read in cluster-autoscaler 1.12 to 1.36.1 (core/scaleup, processors/status); Karpenter 0.30 to 1.14
(2026-08: provisioning/scheduling/{scheduler,nodeclaim,topology,events}.go, scheduling/{taints,requirements}.go);
Kueue (2026-08: scheduler/flavorassigner, scheduler.go, controller/core, cache/scheduler/tas_flavor_snapshot.go).
"""

from __future__ import annotations

from whypending.messages.causes.rules import Facts, Hit, Rule, rule, says
from whypending.messages.causes.taints import cause_of_taint

_AUTOSCALER, _KARPENTER, _KUEUE = "cluster-autoscaler", "karpenter", "kueue"
_NO_SCALE_UP = "autoscaler-no-scale-up"
_INCOMPATIBLE = "karpenter-incompatible"
_QUOTA = "queue-quota-exhausted"
_NOT_PERMITTED = "queue-not-permitted"
_SUSPENDED = "job-suspended-by-queue"

TEXTS: list[tuple[str, Hit]] = [
    *(
        (text, Hit(_NO_SCALE_UP, source=_AUTOSCALER))
        for text in (
            "pod didn't trigger scale-up",
            "pod didn't trigger scale-up (it wouldn't fit if a new node is added)",
            "max node group size reached",
            "max limit reached",
            "in backoff after failed scale-up",
            "not ready for scale-up",
            "max total nodes in cluster reached",
            "not all pods would fit and scale-up is using all-or-nothing strategy",
            "expansion options filtered out and no longer considered",
            "scale-up execution failed",
            "atomic scale-up exceeds cluster node count limit",
        )
    ),
    ("no nodepools found", Hit(_INCOMPATIBLE, (("why", "no-nodepool"),), _KARPENTER)),
    ("no dynamic nodepools found", Hit(_INCOMPATIBLE, (("why", "no-nodepool"),), _KARPENTER)),
    (
        "nodepool requirements filtered out all available instance types",
        Hit(_INCOMPATIBLE, (("why", "node-selector-mismatch"),), _KARPENTER),
    ),
    ("workload namespace doesn't match ClusterQueue selector", Hit(_NOT_PERMITTED, source=_KUEUE)),
    ("Workload namespace doesn't match ClusterQueue selector", Hit(_NOT_PERMITTED, source=_KUEUE)),
    ("The workload is deactivated", Hit(_SUSPENDED, source=_KUEUE)),
    ("The workload has failed admission checks", Hit(_SUSPENDED, source=_KUEUE)),
    ("The workload has no reservation", Hit(_QUOTA, source=_KUEUE)),
    ("The workload has not all checks ready", Hit(_SUSPENDED, source=_KUEUE)),
    ("The workload has no reservation and not all checks ready", Hit(_QUOTA, source=_KUEUE)),
    ("Kueue managed child job suspended", Hit(_SUSPENDED, source=_KUEUE)),
    ("Workload no longer fits after processing another workload", Hit(_QUOTA, source=_KUEUE)),
    ("Workload has overlapping preemption targets with another workload", Hit(_QUOTA, source=_KUEUE)),
    ("Workload is pending evaluation in the scheduling queue", Hit(_QUOTA, source=_KUEUE)),
    ("Workload requires preemption, but it's gated", Hit(_QUOTA, source=_KUEUE)),
    ("The LocalQueue is stopped", Hit(_NOT_PERMITTED, (("state", "stopped"),), _KUEUE)),
    ("The ClusterQueue is stopped", Hit(_NOT_PERMITTED, (("state", "stopped"),), _KUEUE)),
    ("LocalQueue is stopped", Hit(_NOT_PERMITTED, (("state", "stopped"),), _KUEUE)),
]
CAUSES = frozenset({_INCOMPATIBLE})
"""Causes that only functions of this module name."""


def _karpenter_taint(facts: Facts) -> str:
    facts["why"] = cause_of_taint(facts["taint.key"])
    return _INCOMPATIBLE


def _kueue_taint(facts: Facts) -> str:
    return cause_of_taint(facts["taint.key"])


_TAINT = r"(?P<taint__key>[^\s=:(){}]+)(?:=(?P<taint__value>[^\s:()]*))?(?::(?P<taint__effect>\w+))?"
_POOL = r"\"?(?P<nodepool>[^\"\s,;()]+)\"?"

_AUTOSCALER_RULES: list[Rule] = [
    rule(r"max cluster (?P<resources>.+) limit reached", _NO_SCALE_UP, source=_AUTOSCALER),
    rule(
        r"cannot create any node; max limit for resource (?P<resources>\S+) reached", _NO_SCALE_UP, source=_AUTOSCALER
    ),
    rule(r"exceeded quota: \"?(?P<quota>[^\"\s,]+)\"?, resources: (?P<resources>.*)", _NO_SCALE_UP, source=_AUTOSCALER),
    rule(r"pod didn't trigger scale-up.*", _NO_SCALE_UP, source=_AUTOSCALER),
    rule(r"pod triggered scale-up: .*", None, says("scale-up-triggered"), source=_AUTOSCALER),
]
_KARPENTER_RULES: list[Rule] = [
    rule(
        rf"incompatible with (?:nodepool|provisioner) {_POOL}, daemonset overhead=\{{[^{{}}]*\}}, (?P<inner>.*)",
        _INCOMPATIBLE,
        source=_KARPENTER,
        own=True,
    ),
    rule(
        rf"incompatible with (?:nodepool|provisioner) {_POOL}, (?P<inner>.*)",
        _INCOMPATIBLE,
        source=_KARPENTER,
        own=True,
    ),
    rule(rf"did not tolerate taint \(taint={_TAINT}\)", _karpenter_taint, source=_KARPENTER),
    rule(rf"did not tolerate {_TAINT}", _karpenter_taint, source=_KARPENTER),
    rule(
        r"incompatible (?:dynamic resource )?requirements, (?P<inner>.*)",
        _INCOMPATIBLE,
        ("why", "node-selector-mismatch"),
        source=_KARPENTER,
    ),
    rule(
        r"incompatible volume requirements, .*",
        _INCOMPATIBLE,
        ("why", "volume-node-affinity-conflict"),
        source=_KARPENTER,
    ),
    rule(
        r"label \"?(?P<label>[^\"\s]+)\"? does not have known values.*",
        _INCOMPATIBLE,
        ("why", "node-selector-mismatch"),
        source=_KARPENTER,
    ),
    rule(r"key (?P<label>[^\s,]+), .* not in .*", _INCOMPATIBLE, ("why", "node-selector-mismatch"), source=_KARPENTER),
    rule(
        r"unsatisfiable topology constraint for (?P<constraint>[^,]+), key=(?P<topologyKey>[^\s(]+).*",
        _INCOMPATIBLE,
        ("why", "topology"),
        source=_KARPENTER,
    ),
    rule(
        r"no instance type (?:has enough resources|satisfied resources).*",
        _INCOMPATIBLE,
        ("why", "insufficient-resources-unspecified"),
        source=_KARPENTER,
    ),
    rule(r"no instance type .*", _INCOMPATIBLE, ("why", "instance-types"), source=_KARPENTER),
    rule(
        r"all available instance types exceed limits for nodepool:? \(?(?:NodePool=)?[\"']?(?P<nodepool>[^\"'\s()]+)"
        r"[\"']?\)?",
        _INCOMPATIBLE,
        ("why", "nodepool-limit"),
        source=_KARPENTER,
    ),
    rule(
        r"node limits have been exhausted for nodepool:? \(?(?:NodePool=)?[\"']?(?P<nodepool>[^\"'\s()]+)[\"']?\)?",
        _INCOMPATIBLE,
        ("why", "nodepool-limit"),
        source=_KARPENTER,
    ),
    rule(r"checking host port usage, .*", _INCOMPATIBLE, ("why", "host-port-conflict"), source=_KARPENTER),
    rule(r"failed to validate pvc, .*", _INCOMPATIBLE, ("why", "pvc-unbound"), source=_KARPENTER),
    rule(
        r"configured to not run on a karpenter provisioned node.*",
        _INCOMPATIBLE,
        ("why", "nodepool-refused"),
        source=_KARPENTER,
    ),
    rule(
        r"pod has dynamic resource allocation requirements that are not yet supported .*",
        _INCOMPATIBLE,
        ("why", "dra"),
        source=_KARPENTER,
    ),
    rule(
        r"pod didn't schedule because nodepool couldn't meet minvalues requirements.*",
        _INCOMPATIBLE,
        ("why", "instance-types"),
        source=_KARPENTER,
    ),
    rule(r"pod should schedule on: .*", None, says("nominated"), source=_KARPENTER),
]
_KUEUE_RULES: list[Rule] = [
    rule(
        r"insufficient unused quota for (?P<resource>\S+) in flavor (?P<flavor>[^\s,]+)"
        r"(?:, (?P<needed>\S+) more needed)?",
        _QUOTA,
        source=_KUEUE,
    ),
    rule(
        r"insufficient unused quota in cohort for (?P<resource>\S+) in flavor (?P<flavor>[^\s,]+)"
        r"(?:, (?P<needed>\S+) more needed)?",
        _QUOTA,
        source=_KUEUE,
    ),
    rule(
        r"insufficient quota for (?P<resource>\S+) in flavor (?P<flavor>[^\s,]+).*",
        _QUOTA,
        ("limit", "maximum-capacity"),
        source=_KUEUE,
    ),
    rule(r"resource (?P<resource>\S+) unavailable in ClusterQueue", _QUOTA, ("limit", "not-offered"), source=_KUEUE),
    rule(
        r"untolerated taint \{(?P<taint__key>\S+) (?P<taint__value>\S*) (?P<taint__effect>\S+) \S+\} in flavor"
        r" (?P<flavor>\S+)",
        _kueue_taint,
        source=_KUEUE,
    ),
    rule(r"flavor (?P<flavor>\S+) doesn't match node affinity", "node-selector-mismatch", source=_KUEUE),
    rule(r"flavor (?P<flavor>\S+) not found", "queue-not-found", ("missing", "ResourceFlavor"), source=_KUEUE),
    rule(r"(?:skipping flavor|could not assign) (?P<flavor>\S+) .*", None, says("flavor-skipped"), source=_KUEUE),
    rule(
        r"topology \"?(?P<topology>[^\"\s]+)\"? (?:doesn't allow to fit|allows to fit only).*",
        "insufficient-resources-unspecified",
        source=_KUEUE,
    ),
    rule(r"no (?:requested topology level|topology domains at level).*", "node-selector-mismatch", source=_KUEUE),
    rule(
        r"localqueue (?P<queue>\S+) (?:doesn't exist|not found|is terminating or missing)",
        "queue-not-found",
        ("kind", "LocalQueue"),
        source=_KUEUE,
    ),
    rule(
        r"clusterqueue (?P<queue>\S+) (?:doesn't exist|not found|is terminating or missing)",
        "queue-not-found",
        ("kind", "ClusterQueue"),
        source=_KUEUE,
    ),
    rule(
        r"localqueue (?P<queue>\S+) is (?P<state>inactive|stopped)",
        _NOT_PERMITTED,
        ("kind", "LocalQueue"),
        source=_KUEUE,
    ),
    rule(
        r"clusterqueue (?P<queue>\S+) is (?P<state>inactive|stopped)",
        _NOT_PERMITTED,
        ("kind", "ClusterQueue"),
        source=_KUEUE,
    ),
    rule(
        r"pending the (?:preemption|migration) of (?P<workloads>\d+) workload\(s\)",
        "preemption-in-progress",
        source=_KUEUE,
    ),
    rule(r"workload has overlapping preemption targets .*", _QUOTA, source=_KUEUE),
    rule(r"workload admission is gated by: (?P<gates>.*)", _SUSPENDED, source=_KUEUE),
    rule(r"exceeded the podsready timeout .*", _SUSPENDED, source=_KUEUE),
    rule(r"quota reserved in clusterqueue (?P<queue>[^\s,]+).*", None, says("quota-reserved"), source=_KUEUE),
    rule(r"previously: (?P<inner>.*)", None, source=_KUEUE, needs_inner=True),
    rule(r"can't admit new workloads: .*", _NOT_PERMITTED, ("state", "inactive"), source=_KUEUE),
    rule(r"couldn't assign flavors to pod set (?P<podSet>[^\s:]+): (?P<inner>.*)", _QUOTA, source=_KUEUE),
]

RULES: list[Rule] = [*_AUTOSCALER_RULES, *_KARPENTER_RULES, *_KUEUE_RULES]
