"""karpenter-incompatible: Karpenter finds no NodePool or instance type that is compatible with the Pod.

What it means
    Karpenter would make a node for this Pod, but none that its NodePools allow fits: labels, zones, taints, sizes,
    or the pool's limit.

How it is recognised
    The newest `FailedScheduling` Event whose reporter is karpenter: proved. Its reasons for each NodePool are quoted.

What to do
    Change the NodePool's requirements, taints or limits, or the Pod's demands.

Limits
    It tells why no node comes. The scheduler's own reasons stand beside it.

References
    Karpenter 0.30 to 1.14, provisioning/scheduling; karpenter.sh "NodePools".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._told import told_all
from whypending.classifiers.unschedulable._verdict import cite_event, newest, parse
from whypending.classifiers.unschedulable._words import sentence, unique
from whypending.diagnosis import Citation, Finding, Remedy, Role, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.base import CustomObject

CAUSE = Cause("WP336", "karpenter-incompatible", Triage.UNSCHEDULABLE)
_SHOWN = 4


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    pod = evidence.the_pod
    event = newest(evidence, "FailedScheduling", by=("karpenter",))
    nominated = newest(evidence, "Nominated", by=("karpenter",))
    if pod is None or event is None or (nominated and nominated.last_seen > event.last_seen):
        return
    reasons = parse(event.text).reasons
    texts = unique(r.text for r in reasons if "says" not in dict(r.details)) or (event.text,)
    more = f"; and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    facts = {key: value for r in reasons for key, value in r.details}
    yield CAUSE.finding(
        sentence(f"Karpenter can make no node for {pod.ref}: {'; '.join(texts[:_SHOWN])}{more}"),
        role=Role.CONTRIBUTING if told_all(evidence) else Role.CAUSE,
        citations=(cite_event(event, pod), *(c for p in seen(evidence.node_pools)[:3] for c in _cite(p))),
        remedies=_remedies(facts),
    )


def _cite(pool: CustomObject) -> Iterator[Citation]:
    limits = pool.spec.get("limits")
    if isinstance(limits, dict) and limits:
        yield Citation(object=pool.ref, field="spec.limits", value=", ".join(f"{k}={v}" for k, v in limits.items()))


def _remedies(facts: dict[str, str]) -> Iterator[Remedy]:
    yield look("See the NodePools' requirements, taints and limits.", "kubectl get nodepools -o yaml")
    pool = f"NodePool {facts['nodepool']}" if "nodepool" in facts else "a NodePool"
    match facts.get("why", ""):
        case "nodepool-limit":
            yield change(f"Raise spec.limits of {pool}, or free what it has given out.")
        case "no-nodepool":
            yield change("Create a NodePool, or wait until it is Ready.")
        case "untolerated-taint" | "startup-taint-left":
            yield change(f"Tolerate the taint of {pool} in the Pod, or take it out of the pool's template.")
        case _:
            yield change(f"Widen the requirements of {pool}, or correct what the Pod demands.")
