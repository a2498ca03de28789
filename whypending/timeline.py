"""What happened in a Pod's life, oldest first: its own fields, its scheduler's Lease, its Events, its node.

Pure. Only times that something records are told: what has none (a gate that was lifted) is not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from whypending.diagnosis import Moment
from whypending.evidence import Evidence, seen
from whypending.objects.event import Event
from whypending.objects.node import Lease
from whypending.objects.pod import ContainerStatus, Pod, StateTerminated
from whypending.objects.times import later, seconds
from whypending.triage import is_refusal

MOST = 200
"""Moments: the oldest fifth and the newest of a longer life are kept."""
_LONGEST = 300
_DEFAULT = "kube-scheduler"
_DURATION = 15
"""leaseDurationSeconds where the Lease does not say."""
_NEAR = timedelta(seconds=2)
_NAMED_BY_FIELDS = {"Started", "Created", "Scheduled"}
"""Reasons of Events that say again what a field says with a better source or time."""


def timeline(evidence: Evidence) -> tuple[Moment, ...]:
    """Every recorded moment of the target up to the source's clock; empty where there is no Pod."""
    pod = evidence.the_pod
    if pod is None:
        return ()
    told = [*_of_pod(pod, evidence.now), *_of_containers(pod), *_of_leases(pod, evidence), *_of_node(evidence)]
    told += _of_events(seen(evidence.events), told)
    distinct = sorted(dict.fromkeys(told), key=lambda moment: moment.at)
    return tuple(distinct if len(distinct) <= MOST else _shortened(distinct))


def _shortened(moments: list[Moment]) -> list[Moment]:
    head = MOST // 5
    first = moments[head]
    left = Moment(at=first.at, text=f"{len(moments) - MOST} moments are left out here", source=first.source)
    return [*moments[:head], left, *moments[head - MOST :]]


def _of_pod(pod: Pod, now: datetime) -> Iterator[Moment]:
    yield from _at(pod.metadata.creation_timestamp, "created", _field(pod, "metadata.creationTimestamp"))
    scheduled = pod.condition("PodScheduled")
    if scheduled is not None:
        source = _field(pod, "status.conditions[type=PodScheduled]")
        yield from _at(scheduled.last_transition_time, _verdict(pod, scheduled.status, scheduled.reason), source)
    if pod.status.nominated_node_name and not pod.spec.node_name:
        text = f"nominated to node {pod.status.nominated_node_name}, where room is made for it"
        yield Moment(at=now, text=text, source=_field(pod, "status.nominatedNodeName"))
    yield from _at(pod.status.start_time, "taken up by the kubelet", _field(pod, "status.startTime"))
    for condition in pod.status.conditions:
        if condition.type in {"PodReadyToStartContainers", "Ready", "DisruptionTarget"} and condition.status == "True":
            reason = f" ({condition.reason})" if condition.reason else ""
            source = _field(pod, f"status.conditions[type={condition.type}]")
            yield from _at(condition.last_transition_time, f"condition {condition.type} became True{reason}", source)
    deleted = pod.metadata.deletion_timestamp
    if deleted is not None:
        grace = seconds(-(pod.metadata.deletion_grace_period_seconds or 0))
        yield Moment(at=later(deleted, grace), text="deleted", source=_field(pod, "metadata.deletionTimestamp"))


def _verdict(pod: Pod, status: str, reason: str) -> str:
    gates = ", ".join(gate.name for gate in pod.spec.scheduling_gates)
    if status == "True":
        return f"bound to node {pod.spec.node_name}" if pod.spec.node_name else "bound"
    if reason == "SchedulingGated":
        return f"held by its scheduling gates {gates}" if gates else "held by scheduling gates"
    return f"refused by its scheduler: {reason or 'no reason given'}"


def _of_containers(pod: Pod) -> Iterator[Moment]:
    status = pod.status
    for field, statuses in (
        ("initContainerStatuses", status.init_container_statuses),
        ("containerStatuses", status.container_statuses),
    ):
        for container in statuses:
            yield from _of_container(container, _field(pod, f"status.{field}[name={container.name}]"))


def _of_container(container: ContainerStatus, source: str) -> Iterator[Moment]:
    who = f'container "{container.name}"'
    state, last = container.state, container.last_state
    restarts = f" (restart {container.restart_count})" if container.restart_count else ""
    if last.terminated:
        yield from _of_run(who, "", last.terminated, f"{source}.lastState.terminated")
    if state.running:
        yield from _at(state.running.started_at, f"{who} started{restarts}", f"{source}.state.running.startedAt")
    if state.terminated:
        yield from _of_run(who, restarts, state.terminated, f"{source}.state.terminated")


def _of_run(who: str, restarts: str, run: StateTerminated, source: str) -> Iterator[Moment]:
    reason = f", {run.reason}" if run.reason else ""
    yield from _at(run.started_at, f"{who} started{restarts}", f"{source}.startedAt")
    yield from _at(run.finished_at, f"{who} ended with exit code {run.exit_code}{reason}", f"{source}.finishedAt")


def _of_leases(pod: Pod, evidence: Evidence) -> Iterator[Moment]:
    """Of the Pod's own scheduler, as far as a Lease's name tells whose it is; else of all but the default's."""
    leases = [x for x in seen(evidence.leases) if x.spec.renew_time or x.spec.acquire_time]
    wanted = _DEFAULT if pod.scheduler_name == "default-scheduler" else pod.scheduler_name
    own = [x for x in leases if x.name == wanted]
    others = [x for x in leases if "scheduler" in x.name and x.name != _DEFAULT] if wanted != _DEFAULT else []
    for lease in own or others:
        yield from _of_lease(lease, evidence.now)


def _of_lease(lease: Lease, now: datetime) -> Iterator[Moment]:
    spec = lease.spec
    number = f", change {spec.lease_transitions} of holder" if spec.lease_transitions else ""
    if spec.holder_identity:
        text = f"{lease.ref} acquired by {spec.holder_identity}{number}"
        yield from _at(spec.acquire_time, text, f"{lease.ref} spec.acquireTime")
    if spec.renew_time is None or lease.alive(now):
        return
    if not spec.holder_identity:
        yield from _at(spec.renew_time, f"{lease.ref} given back by its holder", f"{lease.ref} spec.renewTime")
        return
    yield from _at(spec.renew_time, f"{lease.ref} renewed for the last time", f"{lease.ref} spec.renewTime")
    end = later(spec.renew_time, seconds(spec.lease_duration_seconds or _DURATION))
    source = f"{lease.ref} spec.renewTime + spec.leaseDurationSeconds"
    yield Moment(at=end, text=f"{lease.ref} lost: it ran out", source=source)


def _of_node(evidence: Evidence) -> Iterator[Moment]:
    node = evidence.the_node
    if node is None:
        return
    ready = node.condition("Ready")
    if ready is not None and ready.status != "True":
        text = f"{node.ref} became not ready ({ready.reason or ready.status})"
        yield from _at(ready.last_transition_time, text, f"{node.ref} status.conditions[type=Ready]")
    for taint in node.spec.taints:
        yield from _at(taint.time_added, f"{node.ref} tainted {taint}", f"{node.ref} spec.taints")
    beat = next(iter(seen(evidence.node_lease)), None)
    if beat is not None and not beat.alive(evidence.now):
        yield from _at(
            beat.spec.renew_time, f"the kubelet of {node.ref} spoke for the last time", f"{beat.ref} spec.renewTime"
        )


def _of_events(events: tuple[Event, ...], told: list[Moment]) -> Iterator[Moment]:
    """First and last time of each; a scheduler's refusals of one text are one run of attempts."""
    for event in events:
        if event.reason in _NAMED_BY_FIELDS and any(_says_the_same(event, moment) for moment in told):
            continue
        what = f"scheduling attempt by {event.reporter} failed" if is_refusal(event) else event.reason
        who = f"Event {event.reason} by {event.reporter}" if event.reporter else f"Event {event.reason}"
        text = f"{what}: {_short(event.text)}" if event.text else what
        if event.times <= 1 or event.last_seen <= event.first_seen:
            often = f" ({event.times} times)" if event.times > 1 else ""
            yield from _at(event.last_seen, text + often, who)
            continue
        yield from _at(event.first_seen, text, who)
        yield from _at(event.last_seen, f"{what} again, {event.times} times so far", who)


def _says_the_same(event: Event, moment: Moment) -> bool:
    mine = "bound to node" if event.reason == "Scheduled" else " started"
    return mine in moment.text and abs(moment.at - event.last_seen) <= _NEAR


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST].rstrip()}…"


def _at(when: datetime | None, text: str, source: str) -> Iterator[Moment]:
    """The moment, where the time is known (Events without any time say the year 1)."""
    if when is not None and when.year > 1:
        yield Moment(at=when, text=text, source=source)


def _field(pod: Pod, path: str) -> str:
    return f"{pod.ref} {path}"
