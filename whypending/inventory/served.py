"""Whether a schedulerName is served now, how sure that is, and what it rests on; pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from whypending.diagnosis import Confidence, NameState, ServedName
from whypending.evidence import Evidence, Gap, seen
from whypending.inventory.found import Scheduler, is_certain, known_names
from whypending.inventory.leases import certainty, ends, is_held, is_own, lease_of
from whypending.inventory.life import SAMPLE, WHOLE_SECONDS, Sign, last_bind, last_sign, untouched, waiting_for
from whypending.inventory.names import near_name
from whypending.inventory.process import BY_NAME, DEFAULT
from whypending.objects.node import Lease
from whypending.objects.pod import Pod

_LATELY = timedelta(minutes=5)
_LONG_ENOUGH = timedelta(minutes=1)
"""Until then a scheduler may only be slow, as in a fail-over."""
_SHOWN = 5
_QUIET = frozenset({"volcano", "yunikorn", "kai-scheduler"})
"""Schedulers of their own make: they may keep a Pod waiting without a condition, as for its queue or group."""


class Verdict(NamedTuple):
    """A state, how sure, and why as a clause: `Lease kube-system/kube-scheduler is renewed`."""

    state: NameState
    confidence: Confidence
    reason: str


def served_name(evidence: Evidence, name: str, schedulers: Iterable[Scheduler], lease: Lease | None) -> ServedName:
    """All that is known of one name. `schedulers`: those that serve it; `lease`: the one they need, if it was found."""
    mine = tuple(schedulers)
    waiting, ignored = waiting_for(evidence, name), untouched(evidence, name)
    verdict = verdict_on(evidence, name, mine, lease)
    near = "" if mine or name in BY_NAME else near_name(name, (known_names(evidence) | {DEFAULT}) - {name})
    return ServedName(
        name=name,
        state=verdict.state,
        confidence=verdict.confidence,
        reason=verdict.reason,
        how=_how(evidence, name, mine, lease),
        waiting=len(waiting),
        untouched=len(ignored),
        at_least=len(seen(evidence.waiting)) >= SAMPLE,
        oldest=min((p.metadata.creation_timestamp for p in waiting if p.metadata.creation_timestamp), default=None),
        pods=tuple(f"{p.namespace}/{p.name}" for p in (ignored or waiting)[:_SHOWN]),
        carried_by=tuple(dict.fromkeys(_owner(p) for p in waiting))[:_SHOWN],
        last_bind=last_bind(evidence, name),
        meant=near if verdict.state is not NameState.SERVED else "",
    )


def verdict_on(evidence: Evidence, name: str, mine: tuple[Scheduler, ...], lease: Lease | None) -> Verdict:
    """The Pods' own state decides; then the Lease; then the last sign of life; then whether a process is up."""
    sign, ignored = last_sign(evidence, name), untouched(evidence, name)
    if ignored and not _worked_after(sign, ignored[-1]):
        return _ignores(evidence, name, ignored[0])
    return (
        _without_leader(evidence, mine, lease, sign)
        or (_at_work(sign, sure=not ignored) if sign and evidence.now - sign.at <= _LATELY else None)
        or _by_process(evidence, mine, lease)
        or _without_process(evidence, name, sign)
    )


def _without_leader(
    evidence: Evidence, mine: tuple[Scheduler, ...], lease: Lease | None, sign: Sign | None
) -> Verdict | None:
    """Nobody holds the Lease, and nothing was done since."""
    if lease is None or is_held(evidence, lease):
        return None
    ended = ends(lease) or lease.spec.renew_time
    if sign is not None and ended is not None and sign.at > ended + WHOLE_SECONDS:
        return None
    sure = certainty(evidence, lease) if all(is_certain(s) for s in mine) else Confidence.LIKELY
    return Verdict(NameState.NOT_SERVED, sure, f"nobody holds {lease.ref}")


def _at_work(sign: Sign, *, sure: bool) -> Verdict:
    return Verdict(NameState.SERVED, Confidence.PROVED if sure else Confidence.LIKELY, f"it {sign.text}")


def _by_process(evidence: Evidence, mine: tuple[Scheduler, ...], lease: Lease | None) -> Verdict | None:
    if mine and not any(s.is_up for s in mine) and any(s.is_up is False for s in mine):
        return Verdict(NameState.NOT_SERVED, Confidence.LIKELY, "no Pod of it is ready")
    if lease is not None and mine and all(is_own(evidence, s, lease) is False for s in mine):
        return Verdict(NameState.NOT_SERVED, Confidence.LIKELY, f"{lease.ref} is held by somebody else")
    if lease is not None:
        return Verdict(NameState.SERVED, Confidence.LIKELY, f"{lease.ref} is renewed")
    if any(s.is_up for s in mine):
        return Verdict(NameState.SERVED, Confidence.POSSIBLE, "a Pod of it is ready, and no Lease or bind shows more")
    return None


def _ignores(evidence: Evidence, name: str, oldest: Pod) -> Verdict:
    born = oldest.metadata.creation_timestamp
    old = born is not None and evidence.now - born >= _LONG_ENOUGH
    known = BY_NAME.get(name)
    silent = known is not None and (known.is_managed or name in _QUIET)
    sure = Confidence.PROVED if old and not silent else Confidence.LIKELY
    reason = f"Pod {oldest.namespace}/{oldest.name} waits without a PodScheduled condition"
    return Verdict(NameState.NOT_SERVED, sure, reason)


def _without_process(evidence: Evidence, name: str, sign: Sign | None) -> Verdict:
    if sign is not None:
        return Verdict(NameState.UNKNOWN, Confidence.POSSIBLE, f"it last {sign.text}")
    if isinstance(evidence.scheduler_workloads, Gap) or isinstance(evidence.served, Gap) or name in BY_NAME:
        return Verdict(NameState.UNKNOWN, Confidence.POSSIBLE, "nothing that was read shows who serves it")
    return Verdict(NameState.NOT_SERVED, Confidence.LIKELY, "no scheduler of that name was found")


def lease_for(evidence: Evidence, schedulers: Iterable[Scheduler]) -> Lease | None:
    """The first Lease that one of them needs and that was found."""
    return next((x for s in schedulers if (x := lease_of(evidence, s)) is not None), None)


def _worked_after(sign: Sign | None, pod: Pod) -> bool:
    born: datetime | None = pod.metadata.creation_timestamp
    return sign is not None and born is not None and sign.at > born + WHOLE_SECONDS


def _how(evidence: Evidence, name: str, mine: tuple[Scheduler, ...], lease: Lease | None) -> str:
    """What the name is known from."""
    for scheduler in mine:
        if scheduler.names is None:
            continue
        source = scheduler.configuration
        return f"{source.source.ref}, data[{source.key}]" if source else f"flags of {scheduler.owner.ref}"
    if any(s.names is None for s in mine):
        return f"the name of {mine[0].owner.ref} alone"
    known = BY_NAME.get(name)
    if lease is not None:
        return lease.ref
    if last_bind(evidence, name):
        return "Pods that it bound"
    return f"the usual name of {known.project}" if known else "Pods that wait for it"


def _owner(pod: Pod) -> str:
    """The workload that the Pod is of; a ReplicaSet is called by the Deployment that its hash speaks of."""
    owner = pod.metadata.controller
    if owner is None:
        return pod.ref
    stem = owner.name.removesuffix(f"-{pod.metadata.labels.get('pod-template-hash', '-')}")
    if owner.kind == "ReplicaSet" and stem != owner.name:
        return f"Deployment {pod.namespace}/{stem}"
    return f"{owner.kind} {pod.namespace}/{owner.name}"
