"""Taints by key: which of them have a cause of their own.

Well-known keys: kubernetes.io "Well-Known Labels, Annotations and Taints" (to 1.37). Start-up taints: Karpenter 1.14
(pkg/apis), cluster-autoscaler 1.36 (utils/taints), Istio (nodeUntainter), Cilium (kubernetes/kops#15464), the Azure
disk driver, Cluster API (giantswarm/capa-karpenter-taint-remover), the node readiness controller, Deckhouse; other
agents' taints by the ending that all of these share. Wordings: TaintToleration of 1.16 to 1.37.
"""

from __future__ import annotations

from whypending.messages.causes.rules import Facts, Hit, Rule, rule

_WELL_KNOWN = {
    "node-role.kubernetes.io/control-plane": "control-plane-taint",
    "node-role.kubernetes.io/master": "control-plane-taint",
    "node.cloudprovider.kubernetes.io/uninitialized": "cloud-provider-uninitialized",
    "node.kubernetes.io/not-ready": "node-not-ready",
    "node.alpha.kubernetes.io/notready": "node-not-ready",
    "node.kubernetes.io/unreachable": "node-unreachable",
    "node.alpha.kubernetes.io/unreachable": "node-unreachable",
    "node.kubernetes.io/disk-pressure": "node-disk-pressure",
    "node.kubernetes.io/out-of-disk": "node-disk-pressure",
    "node.kubernetes.io/memory-pressure": "node-memory-pressure",
    "node.kubernetes.io/pid-pressure": "node-pid-pressure",
    "node.kubernetes.io/unschedulable": "node-cordoned",
    "node.kubernetes.io/network-unavailable": "startup-taint-left",
    "karpenter.sh/unregistered": "startup-taint-left",
    "node.cluster.x-k8s.io/uninitialized": "startup-taint-left",
    "node.deckhouse.io/uninitialized": "startup-taint-left",
    "node.deckhouse.io/csi-not-bootstrapped": "startup-taint-left",
}
_STARTUP_PREFIXES = (
    "startup-taint.cluster-autoscaler.kubernetes.io/",
    "ignore-taint.cluster-autoscaler.kubernetes.io/",
    "status-taint.cluster-autoscaler.kubernetes.io/",
    "readiness.k8s.io/",
)
_STARTUP_SUFFIXES = ("/agent-not-ready", "/not-ready", "/uninitialized")

CAUSES = frozenset({*_WELL_KNOWN.values(), "untolerated-taint"})
"""Every cause that a taint's key can stand for."""


def cause_of_taint(key: str) -> str:
    """The cause that a taint with this key stands for: a key that nobody owns is `untolerated-taint`."""
    key = key.casefold()
    known = _WELL_KNOWN.get(key)
    if known:
        return known
    startup = key.startswith(_STARTUP_PREFIXES) or key.endswith(_STARTUP_SUFFIXES)
    return "startup-taint-left" if startup else "untolerated-taint"


def _by_key(facts: Facts) -> str:
    return cause_of_taint(facts["taint.key"])


TEXTS: list[tuple[str, Hit]] = [
    (text, Hit("untolerated-taint"))
    for text in (
        "node(s) had untolerated taint(s)",  # 1.34.2 on
        "node(s) had taints that the pod didn't tolerate",  # 1.10 to 1.17
        "PodToleratesNodeTaints",  # to 1.9
    )
]

RULES: list[Rule] = [
    rule(  # 1.24 to 1.34.1
        r"node\(s\) had untolerated taint \{(?P<taint__key>[^\s:{}]+): ?(?P<taint__value>[^{}]*)\}", _by_key
    ),
    rule(  # 1.18 to 1.23
        r"node\(s\) had taint \{(?P<taint__key>[^\s:{}]+): ?(?P<taint__value>[^{}]*)\}, that the pod didn't tolerate",
        _by_key,
    ),
]
