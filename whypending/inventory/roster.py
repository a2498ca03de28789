"""The schedulers of a cluster as records: those that were found, and names that Pods wait for; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whypending.diagnosis import NameState, SchedulerRecord, ServedName
from whypending.evidence import Evidence, Gap, seen
from whypending.inventory.details import lease_record, process_record, settings_record
from whypending.inventory.found import Scheduler, known_names, schedulers_in
from whypending.inventory.leases import DEFAULT_LEASE, find_lease
from whypending.inventory.life import last_bind, told_by, waiting_pods
from whypending.inventory.process import BY_NAME, DEFAULT, KUBE_SCHEDULER, family_of, schedulers_of
from whypending.inventory.served import lease_for, served_name
from whypending.objects.node import Lease

_UNSEEN = "no process of it can be seen, as on a managed control plane: only its Lease, binds and Events show its life"


def records(evidence: Evidence) -> tuple[SchedulerRecord, ...]:
    """Orphan names first, then other trouble, then the rest; within these the default scheduler first."""
    groups = _groups(schedulers_in(evidence))
    found = [_of_process(evidence, group) for group in groups]
    named = {n.name for record in found for n in record.names}
    found += [_of_name(evidence, name) for name in sorted(_names(evidence) - named)]
    return tuple(sorted(found, key=_order))


def all_served(found: tuple[SchedulerRecord, ...]) -> bool:
    """Every name that Pods wait for is served by a scheduler that lives."""
    names = [n for record in found for n in record.names]
    alive = {n.name for n in names if n.state is NameState.SERVED}
    return all(n.name in alive for n in names if n.waiting)


def _order(record: SchedulerRecord) -> tuple[int, bool, str]:
    waits = any(n.waiting and n.state is not NameState.SERVED for n in record.names)
    down = any(n.state is not NameState.SERVED for n in record.names)
    rank = 0 if waits and record.process is None else 1 if waits else 2 if down and record.process else 3
    return (rank, all(n.name != DEFAULT for n in record.names), record.title)


def _names(evidence: Evidence) -> frozenset[str]:
    """Names that need a record: of Pods that wait or were bound, of Events, and the default's if its Lease is there."""
    waited = {p.scheduler_name for p in waiting_pods(evidence)}
    told = {e.reporter for e in seen(evidence.scheduling_events) if next(told_by(evidence, e.reporter), None)}
    default = {DEFAULT} if find_lease(evidence, DEFAULT_LEASE) else set()
    return known_names(evidence) | waited | {t for t in told if t} | default


def _groups(found: tuple[Scheduler, ...]) -> Iterator[tuple[Scheduler, ...]]:
    """The static Pods of one control plane are one scheduler; each other one stands alone."""
    default = tuple(s for s in found if s.is_default)
    if default:
        yield default
    yield from ((s,) for s in found if not s.is_default)


def _of_process(evidence: Evidence, group: tuple[Scheduler, ...]) -> SchedulerRecord:
    first = group[0]
    lease = lease_for(evidence, group)
    told = frozenset(n for s in group for n in s.names or ())
    names = told or ({DEFAULT} if first.is_default else _akin(evidence, first))
    return SchedulerRecord(
        title=KUBE_SCHEDULER if first.is_default else first.owner.ref,
        family=family_of(names, schedulers_of(first.template), first.owner.name),
        names=tuple(_name(evidence, name, group, lease) for name in sorted(names)),
        process=process_record(group),
        settings=settings_record(first),
        lease=lease_record(evidence, group, first.lease, lease),
        notes=(*_notes(evidence, first, lease), *_way(sorted(names)), *_candidates(evidence, lease)),
    )


def _name(evidence: Evidence, name: str, group: tuple[Scheduler, ...], lease: Lease | None) -> ServedName:
    """Of several schedulers that say they serve a name, each is judged by its own Lease."""
    return served_name(evidence, name, group, lease)


def _akin(evidence: Evidence, scheduler: Scheduler) -> frozenset[str]:
    """Names that it may serve, as its configuration could not be read."""
    known = _waited(evidence) | {s.scheduler_name for s in seen(evidence.served)}
    return frozenset(n for n in known if scheduler.may_serve(n))


def _waited(evidence: Evidence) -> set[str]:
    return {p.scheduler_name for p in waiting_pods(evidence)}


def _of_name(evidence: Evidence, name: str) -> SchedulerRecord:
    """A name without a process: an orphan, or a scheduler that can't be seen."""
    lease = find_lease(evidence, DEFAULT_LEASE) if name == DEFAULT else _lease_called(evidence, name)
    judged = served_name(evidence, name, (), lease)
    known = BY_NAME.get(name)
    unseen = name == DEFAULT or last_bind(evidence, name) or lease
    notes = (
        [_UNSEEN] if unseen else [f"{known.project} runs it outside the cluster"] if known and known.is_managed else []
    )
    notes += [*_way((name,)), *_candidates(evidence, lease)]
    return SchedulerRecord(
        title=name,
        family=known.project if known else "",
        names=(judged,),
        lease=lease_record(evidence, (), (lease.namespace, lease.name) if lease else None, lease),
        notes=tuple(notes),
    )


def _lease_called(evidence: Evidence, name: str) -> Lease | None:
    return next((x for x in seen(evidence.leases) if x.name == name), None)


def _notes(evidence: Evidence, scheduler: Scheduler, lease: Lease | None) -> Iterator[str]:
    if scheduler.names is None:
        yield "which names it serves could not be read: its configuration is not readable"
    if scheduler.lease is None and scheduler.names is not None:
        yield "it runs without leader election, so no Lease proves its life"
    if lease is not None:
        sharing = [
            s.owner.ref
            for s in schedulers_in(evidence)
            if s.lease == scheduler.lease and s.owner.ref != scheduler.owner.ref
        ]
        sharing = [] if scheduler.is_default and all("Pod" in s for s in sharing) else sharing
        if sharing:
            yield f"it shares {lease.ref} with {', '.join(sharing[:3])}: only one of them ever works"
    if isinstance(evidence.scheduler_pods, Gap):
        yield "its Pods could not be read"


def _way(names: Iterable[str]) -> Iterator[str]:
    known = (BY_NAME[name] for name in names if name in BY_NAME)
    yield from dict.fromkeys(k.way for k in known if k.way)


def _candidates(evidence: Evidence, lease: Lease | None) -> Iterator[str]:
    """LeaseCandidates (coordinated leader election): who stands for the Lease, and of which release."""
    found = seen(evidence.lease_candidates) if lease else ()
    mine = [c for c in found if lease and (c.namespace, c.spec.get("leaseName")) == (lease.namespace, lease.name)]
    if mine:
        told = ", ".join(f"{c.name} ({c.spec.get('binaryVersion') or 'release not told'})" for c in mine[:3])
        yield f"LeaseCandidates for it: {told}"
