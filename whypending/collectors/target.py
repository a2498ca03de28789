"""The target itself: the Pod and its Events, or a workload and the Pod of it that needs looking at."""

from __future__ import annotations

from difflib import get_close_matches
from functools import partial
from typing import TypeVar

import msgspec

from whypending.collectors import events
from whypending.collectors.owners import pods_of, workload_kind
from whypending.errors import ForbiddenError, NotFoundError, SourceError, UsageError
from whypending.evidence import Evidence, Gap, GapReason, Known, Target, seen
from whypending.objects.base import KubeObject, ObjectMeta
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


def _find_pod(source: Source, namespace: str, name: str) -> Evidence:
    if not namespace:
        pod = _one(source, PODS, namespace, name)
        return _with_events(source, pod, _target(pod))
    read = partial(source.read, Query(kind=PODS, namespace=namespace, name=name, would_decide=_DECIDES))
    query = events.query(namespace, name, _EVENTS_DECIDE)
    pods, known = source.gather([read, partial(source.read, query)])
    pod = _only(source, PODS, namespace, name, pods)
    return _evidence(source, pod, _target(pod), events.of_life(known, pod))


def _with_events(source: Source, pod: Pod, target: Target) -> Evidence:
    known = source.read(events.query(pod.namespace, pod.name, _EVENTS_DECIDE))
    return _evidence(source, pod, target, events.of_life(known, pod))


def _evidence(source: Source, pod: Pod, target: Target, known: Known[object]) -> Evidence:
    return Evidence(
        target=target,
        now=source.now,
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
    stuck = sorted((p for p in live if not is_well(p)), key=lambda p: (_birth(p), p.name))
    well = [p for p in live if is_well(p)]
    if stuck and not refused:
        return _with_events(source, stuck[0], target)
    if well and not refused and len(live) >= (workload.wanted or 0):
        return _with_events(source, well[0], target)
    return Evidence(
        target=target,
        now=source.now,
        source=source.kind,
        server_version=source.server_version,
        pod=(),
        owners=chain,
        siblings=pods,
    )


def _birth(pod: Pod) -> float:
    born = pod.metadata.creation_timestamp
    return born.timestamp() if born else 0.0


def _one(source: Source, kind: Kind[T], namespace: str, name: str) -> T:
    known = source.read(Query(kind=kind, namespace=namespace, name=name, would_decide=_DECIDES))
    return _only(source, kind, namespace, name, known)


def _only(source: Source, kind: Kind[T], namespace: str, name: str, known: Known[T]) -> T:
    """That one object; each other outcome is an error with a next step."""
    if isinstance(known, Gap):
        near = near_names(source, kind, namespace, name) if known.reason is GapReason.NOT_IN_SNAPSHOT else ""
        raise _unreadable(kind, namespace, name, known, near)
    if len(known) > 1:
        places = sorted({o.namespace for o in known})
        raise UsageError(
            f'{len(known)} {kind.plural} are called "{name}", in the namespaces {", ".join(places)}.',
            f"Name one: -n {places[0]}",
        )
    if not known:
        flag = f"-n {namespace}" if namespace else "-A"
        near = near_names(source, kind, namespace, name)
        hint = near or f"See what there is: kubectl get {kind.plural} {flag}"
        raise NotFoundError(_not_found(kind, namespace, name), hint)
    found = known[0]
    return found if found.namespace else msgspec.structs.replace(found, metadata=_placed(found.metadata, namespace))


def _placed(meta: ObjectMeta, namespace: str) -> ObjectMeta:
    return msgspec.structs.replace(meta, namespace=namespace or "default")


def _not_found(kind: Kind[T], namespace: str, name: str) -> str:
    place = f' in namespace "{namespace}"' if namespace else ""
    return f'There is no {kind.kind} "{name}"{place}.'


def _unreadable(kind: Kind[T], namespace: str, name: str, gap: Gap, near: str) -> SourceError:
    if gap.reason is GapReason.FORBIDDEN:
        return ForbiddenError(
            f'You may not read {kind.kind} "{name}" in namespace "{namespace}": {gap.detail}',
            f"Ask for {gap.grant}, or have someone send you `kubectl -n {namespace} get {kind.plural} {name} -o yaml` "
            "and read it with --from.",
        )
    if gap.reason is GapReason.NOT_IN_SNAPSHOT:
        return NotFoundError(f"{_not_found(kind, namespace, name)[:-1]} in what --from names.", near or gap.grant)
    return SourceError(f'{kind.kind} "{name}" could not be read: {gap.reason}. {gap.detail}'.strip(), gap.grant)


def near_names(source: Source, kind: Kind[T], namespace: str, name: str) -> str:
    """The hint for a name that is not there: where it is, and names like it, as far as it may be looked up."""
    elsewhere = source.read(Query(kind=kind, fields=f"metadata.name={name}", keep=_bare))
    here = source.read(Query(kind=kind, namespace=namespace, keep=_bare))
    places = sorted({o.namespace for o in seen(elsewhere)} - {namespace})
    hints = [f'Namespace "{places[0]}" has it: -n {places[0]}'] if len(places) == 1 else []
    if len(places) > 1:
        hints = [f"These namespaces have it: {', '.join(places[:5])}"]
    near = get_close_matches(name, sorted({o.name for o in seen(here)}), n=3, cutoff=0.6)
    if near:
        hints.append(f"Near names here: {', '.join(near)}")
    return ". ".join(hints) + "." if hints else ""


def _bare(obj: T) -> T:
    """Only what the hint needs, so that a large namespace costs nothing."""
    return type(obj)(metadata=ObjectMeta(name=obj.name, namespace=obj.namespace))
