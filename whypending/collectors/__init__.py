"""From a Source to Evidence, in stages: the target first, then only what its class needs, concurrently."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from whypending.collectors import inventory, logs, nodes, owners, policy, queues, rbac, schedulers, storage, target
from whypending.collectors.wish import Wish
from whypending.diagnosis import Triage
from whypending.evidence import Evidence
from whypending.sources.base import Source
from whypending.triage import triage

Collector = Callable[[Source, Evidence], dict[str, Any]]
Following = Callable[[Source, Evidence, Wish], dict[str, Any]]
_ALL = Wish()

PLAN: dict[Triage, tuple[Collector, ...]] = {
    Triage.NO_POD: (owners.of_workload, policy.of_namespace, nodes.for_daemon_set),
    Triage.NOT_STUCK: (owners.of_workload,),
    Triage.SCHEDULED_NOT_READY: (owners.of_pod, owners.siblings, nodes.of_pod, storage.of_bound_pod, queues.claims),
    Triage.HELD: (owners.of_pod, queues.of_pod),
    Triage.UNSCHEDULABLE: (
        owners.of_pod,
        owners.siblings,
        nodes.every,
        nodes.neighbours,
        schedulers.default_lease,
        storage.of_pod,
        queues.of_pod,
        queues.claims,
        queues.karpenter,
    ),
    Triage.NO_SCHEDULER: (
        owners.of_pod,
        queues.of_pod,
        queues.claims,
        storage.of_pod,
        schedulers.processes,
        schedulers.binds,
        inventory.told_of_others,
    ),
    Triage.UNKNOWN: (owners.of_pod,),
}
"""What is read for each class, beyond the target and its Events."""

FOLLOWING: dict[Triage, tuple[Following, ...]] = {
    Triage.UNSCHEDULABLE: (logs.of_refusal,),
    Triage.NO_SCHEDULER: (logs.of_schedulers, rbac.of_schedulers),
}
"""What is read then, of the schedulers that were found; it does not change the class."""


def collect(  # noqa: PLR0913 - a name has three parts
    source: Source,
    kind: str,
    namespace: str,
    name: str,
    on_class: Callable[[Triage], object] = lambda _: None,
    *,
    wish: Wish = _ALL,
) -> Evidence:
    """Read what decides for one target.

    kind: `Pod` or a workload kind, as the API spells it. namespace "": the only one that has the name (files).
    on_class: called beside the reads, from any thread, with each class that they are made for.
    Raises NotFoundError, ForbiddenError or another SourceError where the target itself can't be read.
    """
    return complete(source, target.find(source, kind, namespace, name), on_class, wish=wish)


def complete(
    source: Source, evidence: Evidence, on_class: Callable[[Triage], object] = lambda _: None, *, wish: Wish = _ALL
) -> Evidence:
    """The evidence of the first stage with what its class needs beyond it; `on_class` as for `collect`."""
    ran: set[Collector] = set()
    for _ in range(len(Triage)):
        class_ = triage(evidence)
        wanted = [c for c in PLAN[class_] if c not in ran]
        if not wanted:
            break
        ran.update(wanted)
        _, *parts = source.gather([partial(on_class, class_), *(partial(c, source, evidence) for c in wanted)])
        merged = {field: value for part in parts for field, value in part.items()}
        evidence = msgspec.structs.replace(evidence, **merged)
    return _followed(source, evidence, wish)


def _followed(source: Source, evidence: Evidence, wish: Wish) -> Evidence:
    wanted = FOLLOWING.get(triage(evidence), ())
    parts = source.gather([partial(c, source, evidence, wish) for c in wanted]) if wanted else []
    merged = {field: value for part in parts for field, value in part.items()}
    partly = (*evidence.partly, *(gap for part in parts for gap in part.get("partly", ())))
    return msgspec.structs.replace(evidence, **{**merged, "partly": partly})
