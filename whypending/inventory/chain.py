"""The two proof chains about a Pod that waits: what would show that it is served, and that nobody serves it; pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from whypending.diagnosis import Link, LinkState
from whypending.evidence import Evidence, Gap, LogLine, is_known, seen
from whypending.inventory.found import Scheduler, has_loaded, schedulers_in, serving
from whypending.inventory.leases import default_lease, is_held, is_own, lease_of
from whypending.inventory.life import last_bind, told_by
from whypending.inventory.process import DEFAULT
from whypending.objects.node import Lease
from whypending.objects.pod import Pod

SERVED, ORPHAN = "served", "orphan"
_SHOWN = 4


def links(evidence: Evidence) -> tuple[Link, ...]:
    """Both chains, `served` first; nothing where there is no Pod."""
    pod = evidence.the_pod
    if pod is None:
        return ()
    mine = serving(evidence, pod.scheduler_name)
    return (*_served(evidence, pod, mine), *_orphan(evidence, pod, mine))


def _served(evidence: Evidence, pod: Pod, mine: tuple[Scheduler, ...]) -> Iterator[Link]:
    yield _profile(evidence, pod, mine)
    yield _link(SERVED, "it has a node", pod.spec.node_name != "", pod.spec.node_name or "spec.nodeName is empty")
    yield _condition(pod)
    yield _scheduled_event(evidence, pod)
    yield _named_in_log(SERVED, evidence, pod)
    yield _leader(evidence, pod, mine)
    yield _bound(evidence, pod)


def _orphan(evidence: Evidence, pod: Pod, mine: tuple[Scheduler, ...]) -> Iterator[Link]:
    yield _link(ORPHAN, "it has no node", not pod.spec.node_name, pod.spec.node_name or "spec.nodeName is empty")
    scheduled = pod.condition("PodScheduled")
    told = f"{scheduled.status}, {scheduled.reason}" if scheduled else "status.conditions has no PodScheduled"
    yield _link(ORPHAN, "no scheduler has written a verdict", scheduled is None, told)
    refused = [e for e in seen(evidence.events) if e.reason == "FailedScheduling"]
    text = "no FailedScheduling Event"
    if isinstance(evidence.events, Gap):
        yield _unread(ORPHAN, text, evidence.events)
    else:
        told = f"by {refused[-1].reporter}: {refused[-1].text}" if refused else "none in this Pod's life"
        yield _link(ORPHAN, text, not refused, told, refused[-1].last_seen if refused else None)
    yield _named_in_log(ORPHAN, evidence, pod)
    yield _no_profile(evidence, pod, mine)


def _profile(evidence: Evidence, pod: Pod, mine: tuple[Scheduler, ...]) -> Link:
    """Of a running process that has read it."""
    text = f'a running scheduler has the profile "{pod.scheduler_name}"'
    known = [s for s in mine if s.names is not None]
    up = [s for s in known if s.is_up and has_loaded(s) is not False]
    if up:
        return _link(SERVED, text, holds=True, detail=_names_of(up[0]))
    if known:
        why = "changed after its process began" if known[0].is_up else "no Pod of it is ready"
        return _link(SERVED, text, holds=False, detail=f"{known[0].owner.ref}: {why}")
    return _look_up(SERVED, text, evidence, mine, found=False)


def _no_profile(evidence: Evidence, pod: Pod, mine: tuple[Scheduler, ...]) -> Link:
    text = f'no scheduler has the profile "{pod.scheduler_name}"'
    known = [s for s in mine if s.names is not None]
    if known:
        return _link(ORPHAN, text, holds=False, detail=_names_of(known[0]))
    return _look_up(ORPHAN, text, evidence, mine, found=True)


def _look_up(chain: str, text: str, evidence: Evidence, mine: tuple[Scheduler, ...], *, found: bool) -> Link:
    """Whether all that was found could be read, as only then the absence of a profile is seen."""
    unread = [s for s in schedulers_in(evidence) if s.names is None]
    if isinstance(evidence.scheduler_workloads, Gap):
        return _unread(chain, text, evidence.scheduler_workloads)
    if unread:
        first = next((s for s in mine if s.names is None), unread[0])
        return Link(
            chain=chain, text=text, state=LinkState.NOT_READABLE,
            detail=f"the configuration of {first.owner.ref} could not be read",
        )  # fmt: skip
    served = sorted({n for s in schedulers_in(evidence) for n in s.names or ()})
    told = f"found: {', '.join(served[:_SHOWN])}" if served else "no scheduler's configuration was found"
    return _link(chain, text, holds=found, detail=told)


def _condition(pod: Pod) -> Link:
    scheduled = pod.condition("PodScheduled")
    told = f"{scheduled.status}, {scheduled.reason}" if scheduled else "absent"
    holds = scheduled is not None and scheduled.status == "True"
    return _link(SERVED, "PodScheduled is True", holds, told, scheduled.last_transition_time if scheduled else None)


def _scheduled_event(evidence: Evidence, pod: Pod) -> Link:
    text = "a Scheduled Event by that profile"
    mine = [e for e in told_by(evidence, pod.scheduler_name) if e.reason == "Scheduled"]
    if mine:
        last = max(mine, key=lambda e: e.last_seen)
        return _link(
            SERVED, text, holds=True, detail=f"on Pod {last.about.namespace}/{last.about.name}", at=last.last_seen
        )
    gap = next((k for k in (evidence.scheduling_events, evidence.events) if isinstance(k, Gap)), None)
    if gap is not None:
        return _unread(SERVED, text, gap)
    return _link(SERVED, text, holds=False, detail="none of this Pod, and none of others")


def _named_in_log(chain: str, evidence: Evidence, pod: Pod) -> Link:
    """At default verbosity kube-scheduler's log names no Pod that it has no trouble with, so silence is weak."""
    text = "the scheduler's log names it" if chain == SERVED else "no log line of a scheduler names it"
    if not is_known(evidence.logs):
        assert isinstance(evidence.logs, Gap)  # noqa: S101 - for the type checker
        return _unread(chain, text, evidence.logs)
    line = next((x for x in seen(evidence.logs) if _names_pod(x, pod)), None)
    told = f"{line.origin}, line {line.number}" if line else "not in the lines that were read"
    return _link(chain, text, (line is not None) is (chain == SERVED), told)


def _names_pod(line: LogLine, pod: Pod) -> bool:
    return pod.name in line.text and f"{pod.namespace}/{pod.name}" in line.text


def _leader(evidence: Evidence, pod: Pod, mine: tuple[Scheduler, ...]) -> Link:
    text = "the Lease is held by one of its Pods"
    found = [(s, lease) for s in mine if (lease := lease_of(evidence, s)) is not None]
    default = default_lease(evidence) if pod.scheduler_name == DEFAULT else None
    if not found and default is not None:
        held = is_held(evidence, default)
        return _link(SERVED, "its Lease is held", held, _holder(default), default.spec.renew_time)
    if found:
        return _held(evidence, text, *found[0])
    if isinstance(evidence.leases, Gap):
        return _unread(SERVED, text, evidence.leases)
    missing = next((s.lease for s in mine if s.lease), None)
    told = f"Lease {missing[0]}/{missing[1]} was not found" if missing else "no Lease is known to be that scheduler's"
    return _link(SERVED, text, holds=False, detail=told)


def _held(evidence: Evidence, text: str, scheduler: Scheduler, lease: Lease) -> Link:
    own = is_own(evidence, scheduler, lease)
    if own is None and is_held(evidence, lease):
        return Link(
            chain=SERVED, text=text, state=LinkState.NOT_READABLE, at=lease.spec.renew_time,
            detail=f"{_holder(lease)}: with hostNetwork the name does not tell",
        )  # fmt: skip
    return _link(SERVED, text, bool(own) and is_held(evidence, lease), _holder(lease), lease.spec.renew_time)


def _holder(lease: Lease) -> str:
    return f"{lease.ref}: {lease.spec.holder_identity or 'nobody'}"


def _bound(evidence: Evidence, pod: Pod) -> Link:
    text = f'a Pod was bound by "{pod.scheduler_name}" lately'
    bind = last_bind(evidence, pod.scheduler_name)
    if bind is not None:
        return _link(SERVED, text, holds=True, detail=f"Pod {bind.pod}", at=bind.at)
    if isinstance(evidence.served, Gap):
        return _unread(SERVED, text, evidence.served)
    return _link(SERVED, text, holds=False, detail="no Pod with a node has that schedulerName")


def _names_of(scheduler: Scheduler) -> str:
    source = scheduler.configuration
    where = f"{source.source.ref}, data[{source.key}]" if source else "its flags"
    return f"{scheduler.owner.ref}, by {where}"


def _link(chain: str, text: str, holds: bool, detail: str = "", at: datetime | None = None) -> Link:
    state = LinkState.SEEN if holds else LinkState.MISSING
    return Link(chain=chain, text=text, state=state, detail=detail, at=at)


def _unread(chain: str, text: str, gap: Gap) -> Link:
    detail = f"{gap.what}: {gap.reason}" if gap.what else str(gap.reason)
    return Link(chain=chain, text=text, state=LinkState.NOT_READABLE, detail=detail)
