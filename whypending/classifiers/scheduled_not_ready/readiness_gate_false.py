"""readiness-gate-false: a readiness gate's condition is False or missing.

What it means
    All containers are ready, but the Pod also names conditions that somebody else must set to True (a load balancer's
    controller, a rollout operator …), and one of them is not.

How it is recognised
    ContainersReady is True (or every container says ready), and a `spec.readinessGates[].conditionType` has no
    condition in `status.conditions`, or one that is not True. The condition itself is believed, not the text of
    Ready, which old kubelets did not refresh.

What to do
    Ask the controller that owns the condition: its log says why the target is not healthy, or that it never saw the
    Pod.

Limits
    Who sets a gate is known by its name only for a few controllers.

References
    https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-readiness-gate;
    pkg/kubelet/status/generate.go, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import condition_citation, field_citation, kubectl, since
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.base import Condition
from whypending.objects.pod import Pod

from ._gates import setter, unmet
from ._node import OVER
from ._ready import containers_ready

CAUSE = Cause("WP431", "readiness-gate-false", Triage.SCHEDULED_NOT_READY, explained_by=OVER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A gate that nobody has opened, on a Pod whose containers are ready."""
    pod = evidence.the_pod
    if pod is None or not containers_ready(pod):
        return
    for gate, condition in unmet(pod):
        who = setter(gate)
        yield CAUSE.finding(
            f"The containers of {pod.ref} are ready, but its readiness gate {gate} {_state(evidence, condition)}; "
            f"{who or 'the controller that owns it'} must set it to True{_stale(pod, gate, condition)}.",
            citations=_proof(pod, gate, condition),
            remedies=(
                look(f"Read the log of {who or f'the controller that sets {gate}'}: it decides this condition."),
                look(
                    "See the conditions as they are now.",
                    kubectl(pod.namespace, "get", "pod", pod.name, "-o", "jsonpath={.status.conditions}"),
                ),
            ),
        )


def _state(evidence: Evidence, condition: Condition | None) -> str:
    if condition is None:
        return "is not set at all"
    why = f" ({condition.message or condition.reason})" if condition.message or condition.reason else ""
    status = condition.status or "empty"
    if condition.last_transition_time is None:
        return f"is {status}{why}"
    return f"has been {status} for {since(condition.last_transition_time, evidence.now)}{why}"


def _stale(pod: Pod, gate: str, condition: Condition | None) -> str:
    """Kubelets up to 1.13 keep the first message of Ready: it denies a condition that is there."""
    ready = pod.condition("Ready")
    told = ready.message if ready else ""
    if condition is None or gate not in told or "does not exist" not in told:
        return ""
    return ' (the message of Ready, "does not exist", is out of date: the condition is there)'


def _proof(pod: Pod, gate: str, condition: Condition | None) -> tuple[Citation, ...]:
    named = field_citation(pod, "spec.readinessGates[].conditionType", gate)
    if condition is None:
        return (named, field_citation(pod, f"status.conditions[type={gate}]", None))
    return (named, condition_citation(pod, condition))
