"""container-create-failed: CreateContainerError/RunContainerError from the runtime.

What it means
    The configuration is complete, but the container runtime cannot create or start the container from it: a command
    that is not in the image, a mount that does not fit, a device that is gone, or a runtime in trouble.

How it is recognised
    `state.waiting.reason` is CreateContainerError, RunContainerError, PreCreateHookError or PreStartHookError;
    `state.waiting.message` holds the runtime's words.

What to do
    Mend what the words name. A command that cannot be executed and a runtime that is stuck have findings of their own.

Limits
    After some tries RunContainerError gives way to CrashLoopBackOff; the words then stand in `lastState.terminated`.

References
    pkg/kubelet/kuberuntime/kuberuntime_container.go, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import kubectl, sentence
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

from ._containers import waiting_for
from ._events import short
from ._node import OVER

CAUSE = Cause("WP425", "container-create-failed", Triage.SCHEDULED_NOT_READY, explained_by=OVER)
REASONS = ("CreateContainerError", "RunContainerError", "PreCreateHookError", "PreStartHookError")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each container that the runtime cannot create or start."""
    pod = evidence.the_pod
    for member in waiting_for(pod, *REASONS) if pod else ():
        message = member.waiting.message if member.waiting else ""
        node = member.pod.spec.node_name or "the node"
        said = short(message) or "it gives no reason"
        yield CAUSE.finding(
            sentence(f"The container runtime on {node} cannot start {member.noun} of {member.pod.ref}: {said}"),
            citations=(
                member.cite("state.waiting.reason", member.waiting_reason),
                *((member.cite("state.waiting.message", message),) if message else ()),
            ),
            remedies=(
                look(
                    "Read the Events of the Pod: each try leaves the runtime's words.",
                    kubectl(member.pod.namespace, "events", "--for", f"pod/{member.pod.name}"),
                ),
            ),
        )
