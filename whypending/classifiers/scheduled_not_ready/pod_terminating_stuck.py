"""pod-terminating-stuck: deletionTimestamp is set but the Pod does not go.

What it means
    Somebody deleted the Pod, and the time it was given to end (`metadata.deletionTimestamp`) is over. Either its
    kubelet cannot finish (node gone, runtime or unmount hanging), or a finalizer keeps the object.

How it is recognised
    `metadata.deletionTimestamp` is more than a minute ago. Before that the Pod is only on its way out: see the
    cause terminating. Where the time is only guessed from files, that is said as possible here.

What to do
    See what holds it: the finalizer, the node, or the kubelet's FailedKillPod. Force the deletion only when the
    containers are known to be gone.

Limits
    Which process does not end is not visible from outside the node.

References
    https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import age, event_citation, field_citation, newest
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.triage import is_ending_in_time

from ._events import short
from ._owner import delete_pod

CAUSE = Cause(
    "WP433",
    "pod-terminating-stuck",
    Triage.SCHEDULED_NOT_READY,
    explained_by=("node-not-found", "node-not-ready-after-bind"),
)
_PATIENCE = timedelta(minutes=1)
_REASONS = ("FailedKillPod", "ExceededGracePeriod", "FailedPreStopHook")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A Pod that was deleted and is still there."""
    pod = evidence.the_pod
    due = pod.metadata.deletion_timestamp if pod else None
    if pod is None or due is None:
        return
    event = newest(evidence.events, *_REASONS)
    overdue = evidence.now - due
    late = overdue > _PATIENCE or not (evidence.clock_is_floor or is_ending_in_time(pod, evidence))
    yield CAUSE.finding(
        _late(pod, overdue, event) if late else _in_time(pod, due),
        confidence=Confidence.PROVED if late else Confidence.POSSIBLE,
        citations=(
            field_citation(pod, "metadata.deletionTimestamp", due.isoformat().replace("+00:00", "Z"), due),
            *((event_citation(event),) if event else ()),
        ),
        remedies=(
            (
                look(
                    f"Log in to {pod.spec.node_name or 'its node'} and read the kubelet's log: journalctl -u kubelet."
                ),
                delete_pod(
                    evidence,
                    "Only when its containers are known to be gone: drop the object; no kubelet is asked any more.",
                    "--grace-period=0",
                    "--force",
                ),
            )
            if late
            else (look("Wait until that time and ask again."),)
        ),
    )


def _late(pod: Pod, overdue: timedelta, event: Event | None) -> str:
    why = f": {event.reason}, {short(event.text)}" if event else ""
    return f"{pod.ref} was deleted and should have been gone {age(overdue)} ago, but is still there{why}."


def _in_time(pod: Pod, due: datetime) -> str:
    return f"{pod.ref} is being deleted and has until {due:%H:%M:%S} UTC to end; nothing is stuck yet."
