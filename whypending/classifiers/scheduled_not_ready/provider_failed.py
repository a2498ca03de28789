"""provider-failed: a virtual-kubelet provider failed to create the workload.

What it means
    The Pod's node is a virtual one: a provider (a cloud's container service, an HPC bridge …) runs the workload
    elsewhere. It was asked to create this one and said no.

How it is recognised
    `status.reason` is ProviderFailed (virtual-kubelet sets it, with the provider's error in `status.message`; the phase
    is Failed for restartPolicy Never, else Pending), or the newest word is the Event ProviderCreateFailed.

What to do
    Read the provider's message: a quota, an unsupported field, an unknown image or region. The provider's own Pod has
    the log.

Limits
    The backend's state is not in the cluster.

References
    virtual-kubelet, node/pod.go (handleProviderError); https://virtual-kubelet.io/docs/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, field_citation, kubectl, newest, sentence
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

from ._containers import began
from ._events import short
from ._node import OVER

CAUSE = Cause("WP435", "provider-failed", Triage.SCHEDULED_NOT_READY, explained_by=OVER)
_REASON = "ProviderFailed"
_GOOD = ("ProviderCreateSuccess", "ProviderUpdateSuccess")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The provider's refusal in the status, or in its newest Event."""
    pod = evidence.the_pod
    if pod is None:
        return
    event = newest(evidence.events, "ProviderCreateFailed", *_GOOD)
    failed = event if event is not None and event.reason not in _GOOD and not began(pod) else None
    if pod.status.reason != _REASON and failed is None:
        return
    words = pod.status.message if pod.status.reason == _REASON else failed.text if failed else ""
    status = (("reason", pod.status.reason), ("message", pod.status.message))
    yield CAUSE.finding(
        sentence(
            f"The provider behind the virtual node {pod.spec.node_name} could not create {pod.ref}: "
            f"{short(words) or 'it gave no reason'}"
        ),
        citations=(
            *(field_citation(pod, f"status.{f}", v) for f, v in status if v),
            *((event_citation(failed),) if failed else ()),
        ),
        remedies=(
            look(
                "See the virtual node, its provider and its limits.",
                kubectl("", "describe", "node", pod.spec.node_name),
            ),
            look("Read the log of the Pod that runs virtual-kubelet for that node."),
        ),
    )
