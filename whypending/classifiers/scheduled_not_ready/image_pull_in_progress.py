"""image-pull-in-progress: pull started, neither Pulled nor Failed for long.

What it means
    The kubelet asked the runtime for the image and has had no answer yet: a large image, a slow registry or network,
    or (serializeImagePulls) other images that are pulled first.

How it is recognised
    The newest Event about the container's image is Pulling, more than a minute ago, and the container still waits
    with ContainerCreating or PodInitializing. Likely: a runtime that hangs looks the same.

What to do
    Wait if the image is large; see on the node whether data still flows. Smaller images, a cache near the cluster, or
    pulling ahead of time (a DaemonSet) help next time.

Limits
    Neither the image's size nor the progress is in the cluster before the pull is done.

References
    pkg/kubelet/images/image_manager.go, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, since
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence

from ._containers import waiting_for
from ._events import of_container
from ._node import OVER

CAUSE = Cause("WP421", "image-pull-in-progress", Triage.SCHEDULED_NOT_READY, explained_by=OVER)
_LONG = timedelta(minutes=1)
_STEPS = ("Pulling", "Pulled", "Failed", "BackOff", "Created", "Started", "InspectFailed")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A pull that has begun and not ended."""
    pod = evidence.the_pod
    for member in waiting_for(pod, "ContainerCreating", "PodInitializing") if pod else ():
        event = of_container(evidence, member.name, *_STEPS)
        if event is None or event.reason != "Pulling" or evidence.now - event.last_seen < _LONG:
            continue
        node = member.pod.spec.node_name or "the node"
        yield CAUSE.finding(
            f"Image {member.spec.image} for {member.noun} of {member.pod.ref} has been on its way to {node} for "
            f"{since(event.last_seen, evidence.now)}.",
            confidence=Confidence.LIKELY,
            citations=(event_citation(event), member.cite("state.waiting.reason", member.waiting_reason)),
            remedies=(
                look("Wait if the image is large; ask again in some minutes."),
                look(f"Log in to {node} and see whether data still comes in: crictl images, journalctl -u containerd."),
            ),
        )
