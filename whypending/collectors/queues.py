"""Queueing systems, gangs, Karpenter and DRA: read only where the Pod points at them."""

from __future__ import annotations

from functools import partial
from typing import Any

from whypending.evidence import Evidence, Gap, Known, seen
from whypending.objects.base import CustomObject
from whypending.objects.kinds import (
    CLUSTER_QUEUES,
    KUEUE_WORKLOADS,
    LOCAL_QUEUES,
    NODE_CLAIMS,
    NODE_POOLS,
    POD_GROUPS,
    RESOURCE_CLAIMS,
    VOLCANO_POD_GROUPS,
    VOLCANO_QUEUES,
    Kind,
)
from whypending.objects.pod import Pod
from whypending.sources.base import Query, Source

KUEUE_QUEUE = "kueue.x-k8s.io/queue-name"
VOLCANO_GROUP = "scheduling.k8s.io/group-name"
COSCHEDULING_GROUPS = (
    "scheduling.x-k8s.io/pod-group",
    "pod-group.scheduling.sigs.k8s.io",
    "pod-group.scheduling.sigs.k8s.io/name",
)


def of_pod(source: Source, evidence: Evidence) -> dict[str, Any]:
    """Kueue's queue and Workload, Volcano's or scheduler-plugins' PodGroup: of the Pod, else of its owner."""
    pod = evidence.the_pod
    workload = next(iter(seen(evidence.owners)), None)
    subject = pod or workload
    if subject is None:
        return {}
    namespace, labels, notes = subject.namespace, subject.metadata.labels, subject.metadata.annotations
    fields: dict[str, Any] = {}
    if KUEUE_QUEUE in labels or (pod is not None and _gated_by_kueue(pod)):
        fields |= _kueue(source, namespace)
    if group := notes.get(VOLCANO_GROUP) or labels.get(VOLCANO_GROUP):
        fields |= _volcano(source, namespace, group)
    elif group := next((labels[key] for key in COSCHEDULING_GROUPS if key in labels), ""):
        fields["pod_groups"] = _get(source, POD_GROUPS, namespace, group, "how many members the gang needs")
    return fields


def _gated_by_kueue(pod: Pod) -> bool:
    return any(g.name.startswith("kueue.x-k8s.io/") for g in pod.spec.scheduling_gates)


def _kueue(source: Source, namespace: str) -> dict[str, Any]:
    queries: dict[str, Query[CustomObject]] = {
        "local_queues": Query(
            kind=LOCAL_QUEUES, namespace=namespace, would_decide="whether the queue exists and where it leads"
        ),
        "cluster_queues": Query(kind=CLUSTER_QUEUES, would_decide="the quota that is left, and whether it is stopped"),
        "kueue_workloads": Query(
            kind=KUEUE_WORKLOADS, namespace=namespace, would_decide="what Kueue says of this Pod's admission"
        ),
    }
    return _read_all(source, queries)


def _volcano(source: Source, namespace: str, group: str) -> dict[str, Any]:
    known = _get(source, VOLCANO_POD_GROUPS, namespace, group, "whether the gang was let in, and how many it needs")
    queries = {"volcano_queues": Query(kind=VOLCANO_QUEUES, would_decide="the queue's capability and state")}
    return {"pod_groups": known, **_read_all(source, queries)}


def karpenter(source: Source, evidence: Evidence) -> dict[str, Any]:
    """NodePools and NodeClaims, if Karpenter has spoken of this Pod."""
    if not any(e.reporter == "karpenter" for e in seen(evidence.events)):
        return {}
    queries = {
        "node_pools": Query(kind=NODE_POOLS, would_decide="which NodePools the Pod fits"),
        "node_claims": Query(kind=NODE_CLAIMS, would_decide="whether a Node for it is being made"),
    }
    return _read_all(source, queries)


def claims(source: Source, evidence: Evidence) -> dict[str, Any]:
    """ResourceClaims (DRA) of the Pod, in any state."""
    pod = evidence.the_pod
    if pod is None or not pod.spec.resource_claims:
        return {}
    query = Query(
        kind=RESOURCE_CLAIMS, namespace=pod.namespace, would_decide="whether the Pod's ResourceClaims are allocated"
    )
    known = source.read(query)
    return {
        "resource_claims": known if isinstance(known, Gap) else tuple(c for c in known if c.name in _claims_of(pod))
    }


def _claims_of(pod: Pod) -> set[str]:
    made = {s.resource_claim_name or "" for s in pod.status.resource_claim_statuses}
    return made | {c.resource_claim_name for c in pod.spec.resource_claims}


def _get(source: Source, kind: Kind[CustomObject], namespace: str, name: str, decides: str) -> Known[CustomObject]:
    return source.read(Query(kind=kind, namespace=namespace, name=name, would_decide=decides))


def _read_all(source: Source, queries: dict[str, Query[CustomObject]]) -> dict[str, Any]:
    known = source.gather([partial(source.read, q) for q in queries.values()])
    return dict(zip(queries, known, strict=True))
