"""Signs of life of a schedulerName: binds, verdicts, and Pods that nobody has looked at; pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec

from whypending.diagnosis import LastBind
from whypending.evidence import Evidence, seen
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.triage import BY_AUTOSCALERS, SCHEDULING_LATENCY

WHOLE_SECONDS = timedelta(seconds=2)
"""A Pod's times are in whole seconds, and of two machines."""
SAMPLE = 500
"""How many Pods of a kind are looked at, at most."""


class Sign(msgspec.Struct, frozen=True):
    """Something that only a working scheduler does: at what time, and to which Pod."""

    at: datetime
    text: str
    source: str


def last_sign(evidence: Evidence, name: str) -> Sign | None:
    """The newest sign of life of that name."""
    return max(signs(evidence, name), key=lambda s: s.at, default=None)


def signs(evidence: Evidence, name: str) -> Iterator[Sign]:
    """Binds (conditions and Events) and refusals (likewise) by a scheduler of that name; any order."""
    for served in seen(evidence.served):
        if served.scheduler_name == name and served.bound_at:
            yield Sign(served.bound_at, f"bound {served.pod}", f"Pod {served.pod} status.conditions[type=PodScheduled]")
    for event in told_by(evidence, name):
        verb = "bound" if event.reason == "Scheduled" else "judged"
        path = f"{event.about.namespace}/{event.about.name}"
        yield Sign(event.last_seen, f"{verb} {path}", f"Event {event.reason} on Pod {path}")
    for pod in waiting_for(evidence, name):
        scheduled = pod.condition("PodScheduled")
        at = scheduled.last_transition_time if scheduled else None
        if scheduled and at and scheduled.reason != "SchedulingGated":
            path = f"{pod.namespace}/{pod.name}"
            yield Sign(at, f"judged {path}", f"Pod {path} status.conditions[type=PodScheduled]")


def told_by(evidence: Evidence, name: str) -> Iterator[Event]:
    """`Scheduled` and `FailedScheduling` of any Pod that a profile of that name wrote."""
    for event in (*seen(evidence.scheduling_events), *seen(evidence.events)):
        scheduling = event.reason in {"Scheduled", "FailedScheduling"} and event.last_seen.year > 1
        if scheduling and event.reporter == name and event.reporter not in BY_AUTOSCALERS:
            yield event


def last_bind(evidence: Evidence, name: str) -> LastBind | None:
    """The newest bind by that name: PodScheduled=True since, or a `Scheduled` Event."""
    mine = [s for s in seen(evidence.served) if s.scheduler_name == name]
    told = [e for e in told_by(evidence, name) if e.reason == "Scheduled"]
    binds = [LastBind(pod=s.pod, at=s.bound_at) for s in mine]
    binds += [LastBind(pod=f"{e.about.namespace}/{e.about.name}", at=e.last_seen) for e in told]
    dated = [b for b in binds if b.at]
    return max(dated, key=lambda b: b.at.timestamp() if b.at else 0.0) if dated else next(iter(binds), None)


def waiting_pods(evidence: Evidence) -> tuple[Pod, ...]:
    """Pods without a node that nothing holds on purpose: the one in question and the sample of others."""
    found = {(p.namespace, p.name): p for p in (*seen(evidence.pod), *seen(evidence.waiting))}
    return tuple(p for p in found.values() if not p.spec.node_name and not _is_held(p) and _is_pending(p))


def waiting_for(evidence: Evidence, name: str) -> tuple[Pod, ...]:
    """Those of that schedulerName."""
    return tuple(p for p in waiting_pods(evidence) if p.scheduler_name == name)


def untouched(evidence: Evidence, name: str) -> tuple[Pod, ...]:
    """Those that no scheduler has judged although a working one would have; oldest first.

    Left out are Pods with a ResourceClaim or a scheduling group: kube-scheduler itself leaves them in silence while
    what they name does not exist (PreEnqueue of DynamicResources and GangScheduling).
    """
    old = [p for p in waiting_for(evidence, name) if p.condition("PodScheduled") is None and _is_due(p, evidence.now)]
    return tuple(sorted(old, key=lambda p: p.metadata.creation_timestamp or evidence.now))


def _is_due(pod: Pod, now: datetime) -> bool:
    born = pod.metadata.creation_timestamp
    silent = pod.spec.resource_claims or pod.spec.scheduling_group or pod.spec.workload_ref
    return born is not None and now - born >= SCHEDULING_LATENCY and not silent


def _is_pending(pod: Pod) -> bool:
    return pod.status.phase in {"", "Pending"} and pod.metadata.deletion_timestamp is None


def _is_held(pod: Pod) -> bool:
    scheduled = pod.condition("PodScheduled")
    return bool(pod.spec.scheduling_gates) or (scheduled is not None and scheduled.reason == "SchedulingGated")
