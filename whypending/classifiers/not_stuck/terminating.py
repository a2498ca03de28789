"""terminating: the Pod was deleted and still has time to end.

What it means
    Somebody or something deleted the Pod. Its containers have got SIGTERM and may take until the time that is named;
    then they are killed and the object goes.

How it is recognised
    `metadata.deletionTimestamp` is that time. It is still to come, or passed less than a minute ago (not where its
    containers have ended and only a finalizer keeps it): proved.

What to do
    Wait until then. If the Pod is still there a minute later, ask again: then it is stuck.

Limits
    Who deleted it stands in the API server's audit log only. A finalizer may keep the object longer.

References
    core/v1 Pod metadata.deletionTimestamp, deletionGracePeriodSeconds;
    https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import age, field_citation, kubectl, names
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.triage import is_ending_in_time

CAUSE = Cause("WP607", "terminating", Triage.NOT_STUCK)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Until when it may take."""
    pod = evidence.the_pod
    due = pod.metadata.deletion_timestamp if pod else None
    if pod is None or due is None or not is_ending_in_time(pod, evidence):
        return
    left = due - evidence.now
    until = f"{due.astimezone(UTC):%H:%M:%S} UTC"
    time = f"it has until {until} ({age(left)} more) to end" if left.total_seconds() >= 1 else f"its time ended {until}"
    keeps = pod.metadata.finalizers
    also = f"; finalizer {names(keeps)} can keep it longer" if keeps else ""
    again = "Wait until then" if left.total_seconds() >= 1 else "Wait a minute more"
    yield CAUSE.finding(
        f"{pod.ref} is being deleted and is not stuck: {time}{also}.",
        citations=tuple(_proof(pod)),
        remedies=(
            look(
                f"{again}; if it is still there a minute later, ask again.",
                kubectl(pod.namespace, "get", "pod", pod.name, "-w"),
            ),
        ),
    )


def _proof(pod: Pod) -> Iterator[Citation]:
    yield field_citation(pod, "metadata.deletionTimestamp", pod.metadata.deletion_timestamp)
    if pod.metadata.finalizers:
        yield field_citation(pod, "metadata.finalizers", names(pod.metadata.finalizers))
