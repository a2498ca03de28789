"""pod-resize-pending: an in-place resize is deferred or infeasible.

What it means
    Somebody changed the requests or limits of the running Pod. The kubelet cannot give them: not now (Deferred), or
    never on this node (Infeasible). The containers go on with what they had.

How it is recognised
    Condition PodResizePending is True with reason Deferred or Infeasible (1.33 and newer), or `status.resize` has that
    value (1.27 to 1.32).

What to do
    Deferred: wait, or free room on the node. Infeasible: ask for less, or recreate the Pod so that a scheduler finds a
    node.

Limits
    A pending resize alone does not make a Pod unready; it is shown beside what does.

References
    https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/; pkg/kubelet/allocation,
    Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import condition_citation, field_citation, kubectl
from whypending.diagnosis import Finding, Role, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod

from ._owner import edit

CAUSE = Cause("WP453", "pod-resize-pending", Triage.SCHEDULED_NOT_READY)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The kubelet has not granted a resize."""
    pod = evidence.the_pod
    reason = _reason(pod) if pod else ""
    if pod is None or not reason:
        return
    condition = pod.condition("PodResizePending")
    never = reason == "Infeasible"
    why = f": {condition.message.rstrip('. ')}" if condition and condition.message else ""
    node = pod.spec.node_name or "its node"
    yield CAUSE.finding(
        f"A change of the resources of {pod.ref} {'cannot be granted' if never else 'waits for room'} on {node}{why}.",
        role=Role.CONTRIBUTING,
        citations=(
            condition_citation(pod, condition)
            if condition
            else field_citation(pod, "status.resize", pod.status.resize),
        ),
        remedies=(
            edit(
                evidence, "Ask for what this node can give, or let the Pod be replaced so that a scheduler finds room."
            )
            if never
            else look(
                "See what the node holds; the kubelet grants it when there is room.",
                kubectl("", "describe", "node", node),
            ),
        ),
    )


def _reason(pod: Pod) -> str:
    condition = pod.condition("PodResizePending")
    if condition is not None:
        return condition.reason if condition.status == "True" else ""
    return pod.status.resize if pod.status.resize in {"Deferred", "Infeasible"} else ""
