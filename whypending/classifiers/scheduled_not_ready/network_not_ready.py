"""network-not-ready: the node's network plugin is not ready.

What it means
    The node's container runtime has no working CNI configuration yet, so the kubelet starts no Pod there that needs a
    Pod network. Usually the CNI's own DaemonSet Pod is not running on that node.

How it is recognised
    The kubelet's Event NetworkNotReady on the Pod, with nothing started since; or the Node's Ready condition is False
    and its message says that the runtime's network is not ready (`NetworkPluginNotReady`, `cni plugin not
    initialized`); or the condition NetworkUnavailable is True. Pods with hostNetwork are not held by it.

What to do
    Look at the CNI's Pod on that node, and at its configuration in /etc/cni/net.d.

Limits
    Why the CNI is not ready is in its own Pod's status and log, which are not read.

References
    pkg/kubelet/kubelet.go (syncPod), pkg/kubelet/errors.go, Kubernetes 1.37;
    https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/network-plugins/
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import condition_citation, event_citation, kubectl
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._events import standing
from ._node import look_at_node, ready

CAUSE = Cause("WP450", "network-not-ready", Triage.SCHEDULED_NOT_READY, refines=("node-not-ready-after-bind",))
_TEXT = Pattern(
    r"network (?:is )?not ready|NetworkPluginNotReady|cni (?:plugin|config) (?:not |un)initialized", re.IGNORECASE
)
_DETAIL = Pattern(r"message:\s*(?:docker: )?(.+)$")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The node cannot give a Pod network."""
    pod = evidence.the_pod
    if pod is None or pod.spec.host_network or pod.status.phase == "Failed":
        return
    proof = (*_by_event(evidence), *_by_node(evidence))
    if not proof:
        return
    node = pod.spec.node_name or "the node"
    yield CAUSE.finding(
        f"The Pod network of node {node} is not ready, so nothing of {pod.ref} can start there{_detail(proof)}.",
        citations=proof,
        remedies=(
            look(
                "Find the network plugin's own Pod on that node and see why it does not work.",
                kubectl("", "get", "pods", "-A", "-o", "wide", f"--field-selector=spec.nodeName={node}"),
            ),
            look_at_node(node, "See the node's conditions."),
        ),
    )


def _by_event(evidence: Evidence) -> Iterator[Citation]:
    event = standing(evidence, "NetworkNotReady")
    if event is not None:
        yield event_citation(event)


def _by_node(evidence: Evidence) -> Iterator[Citation]:
    node = evidence.the_node
    if node is None:
        return
    condition = ready(node)
    if condition is not None and condition.status == "False" and _TEXT.search(condition.message):
        yield condition_citation(node, condition)
    unavailable = node.condition("NetworkUnavailable")
    if unavailable is not None and unavailable.status == "True":
        yield condition_citation(node, unavailable)


def _detail(proof: tuple[Citation, ...]) -> str:
    found = next((m for c in proof if (m := _DETAIL.search(c.value))), None)
    return f": {found[1].rstrip('. ')}" if found else ""
