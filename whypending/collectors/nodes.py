"""Nodes: the Pod's own with its Lease, or all of them."""

from __future__ import annotations

from functools import partial
from typing import Any

from whypending.evidence import Evidence
from whypending.objects.kinds import LEASES, NODES, PODS
from whypending.sources.base import Query, Source


def of_pod(source: Source, evidence: Evidence) -> dict[str, Any]:
    """The Node of spec.nodeName and its heartbeat Lease in kube-node-lease."""
    pod = evidence.the_pod
    if pod is None or not pod.spec.node_name:
        return {}
    name = pod.spec.node_name
    node = Query(kind=NODES, name=name, would_decide=f"whether Node {name} exists and is Ready")
    lease = Query(
        kind=LEASES,
        namespace="kube-node-lease",
        name=name,
        would_decide=f"whether the kubelet of {name} is alive",
    )
    known_node, known_lease = source.gather([partial(source.read, node), partial(source.read, lease)])
    return {"node": known_node, "node_lease": known_lease}


def neighbours(source: Source, evidence: Evidence) -> dict[str, Any]:
    """The Pods on the node that the scheduler nominated: those that are being ended make room there."""
    pod = evidence.the_pod
    name = pod.status.nominated_node_name if pod else ""
    if not name:
        return {}
    query = Query(
        kind=PODS,
        fields=f"spec.nodeName={name}",
        what=f"the Pods on {name}",
        would_decide="which Pods the scheduler ends to make room, and how long they may take",
    )
    return {"neighbours": source.read(query)}


def every(source: Source, evidence: Evidence) -> dict[str, Any]:
    """All Nodes."""
    del evidence
    query = Query(kind=NODES, would_decide="which Nodes the scheduler refused, and by which taint, label or resource")
    return {"nodes": source.read(query)}


def for_daemon_set(source: Source, evidence: Evidence) -> dict[str, Any]:
    """All Nodes, where the target is a DaemonSet that wants no Pod on any."""
    return every(source, evidence) if evidence.target.kind == "DaemonSet" else {}
