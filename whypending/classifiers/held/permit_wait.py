"""permit-wait: a Permit plugin holds the Pod, which already has a place reserved, until its gang is complete.

What it means
    The scheduler has chosen a node but does not bind until enough members of the group have one too, or a time-out
    gives all places back.

How it is recognised
    The Pod belongs to a scheduler-plugins PodGroup with `spec.minMember` above 1 and has no node and no PodScheduled
    condition. No API object shows the wait itself, so it is only possible; the scheduler's metric
    `scheduler_permit_wait_duration_seconds` would prove it.

What to do
    See whether all members exist and fit; those that do not are where to look.

Limits
    A Pod that no scheduler serves looks the same. Volcano and Kueue hold gangs before scheduling, not in Permit.

References
    scheduler-plugins pkg/coscheduling; https://kubernetes.io/docs/concepts/scheduling-eviction/scheduling-framework/#permit
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.held._volcano import coscheduling_group, number
from whypending.classifiers.words import field_citation, kubectl
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP206", "permit-wait", Triage.HELD)

_LABELS = ("scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io", "pod-group.scheduling.sigs.k8s.io/name")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The gang, how many it needs, and how many have a place."""
    pod, group = evidence.the_pod, coscheduling_group(evidence)
    if pod is None or group is None or pod.spec.node_name or pod.spec.scheduling_gates:
        return
    members = number(group.spec.get("minMember")) or 0
    if members <= 1 or pod.condition("PodScheduled") is not None:
        return
    label = next((key for key in _LABELS if key in pod.metadata.labels), _LABELS[0])
    yield CAUSE.finding(
        f"A Permit plugin possibly holds {pod.ref} with a node reserved: its gang {group.ref} binds only "
        f"when {members} members have one.",
        confidence=Confidence.POSSIBLE,
        citations=(
            field_citation(group, "spec.minMember", members),
            field_citation(group, "status.phase", group.status.get("phase") or ""),
        ),
        remedies=(
            look(
                "See which members exist and which have a node.",
                kubectl(pod.namespace, "get", "pods", "-l", f"{label}={group.name}", "-o", "wide"),
            ),
        ),
    )
