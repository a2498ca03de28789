"""superseded-by-replacement: a terminal leftover whose controller already has enough replicas.

What it means
    This Pod has failed for good, but its controller has made others in its place and they are Ready. Nothing is
    missing; the object is only not cleaned up yet (the Pod garbage collector starts at 12,500 ended Pods).

How it is recognised
    `status.phase` is Failed and the Pod has a controller. Proved if the workload's `status.readyReplicas` (or, for a
    Job, its Complete condition) says that it has what it wants; likely if only Ready Pods of the same controller were
    seen.

What to do
    Delete the leftover. Look at why it failed only if it happens again.

Limits
    A Job's failed Pods are its history: deleting them loses their logs.

References
    https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-garbage-collection
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.words import field_citation, names, plural
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload

from ._admission import plainly, refused
from ._owner import delete_pod, owner_name
from ._ready import is_ready

CAUSE = Cause(
    "WP406",
    "superseded-by-replacement",
    Triage.SCHEDULED_NOT_READY,
    refines=("kubelet-admission-rejected", "node-shutdown", "evicted", "container-failed"),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A Failed Pod whose workload is complete without it."""
    pod = evidence.the_pod
    if pod is None or pod.status.phase != "Failed" or pod.metadata.controller is None:
        return
    served = _served_by_workload(evidence) or _served_by_siblings(evidence, pod)
    if served is None:
        return
    confidence, how, citations = served
    yield CAUSE.finding(
        f"{pod.ref}{_end(pod)} is only a leftover: {how}.",
        confidence=confidence,
        citations=(field_citation(pod, "status.phase", pod.status.phase), *citations),
        remedies=(delete_pod(evidence, "Delete the leftover; nothing else is needed."),),
    )


def _end(pod: Pod) -> str:
    """How it ended, where the node ended it."""
    if refused(pod):
        plain = plainly(pod.status.reason)
        return f", which the kubelet refused ({plain})," if plain else ", which the kubelet refused,"
    return ", which the kubelet evicted," if pod.status.reason == "Evicted" else ""


def _served_by_workload(evidence: Evidence) -> tuple[Confidence, str, tuple[Citation, ...]] | None:
    for workload in reversed(seen(evidence.owners)):
        ready = _ready_replicas(workload)
        if workload.kind == "Job" and _is_complete(workload):
            cited = field_citation(workload, "status.conditions[type=Complete].status", "True")
            return Confidence.PROVED, f"{workload.ref} has completed without it", (cited,)
        if ready is not None and workload.wanted and ready[1] >= workload.wanted:
            cited = field_citation(workload, ready[0], ready[1])
            how = f"{workload.ref} already has {ready[1]} of {plural(workload.wanted, 'Ready Pod')}"
            return Confidence.PROVED, how, (cited,)
    return None


def _served_by_siblings(evidence: Evidence, pod: Pod) -> tuple[Confidence, str, tuple[Citation, ...]] | None:
    siblings = [p for p in seen(evidence.siblings) if is_ready(p)]
    wanted = next((w.wanted for w in seen(evidence.owners) if w.wanted), None)
    if not siblings or (wanted is not None and len(siblings) < wanted):
        return None
    controller = pod.metadata.controller
    if controller is None or controller.kind in {"Job", "StatefulSet", "DaemonSet"}:
        return None
    owner = owner_name(evidence)
    found = names(p.name for p in siblings)
    cited = tuple(field_citation(p, "status.conditions[type=Ready].status", "True") for p in siblings[:3])
    confidence = Confidence.PROVED if wanted is not None else Confidence.LIKELY
    return confidence, f"{owner} already has {plural(len(siblings), 'Ready Pod')} in its place ({found})", cited


def _ready_replicas(workload: Workload) -> tuple[str, int] | None:
    status = workload.status
    if workload.kind == "DaemonSet":
        return None if status.number_ready is None else ("status.numberReady", status.number_ready)
    return None if status.ready_replicas is None else ("status.readyReplicas", status.ready_replicas)


def _is_complete(workload: Workload) -> bool:
    complete = workload.condition("Complete")
    return complete is not None and complete.status == "True"
