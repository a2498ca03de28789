"""The Pod's gang: its PodGroup, whichever system it is of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whypending.diagnosis import Citation
from whypending.evidence import Evidence, seen
from whypending.objects.base import CustomObject
from whypending.objects.pod import Pod

_LABELS = (
    "scheduling.x-k8s.io/pod-group",
    "pod-group.scheduling.sigs.k8s.io",
    "pod-group.scheduling.sigs.k8s.io/name",
    "scheduling.k8s.io/group-name",
)


def group_of(evidence: Evidence) -> CustomObject | None:
    """The PodGroup that was read for the Pod."""
    return next(iter(seen(evidence.pod_groups)), None)


def group_name(evidence: Evidence, pod: Pod) -> str:
    """`PodGroup ns/name`, by the object, the Pod's labels and annotations, or spec.schedulingGroup; empty if none."""
    group = group_of(evidence)
    if group is not None:
        return group.ref
    marks = {**pod.metadata.annotations, **pod.metadata.labels}
    name = next((marks[key] for key in _LABELS if key in marks), "") or _native(pod)
    return f"PodGroup {pod.namespace}/{name}" if name else ""


def _native(pod: Pod) -> str:
    for reference in (pod.spec.scheduling_group, pod.spec.workload_ref):
        if isinstance(reference, Mapping):
            for key in ("podGroupName", "podGroup", "name"):
                if isinstance(reference.get(key), str):
                    return str(reference[key])
    return ""


def minimum_of(group: CustomObject | None) -> int | None:
    """`spec.minMember` (`minCount` of the built-in kind), None where it is not known."""
    value: Any = None
    if group is not None:
        value = group.spec.get("minMember", group.spec.get("minCount"))
    return value if isinstance(value, int) else None


def cite_group(evidence: Evidence) -> Iterator[Citation]:
    """The minimum and the phase of the group."""
    group = group_of(evidence)
    if group is None:
        return
    minimum = minimum_of(group)
    if minimum is not None:
        yield Citation(object=group.ref, field="spec.minMember", value=str(minimum))
    if isinstance(group.status.get("phase"), str):
        yield Citation(object=group.ref, field="status.phase", value=str(group.status["phase"]))
