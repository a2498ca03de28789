"""container-config-error: CreateContainerConfigError.

What it means
    Image and sandbox are there, but the kubelet cannot put the container's configuration together: something that its
    spec names is missing or contradicts the image.

How it is recognised
    `state.waiting.reason` of a container is CreateContainerConfigError; `state.waiting.message` says what.

What to do
    A missing Secret, ConfigMap or key has its own finding below. `container has runAsNonRoot and image will run as
    root`: set a numeric runAsUser or use an image with a non-root user.

Limits
    The kubelet reports the first thing that is wrong; the next one shows after it is mended.

References
    pkg/kubelet/kuberuntime/kuberuntime_container.go, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import kubectl, sentence
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

from ._containers import Member, waiting_for
from ._events import short
from ._node import OVER
from ._owner import edit

CAUSE = Cause("WP422", "container-config-error", Triage.SCHEDULED_NOT_READY, explained_by=OVER)
_REASON = "CreateContainerConfigError"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each container whose configuration cannot be made."""
    pod = evidence.the_pod
    for member in waiting_for(pod, _REASON) if pod else ():
        message = member.waiting.message if member.waiting else ""
        yield CAUSE.finding(
            sentence(
                f"{member.label} of {member.pod.ref} cannot be configured: {short(message) or 'no reason is given'}"
            ),
            citations=(
                member.cite("state.waiting.reason", _REASON),
                *((member.cite("state.waiting.message", message),) if message else ()),
            ),
            remedies=(_remedy(evidence, member, message),),
        )


def _remedy(evidence: Evidence, member: Member, message: str) -> Remedy:
    if "runAsNonRoot" in message:
        return edit(evidence, f"Set a numeric securityContext.runAsUser for {member.noun}, or use a non-root image.")
    return look(
        "Read what the spec refers to and whether it is there.",
        kubectl(member.pod.namespace, "describe", "pod", member.pod.name),
    )
