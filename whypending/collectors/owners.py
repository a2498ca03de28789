"""Who made the Pod: the owner chain up to the workload, what a workload made, and the Pod's siblings."""

from __future__ import annotations

from typing import Any

from whypending.collectors import events
from whypending.errors import UsageError
from whypending.evidence import Evidence, Gap, Known, seen
from whypending.objects.base import LabelSelector
from whypending.objects.kinds import JOBS, PODS, REPLICA_SETS, WORKLOADS, Kind
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload
from whypending.sources.base import Query, Source

_DECIDES = "which object owns the fields to change, and whether it is suspended or has other Pods"
_EVENTS_DECIDE = "what the controller said when it made, or could not make, the Pods"


def workload_kind(kind: str) -> Kind[Workload]:
    """The Kind of that name. Raises UsageError for one that does not own Pods."""
    found = next((k for k in WORKLOADS if k.kind == kind), None)
    if found is None:
        raise UsageError(
            f"A {kind} does not make Pods.", f"Name a Pod or one of {', '.join(k.kind for k in WORKLOADS)}."
        )
    return found


def of_pod(source: Source, evidence: Evidence) -> dict[str, Any]:
    """The Pod's controller, its controller, and so on; nearest first."""
    pod = evidence.the_pod
    if pod is None:
        return {}
    chain: list[Workload] = []
    reference = pod.metadata.controller
    while reference is not None and len(chain) < len(WORKLOADS):
        kind = next((k for k in WORKLOADS if k.kind == reference.kind), None)
        if kind is None:
            break
        query = Query(kind=kind, namespace=pod.namespace, name=reference.name, would_decide=_DECIDES)
        known = source.read(query)
        if isinstance(known, Gap):
            return {"owners": known if not chain else tuple(chain)}
        if not known:
            break
        chain.append(known[0])
        reference = known[0].metadata.controller
    return {"owners": tuple(chain)}


def siblings(source: Source, evidence: Evidence) -> dict[str, Any]:
    """Other Pods of the same controller: of a Pod that has ended, or that its own siblings may keep off a Node."""
    pod = evidence.the_pod
    controller = pod.metadata.controller if pod else None
    if pod is None or controller is None or not (pod.status.phase == "Failed" or _minds_siblings(pod)):
        return {}
    labels = ",".join(f"{k}={v}" for k, v in pod.metadata.labels.items() if k in _REVISION_LABELS)
    known = source.read(
        Query(kind=PODS, namespace=pod.namespace, labels=labels, would_decide="what its sibling Pods do")
    )
    if isinstance(known, Gap):
        return {"siblings": known}
    mine = tuple(p for p in known if p.name != pod.name and p.metadata.controller == controller)
    return {"siblings": mine}


def _minds_siblings(pod: Pod) -> bool:
    affinity = pod.spec.affinity
    apart = affinity is not None and affinity.pod_anti_affinity is not None
    ports = any(port.host_port for c in pod.spec.containers for port in c.ports)
    return not pod.spec.node_name and (apart or ports or bool(pod.spec.topology_spread_constraints))


_REVISION_LABELS = {"pod-template-hash", "controller-revision-hash", "batch.kubernetes.io/controller-uid"}


def of_workload(source: Source, evidence: Evidence) -> dict[str, Any]:
    """Events of the workload and of what it made."""
    workloads = seen(evidence.owners)
    return {"owner_events": events.of_objects(source, workloads, _EVENTS_DECIDE)}


def pods_of(source: Source, workload: Workload) -> tuple[tuple[Workload, ...], Known[Pod]]:
    """The workload with its current ReplicaSet or Job behind it, and their Pods."""
    chain: tuple[Workload, ...] = (workload,)
    middle = {"Deployment": REPLICA_SETS, "CronJob": JOBS}.get(workload.kind)
    if middle is not None:
        made = _made_by(source, workload, middle)
        if isinstance(made, Gap):
            return (chain, made)
        chain = (workload, *sorted(made, key=_newest)[:1])
        if len(chain) == 1:
            return (chain, ())
    owner = chain[-1]
    known = source.read(_pods_query(owner))
    if isinstance(known, Gap):
        return (chain, known)
    return (chain, tuple(p for p in known if _owned(p.metadata.owner_references, owner)))


def _made_by(source: Source, workload: Workload, kind: Kind[Workload]) -> Known[Workload]:
    known = source.read(
        Query(kind=kind, namespace=workload.namespace, labels=selector(workload.spec.selector), would_decide=_DECIDES)
    )
    if isinstance(known, Gap):
        return known
    return tuple(w for w in known if _owned(w.metadata.owner_references, workload))


def _pods_query(owner: Workload) -> Query[Pod]:
    return Query(
        kind=PODS,
        namespace=owner.namespace,
        labels=selector(owner.spec.selector),
        would_decide="which of its Pods are stuck",
    )


def _owned(references: tuple[Any, ...], owner: Workload) -> bool:
    uid = owner.metadata.uid
    return any(
        r.name == owner.name and r.kind == owner.kind and (not uid or not r.uid or r.uid == uid) for r in references
    )


def _newest(workload: Workload) -> tuple[int, float]:
    revision = workload.metadata.annotations.get("deployment.kubernetes.io/revision", "0")
    born = workload.metadata.creation_timestamp
    return (-int(revision) if revision.isdigit() else 0, -born.timestamp() if born else 0.0)


def selector(labels: LabelSelector | None) -> str:
    """A label selector as the API's query parameter writes it."""
    if labels is None:
        return ""
    parts = [f"{k}={v}" for k, v in labels.match_labels.items()]
    for requirement in labels.match_expressions:
        values = ",".join(requirement.values)
        match requirement.operator:
            case "In" | "NotIn":
                parts.append(f"{requirement.key} {requirement.operator.lower()} ({values})")
            case "Exists":
                parts.append(requirement.key)
            case "DoesNotExist":
                parts.append(f"!{requirement.key}")
            case _:
                pass
    return ",".join(parts)
