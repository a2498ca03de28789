"""feature-gate-mismatch: one component has a feature on that another has off.

What it means
    The API server or the scheduler lets the Pod use a feature that the node's kubelet has switched off, or is too old
    for. The kubelet then refuses the Pod or cannot prepare it.

How it is recognised
    The kubelet's text names it: `… feature gate is disabled` (Pod-level resources, DRA operations), status reason
    PodLevelResourcesNotSupported, InitContainerRestartPolicyForbidden or PodFeatureUnsupported, or a standing
    Event FailedNodeDeclaredFeaturesCheck.

What to do
    Switch the gate on for the kubelets too (or off for the API server), or bring the node to the cluster's release.

Limits
    The gates of each component are not read: which side is wrong is the operator's choice.

References
    https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/; pkg/kubelet/lifecycle/handlers.go
    and features_linux.go, pkg/kubelet/cm/dra/claiminfo.go, Kubernetes 1.30 to 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, field_citation
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._admission import cite_status, refused
from ._events import standing
from .dra_prepare_failed import failed_prepare

CAUSE = Cause(
    "WP437",
    "feature-gate-mismatch",
    Triage.SCHEDULED_NOT_READY,
    refines=("kubelet-admission-rejected", "dra-prepare-failed"),
    explained_by=("node-not-found", "node-not-ready-after-bind", "pod-terminating-stuck", "node-shutdown"),
)
_GATE = Pattern(r"(\w+) feature gate is disabled")
_NEEDS = Pattern(r"Pod requires node features that are not available: (.+)$")
_REASONS = {
    "PodLevelResourcesNotSupported": "PodLevelResources",
    "InitContainerRestartPolicyForbidden": "SidecarContainers",
    "PodFeatureUnsupported": "",
}


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The kubelet says that a feature is off or unknown on its side."""
    pod = evidence.the_pod
    proof = tuple(_proof(evidence)) if pod else ()
    if pod is None or not proof:
        return
    gate = _feature(proof) or _REASONS.get(pod.status.reason, "")
    node = pod.spec.node_name or "the node"
    named = f"the feature {gate}" if gate else "a feature"
    yield CAUSE.finding(
        f"{pod.ref} uses {named}, which the API server accepts but the kubelet of {node} has off or does not know.",
        citations=(*proof, *_version(evidence)),
        remedies=(
            look(
                f"Compare the gates: switch {gate or 'the feature'} on for that kubelet or off for the API server.",
                f"kubectl get --raw {quote(f'/api/v1/nodes/{node}/proxy/configz')}",
            ),
            look("See the release of each node's kubelet.", "kubectl get nodes"),
        ),
    )


def _proof(evidence: Evidence) -> Iterator[Citation]:
    pod = evidence.the_pod
    if pod is not None and refused(pod) and (pod.status.reason in _REASONS or _GATE.search(pod.status.message)):
        yield from cite_status(evidence, pod)
    failed = failed_prepare(evidence)
    if failed is not None and _GATE.search(failed[1].text):
        yield event_citation(failed[1])
    event = standing(evidence, "FailedNodeDeclaredFeaturesCheck")
    if event is not None:
        yield event_citation(event)


def _feature(proof: tuple[Citation, ...]) -> str:
    found = (_GATE.search(c.value) or _NEEDS.search(c.value) for c in proof)
    return next((m[1] for m in found if m), "").rstrip(". ")


def _version(evidence: Evidence) -> Iterator[Citation]:
    node = evidence.the_node
    if node is not None and node.status.node_info.kubelet_version:
        yield field_citation(node, "status.nodeInfo.kubeletVersion", node.status.node_info.kubelet_version)
