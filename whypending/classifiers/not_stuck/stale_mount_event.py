"""stale-mount-event: a harmless FailedMount Event on a Pod that runs or has finished.

What it means
    A volume could not be set up once, and then could; or the kubelet tried again after the Pod had ended and no longer
    watched its ConfigMaps and Secrets (`object "…" not registered`).

How it is recognised
    The Pod is Ready or has ended well, and has a FailedMount or FailedAttachVolume Event. Before its containers
    started: the failure was overcome. After they ended: kubelet noise. Both proved by the containers' times. While
    they run: likely harmless to the Pod, but updates of that ConfigMap or Secret may not reach it.

What to do
    Nothing for the first two. For the third, look whether the source of the volume is still there.

Limits
    Whether the program needs the update is not known.

References
    https://github.com/kubernetes/kubernetes/issues/105204; pkg/kubelet/volumemanager (v1.37).
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.not_stuck._stale import ended_at, last_mount_failure, started_at, state_of, volume_of
from whypending.classifiers.words import event_citation, field_citation, kubectl, since
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.event import Event
from whypending.objects.pod import Pod

CAUSE = Cause("WP602", "stale-mount-event", Triage.NOT_STUCK)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The failure, and why it no longer matters."""
    pod, event = evidence.the_pod, last_mount_failure(evidence)
    if pod is None or event is None:
        return
    confidence, why = _judge(pod, event)
    volume = volume_of(event)
    of = f' for volume "{volume}"' if volume else ""
    yield CAUSE.finding(
        f"{pod.ref} {state_of(pod)}: its {event.reason} Event{of} of {since(event.last_seen, evidence.now)} ago {why}.",
        confidence=confidence,
        citations=(event_citation(event), *_times(pod)),
        remedies=(
            look("Nothing is to be done.")
            if confidence is Confidence.PROVED
            else look(
                "Look whether the ConfigMap, Secret or claim behind the volume is still there.",
                kubectl(pod.namespace, "describe", "pod", pod.name),
            ),
        ),
    )


def _judge(pod: Pod, event: Event) -> tuple[Confidence, str]:
    """When it happened, compared with the containers' start and end."""
    started, ended = started_at(pod), ended_at(pod)
    if pod.status.phase == "Succeeded" and ended is not None and event.last_seen >= ended:
        return Confidence.PROVED, "came after its containers had ended and changes nothing"
    if started is not None and event.last_seen <= started:
        return Confidence.PROVED, "was overcome before its containers started"
    if pod.status.phase == "Succeeded":
        return Confidence.PROVED, "did not keep it from ending as it should"
    return Confidence.LIKELY, "does not stop it, but updates of that volume may not reach its containers"


def _times(pod: Pod) -> Iterator[Citation]:
    for status in pod.status.container_statuses:
        at = f"status.containerStatuses[name={status.name}].state"
        if status.state.terminated and status.state.terminated.finished_at:
            finished = status.state.terminated.finished_at
            yield field_citation(pod, f"{at}.terminated.reason", status.state.terminated.reason, finished)
        elif status.state.running and status.state.running.started_at:
            start = status.state.running.started_at
            yield field_citation(pod, f"{at}.running.startedAt", f"{start:%Y-%m-%dT%H:%M:%SZ}", start)
