"""Readiness as the Pod's conditions state it."""

from __future__ import annotations

from whypending.objects.base import Condition
from whypending.objects.pod import Pod

from ._containers import members


def is_ready(pod: Pod) -> bool:
    """The Ready condition is True and the Pod is not on its way out."""
    return pod.metadata.deletion_timestamp is None and is_true(pod.condition("Ready"))


def is_true(condition: Condition | None) -> bool:
    """The condition is there and True."""
    return condition is not None and condition.status == "True"


def containers_ready(pod: Pod) -> bool:
    """ContainersReady is True, or every container that counts says ready (where the condition is missing)."""
    condition = pod.condition("ContainersReady")
    if condition is not None:
        return condition.status == "True"
    counted = [m for m in members(pod) if not m.init or m.sidecar]
    return bool(counted) and all(m.ready for m in counted)
