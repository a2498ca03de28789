"""What Kueue says of this Pod or Job: its queue, its Workload and that Workload's conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from whypending.diagnosis import Citation
from whypending.evidence import Evidence, Gap, GapReason, seen
from whypending.objects.base import Condition, CustomObject, KubeObject

QUEUE = "kueue.x-k8s.io/queue-name"
GROUP = "kueue.x-k8s.io/pod-group-name"


def subjects(evidence: Evidence) -> tuple[KubeObject, ...]:
    """The Pod, then its owners (or the workload that was asked about)."""
    return (*seen(evidence.pod), *seen(evidence.owners))


def queue_of(evidence: Evidence) -> tuple[str, Citation | None]:
    """The LocalQueue that the Pod or an owner names by label (an annotation, in old releases), and where."""
    for item in subjects(evidence):
        for place, values in (("labels", item.metadata.labels), ("annotations", item.metadata.annotations)):
            if name := values.get(QUEUE):
                field = f"metadata.{place}[{QUEUE}]"
                return name, Citation(object=item.ref, field=field, value=name)
    return "", None


def is_absent(evidence: Evidence) -> bool:
    """Kueue is not installed: this API server serves none of its kinds."""
    asked = (evidence.local_queues, evidence.kueue_workloads)
    return all(isinstance(known, Gap) and known.reason is GapReason.UNSUPPORTED for known in asked)


def workload_of(evidence: Evidence) -> CustomObject | None:
    """The Workload that Kueue made for the Pod, its group or its owner; the newest if there are several."""
    items = subjects(evidence)
    uids = {i.metadata.uid for i in items if i.metadata.uid}
    named = {(i.kind, i.name) for i in items}
    groups = {i.metadata.labels.get(GROUP, "") for i in items} - {""}
    mine = [
        w
        for w in seen(evidence.kueue_workloads)
        if w.name in groups
        or any(o.uid in uids or (not o.uid and (o.kind, o.name) in named) for o in w.metadata.owner_references)
    ]
    return max(mine, key=lambda w: str(w.metadata.creation_timestamp or ""), default=None)


def condition(item: CustomObject | None, type_: str) -> Condition | None:
    """A condition of a custom resource, as a Condition; None where it was never written or is malformed."""
    for raw in _dicts(item.status.get("conditions") if item else None):
        if raw.get("type") == type_:
            at = raw.get("lastTransitionTime")
            return Condition(
                type=type_,
                status=str(raw.get("status") or ""),
                reason=str(raw.get("reason") or ""),
                message=str(raw.get("message") or ""),
                last_transition_time=_time(at),
            )
    return None


def waiting_checks(item: CustomObject | None) -> tuple[str, ...]:
    """Admission checks that are not Ready: `provisioning (Pending: …)`."""
    checks = _dicts(item.status.get("admissionChecks") if item else None)
    return tuple(
        f"{c.get('name')} ({': '.join(str(c[key]) for key in ('state', 'message') if c.get(key))})"
        for c in checks
        if c.get("state") != "Ready"
    )


def cluster_queue_of(queue: CustomObject | None) -> str:
    """`spec.clusterQueue` of a LocalQueue."""
    return str(queue.spec.get("clusterQueue") or "") if queue else ""


def local_queue(evidence: Evidence, namespace: str, name: str) -> CustomObject | None:
    """The LocalQueue of that name, if it was found."""
    return next((q for q in seen(evidence.local_queues) if (q.namespace, q.name) == (namespace, name)), None)


def cluster_queue(evidence: Evidence, name: str) -> CustomObject | None:
    """The ClusterQueue of that name, if it was found."""
    return next((q for q in seen(evidence.cluster_queues) if q.name == name), None)


def _dicts(value: object) -> Iterator[Mapping[str, Any]]:
    yield from (x for x in value if isinstance(x, Mapping)) if isinstance(value, (list, tuple)) else ()


def _time(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
