"""Workloads whose Pods were never made: the class that no list of Pods shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from whypending.collectors.queues import KUEUE_QUEUE
from whypending.evidence import Gap, seen
from whypending.objects.kinds import (
    DAEMON_SETS,
    DEPLOYMENTS,
    JOBS,
    REPLICA_SETS,
    REPLICATION_CONTROLLERS,
    STATEFUL_SETS,
    Kind,
)
from whypending.objects.workload import Workload
from whypending.sources.base import Query, Source
from whypending.sweep.model import Scope
from whypending.triage import SCHEDULING_LATENCY, age_of, is_suspended

Keep = Callable[[Workload], Workload | None]


def lacking(source: Source, scope: Scope) -> tuple[tuple[Workload, ...], tuple[Gap, ...]]:
    """Those with fewer Pods than they want, each chain's highest alone, and the kinds that could not be read."""
    known = source.gather([partial(source.read, _query(kind, keep, scope)) for kind, keep in _KINDS])
    gaps = tuple(k for k in known if isinstance(k, Gap) and source.kind == "live")
    found = [w for k in known for w in seen(k) if _is_old_enough(w, source)]
    named = {(w.namespace, w.kind, w.name) for w in found}
    return tuple(w for w in found if not _is_below(w, named)), gaps


def _query(kind: Kind[Workload], keep: Keep, scope: Scope) -> Query[Workload]:
    return Query(
        kind=kind,
        namespace=scope.namespace,
        labels=scope.labels,
        keep=keep,
        would_decide="whether its Pods were made",
    )


def _is_old_enough(workload: Workload, source: Source) -> bool:
    """Never too young by a clock that may be slow."""
    return source.clock_is_floor or age_of(workload.metadata.creation_timestamp, source.now) >= SCHEDULING_LATENCY


def _is_below(workload: Workload, named: set[tuple[str, str, str]]) -> bool:
    owner = workload.metadata.controller
    return owner is not None and (workload.namespace, owner.kind, owner.name) in named


def _short_of_replicas(workload: Workload) -> Workload | None:
    """Deployment, ReplicaSet, StatefulSet, ReplicationController."""
    wanted = 1 if workload.spec.replicas is None else workload.spec.replicas
    short = (workload.status.replicas or 0) < wanted and not is_suspended(workload)
    return workload if _lives(workload) and (short or is_refused(workload)) else None


def _short_of_nodes(workload: Workload) -> Workload | None:
    """DaemonSet."""
    status = workload.status
    short = (status.current_number_scheduled or 0) < (status.desired_number_scheduled or 0)
    return workload if _lives(workload) and short else None


def _idle(job: Workload) -> Workload | None:
    """Job: not ended, no Pod of it runs or waits, and not suspended but by Kueue, whose queue then is the cause."""
    over = any((c := job.condition(t)) is not None and c.status == "True" for t in ("Complete", "Failed"))
    if over or job.status.active or job.spec.parallelism == 0 or not _lives(job):
        return None
    return job if not job.spec.suspend or KUEUE_QUEUE in job.metadata.labels else None


def _lives(workload: Workload) -> bool:
    return workload.metadata.deletion_timestamp is None


def is_refused(workload: Workload) -> bool:
    """Its controller says that a Pod could not be made."""
    refused = workload.condition("ReplicaFailure")
    return refused is not None and refused.status == "True"


_KINDS: tuple[tuple[Kind[Workload], Keep], ...] = (
    (DEPLOYMENTS, _short_of_replicas),
    (REPLICA_SETS, _short_of_replicas),
    (STATEFUL_SETS, _short_of_replicas),
    (DAEMON_SETS, _short_of_nodes),
    (JOBS, _idle),
    (REPLICATION_CONTROLLERS, _short_of_replicas),
)
"""A list's items do not say their kind yet when they are kept or dropped."""
