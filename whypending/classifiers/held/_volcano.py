"""The Pod's PodGroup, and Volcano's Queue behind it."""

from __future__ import annotations

from whypending.evidence import Evidence, seen
from whypending.objects.base import CustomObject

_VOLCANO = "scheduling.volcano.sh/"
_GANGS = ("scheduling.x-k8s.io/", "scheduling.sigs.k8s.io/")


def pod_group(evidence: Evidence) -> CustomObject | None:
    """Volcano's PodGroup of this Pod."""
    return next((g for g in seen(evidence.pod_groups) if g.api_version.startswith(_VOLCANO)), None)


def coscheduling_group(evidence: Evidence) -> CustomObject | None:
    """The PodGroup of scheduler-plugins' Coscheduling."""
    return next((g for g in seen(evidence.pod_groups) if g.api_version.startswith(_GANGS)), None)


def queue_name(group: CustomObject | None) -> str:
    """`spec.queue`; Volcano fills in `default`."""
    return str(group.spec.get("queue") or "default") if group else ""


def queue_of(evidence: Evidence) -> CustomObject | None:
    """The Queue that the PodGroup names, if it was found."""
    name = queue_name(pod_group(evidence))
    return next((q for q in seen(evidence.volcano_queues) if q.name == name), None)


def number(value: object) -> int | None:
    """A whole number of a custom resource, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
