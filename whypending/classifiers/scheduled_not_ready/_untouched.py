"""A bound Pod that no kubelet has touched: no start time, no container status, no Event by a kubelet."""

from __future__ import annotations

from datetime import datetime, timedelta

from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod

from ._containers import members

PATIENCE = timedelta(minutes=2)
"""A working kubelet posts startTime within seconds of the bind."""


def bound_at(pod: Pod) -> datetime | None:
    """When the Pod got its node: PodScheduled's transition, else its creation."""
    scheduled = pod.condition("PodScheduled")
    return (scheduled.last_transition_time if scheduled else None) or pod.metadata.creation_timestamp


def untouched(evidence: Evidence) -> bool:
    """Pending on a node for longer than PATIENCE, and nothing that a kubelet writes first is there."""
    pod = evidence.the_pod
    if pod is None or not pod.spec.node_name or pod.status.phase not in {"Pending", ""} or pod.status.reason:
        return False
    bound = bound_at(pod)
    if pod.metadata.deletion_timestamp or bound is None or evidence.now - bound < PATIENCE:
        return False
    posted = pod.status.start_time is not None or any(m.status for m in members(pod))
    return not posted and not any(e.reporter == "kubelet" for e in seen(evidence.events))
