"""What may refuse a Pod's creation in its namespace: ResourceQuota, LimitRange, PriorityClass."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from whypending.evidence import Evidence, seen
from whypending.objects.kinds import LIMIT_RANGES, PRIORITY_CLASSES, QUOTAS
from whypending.sources.base import Query, Source


def of_namespace(source: Source, evidence: Evidence) -> dict[str, Any]:
    """Quotas and limit ranges of the namespace, and the PriorityClasses if the template names one."""
    namespace = evidence.target.namespace
    name = next((w.spec.template.spec.priority_class_name for w in seen(evidence.owners)), "")
    calls: list[Callable[[], Any]] = [
        partial(source.read, Query(kind=QUOTAS, namespace=namespace, would_decide="whether a quota is used up")),
        partial(source.read, Query(kind=LIMIT_RANGES, namespace=namespace, would_decide="whether a limit forbids it")),
    ]
    if name:
        query = Query(kind=PRIORITY_CLASSES, would_decide=f"whether PriorityClass {name} exists")
        calls.append(partial(source.read, query))
    fields = ("quotas", "limit_ranges", "priority_classes")
    return dict(zip(fields, source.gather(calls), strict=False))
