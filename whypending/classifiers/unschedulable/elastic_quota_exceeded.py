"""elastic-quota-exceeded: a quota inside the scheduler (elastic quota, queue capability) is used up.

What it means
    The scheduler keeps a budget for the Pod's namespace or queue. The Pod would go beyond it, so it is not placed,
    even where nodes have room.

How it is recognised
    `rejected in PreFilter because ElasticQuota … is more than Max`, `Insufficient quotas, quotaName: …`, `queue
    resource quota insufficient` and the like in the verdict: proved. The quota's `max` and `used` are quoted where
    they could be read.

What to do
    Raise the quota's max, or end Pods that use it.

Limits
    Quotas that borrow from each other are not computed here.

References
    scheduler-plugins CapacityScheduling; Koordinator ElasticQuota; Volcano capacity; KAI queues.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.base import CustomObject

CAUSE = Cause("WP331", "elastic-quota-exceeded", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    kind = "queues" if this.verdict.message.family in {"volcano", "kai"} else "elasticquotas"
    scope = "" if kind == "queues" else f" -n {shlex.quote(this.pod.namespace)}"
    yield CAUSE.finding(
        sentence(f"{_message(this)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(c for q in _quotas(evidence, this) for c in _cite(q))),
        remedies=(
            look("See what the quota allows and what is used.", f"kubectl{scope} get {kind} -o yaml"),
            change("Raise the quota's maximum, or end Pods that use it."),
        ),
    )


def _message(this: Told) -> str:
    name = this.fact("quota") or this.fact("queue")
    which = f"The scheduler's quota {name}" if name else "A quota of the scheduler"
    return f"{which} leaves no room for {this.pod.ref}: {this.words.rstrip('. ')}"


def _quotas(evidence: Evidence, this: Told) -> tuple[CustomObject, ...]:
    name = (this.fact("quota") or this.fact("queue")).rpartition("/")[2]
    every = (*seen(evidence.elastic_quotas), *seen(evidence.volcano_queues))
    return tuple(q for q in every if not name or q.name == name)


def _cite(quota: CustomObject) -> Iterator[Citation]:
    parts: tuple[tuple[str, Any], ...] = (
        ("spec.max", quota.spec.get("max")),
        ("spec.capability", quota.spec.get("capability")),
        ("status.used", quota.status.get("used")),
        ("status.allocated", quota.status.get("allocated")),
    )
    for field, value in parts:
        if isinstance(value, Mapping):
            yield Citation(object=quota.ref, field=field, value=", ".join(f"{k}={v}" for k, v in sorted(value.items())))
