"""Which cause decides most, first: the order of this folder's MODULES by name (a test keeps the two alike).

Claim and Pod level refusals end the cycle before any node is looked at; Reserve, PreBind and extender errors end it
behind the nodes. Then the Filters from the last to the first that kube-scheduler runs: a node that a late Filter
refuses has passed all the earlier ones, so it is the nearest to a fit. Nodes that are down come before full ones.
"""

from __future__ import annotations

ORDER = (
    "no-nodes",
    "pvc-not-found",
    "pvc-unbound",
    "no-default-storage-class",
    "pv-not-found",
    "volume-in-use-rwop",
    "dra-claim-not-allocated",
    "scheduler-extender-unreachable",
    "binding-timeout",
    "csi-driver-missing",
    "platform-unsupported-pod-spec",
    "preemption-in-progress",
    "elastic-quota-exceeded",
    "gang-not-ready",
    "gang-sibling-unschedulable",
    "scheduler-internal-error",
    "volume-node-affinity-conflict",
    "volume-zone-conflict",
    "storage-capacity",
    "max-volume-count",
    "autoscaler-no-scale-up",
    "karpenter-incompatible",
    "karpenter-nominated-not-used",
    "cloud-provider-uninitialized",
    "node-unreachable",
    "node-not-ready",
    "topology-spread",
    "pod-anti-affinity",
    "pod-affinity",
    "extended-resource-missing",
    "insufficient-cpu",
    "insufficient-memory",
    "insufficient-ephemeral-storage",
    "too-many-pods",
    "insufficient-resources-unspecified",
    "host-port-conflict",
    "node-feature-missing",
    "node-selector-mismatch",
    "startup-taint-left",
    "node-disk-pressure",
    "node-memory-pressure",
    "node-pid-pressure",
    "untolerated-taint",
    "control-plane-taint",
    "node-cordoned",
    "daemonset-pinned-node",
    "preemption-not-possible",
    "stale-nominated-node",
    "scheduler-lost-pod",
    "stale-unschedulable-condition",
    "unrecognised-message",
)


def rank(name: str) -> int:
    """The place of a cause; names of other classes come last."""
    return ORDER.index(name) if name in ORDER else len(ORDER)
