"""Failures in the Events of a Pod that is well: over, or without effect."""

from __future__ import annotations

from datetime import datetime

from whypending.evidence import Evidence, seen
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.patterns import Pattern
from whypending.triage import is_refusal, is_well

MOUNT_REASONS = ("FailedMount", "FailedAttachVolume")
_VOLUME = Pattern(r'(?:for volume "([^"]+)"|(?:volumes|volume)=\[([^\]]+)\])')


def last_refusal(evidence: Evidence) -> Event | None:
    """The newest FailedScheduling of a scheduler on a Pod that is Ready or has ended well."""
    return max((e for e in _events(evidence) if is_refusal(e)), key=lambda e: e.last_seen, default=None)


def last_mount_failure(evidence: Evidence) -> Event | None:
    """The newest FailedMount or FailedAttachVolume on a Pod that is Ready or has ended well."""
    found = (e for e in _events(evidence) if e.reason in MOUNT_REASONS)
    return max(found, key=lambda e: e.last_seen, default=None)


def _events(evidence: Evidence) -> tuple[Event, ...]:
    pod = evidence.the_pod
    return seen(evidence.events) if pod is not None and is_well(pod) else ()


def volume_of(event: Event) -> str:
    """The volume that the text names, empty where it names none."""
    match = _VOLUME.search(event.text)
    return (match[1] or match[2] or "") if match else ""


def started_at(pod: Pod) -> datetime | None:
    """When the last of its containers started (running now, or before it ended)."""
    states = [s.state for s in pod.status.container_statuses]
    times = [
        x.started_at for s in states for x in (s.running, s.terminated) if x is not None and x.started_at is not None
    ]
    return max(times, default=None)


def ended_at(pod: Pod) -> datetime | None:
    """When the last of its containers ended."""
    ended = [s.state.terminated for s in pod.status.container_statuses]
    return max((t.finished_at for t in ended if t is not None and t.finished_at is not None), default=None)


def state_of(pod: Pod) -> str:
    """`has finished` or `is Running and Ready`, to end a sentence about what no longer matters."""
    return "has finished" if pod.status.phase == "Succeeded" else "is Running and Ready"


def is_over(evidence: Evidence) -> bool:
    """Whether one of the two speaks for this Pod, so that being well is not the news."""
    return last_refusal(evidence) is not None or last_mount_failure(evidence) is not None
