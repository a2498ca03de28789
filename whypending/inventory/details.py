"""Process, settings and Lease of a scheduler as records; pure."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.diagnosis import Confidence, SchedulerLease, SchedulerProcess, SchedulerSettings
from whypending.evidence import Evidence, seen
from whypending.inventory.configuration import KNOWN
from whypending.inventory.found import Scheduler, has_loaded, is_ready, main_container, started
from whypending.inventory.leases import DEFAULT_LEASE, host_of, is_held, is_own
from whypending.inventory.process import flags_of, known_by, release_of, schedulers_of, version_of
from whypending.objects.node import Lease
from whypending.objects.pod import ContainerStatus, Pod
from whypending.objects.workload import Workload

_TOLD = ("config", "scheduler-name", "leader-elect", "leader-elect-resource-name", "leader-elect-resource-namespace")
"""Flags that say what a scheduler serves and which Lease it needs."""


def process_record(group: tuple[Scheduler, ...]) -> SchedulerProcess:
    """The process of one scheduler; `group` has several where they are static Pods of one control plane."""
    first = group[0]
    container = main_container(first)
    pods = tuple(p for s in group for p in s.pods)
    statuses = tuple(_statuses(first, pods))
    times = tuple(t for s in group for t in started(s))
    return SchedulerProcess(
        ref=first.owner.ref if len(group) == 1 else f"{len(group)} Pods, {first.owner.ref} first",
        image=container.image if container else "",
        version=version_of(container) if container else "",
        wanted=first.owner.wanted if isinstance(first.owner, Workload) else len(group),
        ready=_ready(first, pods),
        restarts=sum(s.restart_count for s in statuses),
        why=_why(statuses),
        pods=tuple(f"{p.namespace}/{p.name}" for p in pods),
        started=max(times, default=None),
        service_account=first.template.service_account_name,
        known_by=known_by(container) if container else "",
    )


def settings_record(scheduler: Scheduler) -> SchedulerSettings:
    """Flags that matter, and the ConfigMap that they name."""
    flags = flags_of(scheduler.template)
    told = tuple(f"--{name}={value}" for name in _TOLD for value in flags.get(name, ()))
    found = scheduler.configuration
    if found is None:
        return SchedulerSettings(flags=told, profiles=tuple(sorted(scheduler.names or ())))
    container = main_container(scheduler)
    release = release_of(container) if container else None
    since, until = KNOWN.get(found.version, ((99, 0), (0, 0)))
    return SchedulerSettings(
        flags=told,
        source=found.source.ref,
        key=found.key,
        version=found.version,
        changed=found.source.changed,
        known_to_release=since <= release < until if release else None,
        loaded=has_loaded(scheduler),
        profiles=tuple(sorted(found.names)),
    )


def lease_record(
    evidence: Evidence, group: tuple[Scheduler, ...], path: tuple[str, str] | None, lease: Lease | None
) -> SchedulerLease | None:
    """The Lease; `found` is False where Leases of its namespace were read and it is not among them. None: not known."""
    if lease is None:
        if path is None or not any(x.namespace == path[0] for x in seen(evidence.leases)):
            return None
        return SchedulerLease(ref=f"Lease {path[0]}/{path[1]}", found=False)
    spec = lease.spec
    own = _is_own(evidence, group, lease)
    pod = _holder_pod(evidence, group, lease)
    return SchedulerLease(
        ref=lease.ref,
        holder=spec.holder_identity,
        holder_pod=f"{pod.namespace}/{pod.name}" if pod else "",
        is_own=own,
        confidence=Confidence.PROVED if own is not None and pod else Confidence.LIKELY,
        held=is_held(evidence, lease),
        acquired=spec.acquire_time,
        renewed=spec.renew_time,
        age=max(int((evidence.now - spec.renew_time).total_seconds()), 0) if spec.renew_time else None,
        transitions=spec.lease_transitions,
    )


def _is_own(evidence: Evidence, group: tuple[Scheduler, ...], lease: Lease) -> bool | None:
    answers = {is_own(evidence, s, lease) for s in group}
    return True if True in answers else None if None in answers or not answers else False


def _holder_pod(evidence: Evidence, group: tuple[Scheduler, ...], lease: Lease) -> Pod | None:
    """By the Pod's name, or with hostNetwork by its Node's, where one Pod alone is there."""
    host = host_of(lease)
    pods = {(p.namespace, p.name): p for p in (*seen(evidence.scheduler_pods), *(p for s in group for p in s.pods))}
    named = [p for p in pods.values() if host and host == p.name]
    on_node = [
        p for s in group if s.on_host_network or (s.is_default and (lease.namespace, lease.name) == DEFAULT_LEASE)
        for p in s.pods if host and p.spec.node_name == host
    ]  # fmt: skip
    return next(iter(named or (on_node if len(on_node) == 1 else [])), None)


def _statuses(scheduler: Scheduler, pods: tuple[Pod, ...]) -> Iterator[ContainerStatus]:
    mine = {c.name for c in schedulers_of(scheduler.template)}
    return (s for p in pods for s in p.status.container_statuses if s.name in mine)


def _ready(scheduler: Scheduler, pods: tuple[Pod, ...]) -> int | None:
    if pods:
        return sum(is_ready(p) for p in pods)
    status = scheduler.owner.status if isinstance(scheduler.owner, Workload) else None
    if status is None or (status.replicas is None and status.observed_generation is None):
        return None
    return status.ready_replicas or status.number_ready or 0


def _why(statuses: tuple[ContainerStatus, ...]) -> str:
    """How the newest run ended: `Error, exit code 1, 2026-…: its last words`; and what it waits for now."""
    ended = [t for s in statuses for t in (s.last_state.terminated, s.state.terminated) if t and t.finished_at]
    waits = next((s.state.waiting.reason for s in statuses if s.state.waiting), "")
    if not ended:
        return waits
    last = max(ended, key=lambda t: t.finished_at.timestamp() if t.finished_at else 0.0)
    words = " ".join(last.message.split())[-200:]
    told = ", ".join(x for x in (waits, last.reason, f"exit code {last.exit_code}") if x)
    return f"{told}: {words}" if words else told
