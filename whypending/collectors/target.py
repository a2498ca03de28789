"""The target itself: the Pod and its Events, or a workload and the Pod of it that needs looking at."""

from __future__ import annotations

from functools import partial
from shlex import quote
from typing import TypeVar

import msgspec

from whypending.collectors import events
from whypending.collectors.missing import near_names
from whypending.collectors.owners import pods_of, workload_kind
from whypending.errors import ForbiddenError, NotFoundError, SourceError, UsageError
from whypending.evidence import Evidence, Gap, GapReason, Known, Tally, Target, seen
from whypending.objects.base import KubeObject, ObjectMeta
from whypending.objects.event import Event
from whypending.objects.kinds import PODS, Kind
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload
from whypending.sources.base import Query, Source
from whypending.triage import is_well

T = TypeVar("T", bound=KubeObject)
_DECIDES = "what the trouble is"
_EVENTS_DECIDE = "what the scheduler and the kubelet said of this Pod, and when"


def find(source: Source, kind: str, namespace: str, name: str) -> Evidence:
    """Evidence of the first stage: target, Pod, its Events (and, for a workload without a Pod to show, its owners)."""
    if kind == "Pod":
        return _find_pod(source, namespace, name)
    workload = _one(source, workload_kind(kind), namespace, name)
    return _of_workload(source, workload)


def of_pod(source: Source, pod: Pod) -> Evidence:
    """The first stage of a Pod that was read already."""
    return _with_events(source, pod, _target(pod))


def _find_pod(source: Source, namespace: str, name: str) -> Evidence:
    if not namespace:
        pod = _one(source, PODS, namespace, name)
        return _with_events(source, pod, _target(pod))
    read = partial(source.read, Query(kind=PODS, namespace=namespace, name=name, would_decide=_DECIDES))
    query = events.query(namespace, name, _EVENTS_DECIDE)
    pods, known = source.gather([read, partial(source.read, query)])
    if isinstance(pods, Gap) and pods.reason is GapReason.FORBIDDEN:
        pods = _listed(source, namespace, name, pods, known)
    pod = _only(source, PODS, namespace, name, pods)
    return _evidence(source, pod, _target(pod), events.of_life(known, pod))


def _listed(source: Source, namespace: str, name: str, refusal: Gap, known: Known[Event]) -> Known[Pod]:
    """A Pod that may not be got can often be listed; else the refusal, with what its newest Event says."""
    query = Query(kind=PODS, namespace=namespace, fields=f"metadata.name={name}", would_decide=_DECIDES)
    listed = source.read(query)
    if not isinstance(listed, Gap):
        return listed
    mine = [e for e in seen(known) if e.about.name == name and e.about.kind in {"", "Pod"}]
    if not mine:
        return refusal
    newest = max(mine, key=lambda event: event.last_seen)
    told = f"{_sentence(refusal.detail)} Its newest Event may be read: {newest.reason}: {newest.message}"
    return msgspec.structs.replace(refusal, detail=told)


def _with_events(source: Source, pod: Pod, target: Target) -> Evidence:
    known = source.read(events.query(pod.namespace, pod.name, _EVENTS_DECIDE))
    return _evidence(source, pod, target, events.of_life(known, pod))


def _evidence(source: Source, pod: Pod, target: Target, known: Known[object]) -> Evidence:
    return Evidence(
        target=target,
        now=source.now,
        clock_is_floor=source.clock_is_floor,
        source=source.kind,
        server_version=source.server_version,
        pod=(pod,),
        events=known,  # type: ignore[arg-type]
    )


def _target(obj: KubeObject) -> Target:
    return Target(kind=obj.kind, namespace=obj.namespace, name=obj.name, uid=obj.metadata.uid)


def _of_workload(source: Source, workload: Workload) -> Evidence:
    chain, pods = pods_of(source, workload)
    target = _target(workload)
    refused = any((c := w.condition("ReplicaFailure")) is not None and c.status == "True" for w in chain)
    live = [p for p in seen(pods) if p.metadata.deletion_timestamp is None]
    stuck = sorted((p for p in live if not is_well(p)), key=_most_telling)
    well = [p for p in live if is_well(p)]
    tally = _tally(workload, pods)
    if stuck and not refused:
        return msgspec.structs.replace(_with_events(source, stuck[0], target), tally=tally)
    over = any(w.failure for w in chain) or (workload.kind == "CronJob" and any(w.completion for w in chain))
    if well and not refused and len(live) >= (workload.wanted or 0) and not over:
        return msgspec.structs.replace(_with_events(source, well[0], target), tally=tally)
    return Evidence(
        target=target,
        now=source.now,
        clock_is_floor=source.clock_is_floor,
        source=source.kind,
        server_version=source.server_version,
        tally=tally,
        pod=(),
        owners=chain,
        siblings=pods,
    )


def _most_telling(pod: Pod) -> tuple[bool, float, str]:
    """The oldest Pod that may still come up; where all have failed for good, the newest of them."""
    born = pod.metadata.creation_timestamp
    birth = born.timestamp() if born else 0.0
    failed = pod.status.phase == "Failed"
    return failed, -birth if failed else birth, pod.name


def _tally(workload: Workload, pods: Known[Pod]) -> Tally | None:
    """Counted from its Pods; those of a Deployment's earlier revisions, and all where none could be read, by status."""
    status = workload.status
    wanted = 0 if workload.kind == "Job" else workload.wanted or 0
    told = (status.number_ready if workload.kind == "DaemonSet" else status.ready_replicas) or 0
    if isinstance(pods, Gap):
        made = (status.current_number_scheduled if workload.kind == "DaemonSet" else status.replicas) or 0
        return None if status.observed_generation is None else Tally(wanted=wanted, made=made, ready=told)
    live = [p for p in pods if p.metadata.deletion_timestamp is None]
    ready = sum(p.status.phase != "Succeeded" and is_well(p) for p in live)
    every = max(ready, told) if workload.kind == "Deployment" else ready
    return Tally(wanted=wanted, made=len(live), ready=every, older=every - ready)


def _one(source: Source, kind: Kind[T], namespace: str, name: str) -> T:
    known = source.read(Query(kind=kind, namespace=namespace, name=name, would_decide=_DECIDES))
    return _only(source, kind, namespace, name, known)


def _only(source: Source, kind: Kind[T], namespace: str, name: str, known: Known[T]) -> T:
    """That one object; each other outcome is an error with a next step."""
    if isinstance(known, Gap):
        near = near_names(source, kind, namespace, name) if known.reason is GapReason.NOT_IN_SNAPSHOT else ""
        raise _unreadable(kind, namespace, name, known, near)
    if len(known) > 1:
        places = sorted({o.namespace for o in known if o.namespace})
        raise UsageError(
            f'{len(known)} {kind.plural} are called "{name}", in the namespaces {", ".join(places) or "(none given)"}.',
            f"Name one: -n {places[0]}" if places else "Give --from the file of only one of them.",
        )
    if not known:
        near = near_names(source, kind, namespace, name)
        hint = near or f"See what there is: {_kubectl_get(kind, namespace)}"
        raise NotFoundError(_not_found(kind, namespace, name), hint)
    found = known[0]
    return found if found.namespace else msgspec.structs.replace(found, metadata=_placed(found.metadata, namespace))


def _placed(meta: ObjectMeta, namespace: str) -> ObjectMeta:
    return msgspec.structs.replace(meta, namespace=namespace or "default")


def _not_found(kind: Kind[T], namespace: str, name: str) -> str:
    place = f' in namespace "{namespace}"' if namespace else ""
    return f'There is no {kind.kind} "{name}"{place}.'


def _unreadable(kind: Kind[T], namespace: str, name: str, gap: Gap, near: str) -> SourceError:
    by_mail = f"have someone send you `{_kubectl_get(kind, namespace, name)} -o yaml` and read it with --from."
    if gap.reason is GapReason.FORBIDDEN:
        right = f"Ask for the right to {gap.grant}" if gap.grant.startswith(("get ", "list ")) else gap.grant
        return ForbiddenError(
            f'You may not read {kind.kind} "{name}" in namespace "{namespace}": {_sentence(gap.detail)}',
            f"{right}, or {by_mail}" if right else by_mail.capitalize(),
        )
    if gap.reason is GapReason.NOT_IN_SNAPSHOT:
        return NotFoundError(f"{_not_found(kind, namespace, name)[:-1]} in what --from names.", near or gap.grant)
    return SourceError(
        f'{kind.kind} "{name}" could not be read ({gap.reason}). {_sentence(gap.detail)}'.strip(),
        gap.grant or f"Try again, or {by_mail}",
    )


def _kubectl_get(kind: Kind[T], namespace: str, name: str = "") -> str:
    """The kubectl command that shows it, or all of the kind."""
    where = f"-n {quote(namespace)}" if namespace else "-A"
    return f"kubectl get {kind.plural} {quote(name)} {where}" if name else f"kubectl get {kind.plural} {where}"


def _sentence(words: str) -> str:
    return f"{words.rstrip('. ')}." if words else ""
