"""Every stuck Pod of a cluster or a namespace: found by the server, read once, each kind of trouble judged once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import msgspec

from whypending.collectors import complete, target
from whypending.collectors.alike import likeness
from whypending.collectors.lacking import is_refused, lacking
from whypending.collectors.shared import HEARTBEATS, SharedSource
from whypending.collectors.wish import Wish
from whypending.diagnosis import Triage
from whypending.errors import ForbiddenError, SourceError, UsageError, WhypendingError
from whypending.evidence import Evidence, Gap, GapReason, Known, Target, seen
from whypending.objects.event import Event
from whypending.objects.kinds import EVENTS, LEASES, NODES, PODS
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload
from whypending.sources.base import Query, Source
from whypending.sweep.model import Scope
from whypending.triage import is_bound, is_well, triage

V = TypeVar("V")
OnClass = Callable[[Triage], object]
_ALL = Wish()
_NOT_RUNNING = "status.phase!=Running,status.phase!=Succeeded"
"""Pending with and without a Node, Failed and Unknown; a Pod without a Node has no other phase."""
_FEW = 8
"""So many namespaces or Nodes are asked for one by one; of more, all are read at once."""
_PAGE, _MOST = 500, 100_000
"""Events: so many a page, and so many are looked through at most; an hour of a large cluster leaves no more."""
_DECIDES = "which Pods are stuck"


class Alike(msgspec.Struct, frozen=True, kw_only=True):
    """What is judged once: Pods in the same trouble, or a workload without its Pods (then `pods` is empty)."""

    pods: tuple[Pod, ...] = ()
    workload: Workload | None = None


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be judged, how many Pods are too young for it, and what could not be looked at.

    A young Pod that has a Node is judged: its Events may tell of a failure.
    """

    alike: tuple[Alike, ...]
    young: int = 0
    gaps: tuple[Gap, ...] = ()


def find(source: Source, scope: Scope) -> Found:
    """All that is stuck, but for manifests that never were in a cluster. SourceError where Pods can't be listed."""
    known, (workloads, gaps) = source.gather([partial(_pods, source, scope), partial(lacking, source, scope)])
    if isinstance(known, Gap) and not (workloads and source.kind == "files"):
        raise _unlisted(scope, known)
    pods = [pod for pod in seen(known) if pod.status.phase or pod.metadata.uid]
    stuck = [pod for pod in pods if is_bound(pod) or triage(_alone(source, pod)) is not Triage.NOT_STUCK]
    together: dict[object, list[Pod]] = {}
    for pod in sorted(stuck, key=_by_birth):
        together.setdefault(likeness(pod), []).append(pod)
    owners = {(p.namespace, o.kind, o.name) for p in stuck for o in p.metadata.owner_references}
    alone = [w for w in workloads if is_refused(w) or (w.namespace, w.kind, w.name) not in owners]
    return Found(
        alike=(*(Alike(pods=tuple(same)) for same in together.values()), *(Alike(workload=w) for w in alone)),
        young=len(pods) - len(stuck),
        gaps=gaps,
    )


def judge(
    source: Source, found: Found, verdict: Callable[[Alike, Evidence], V], on_class: OnClass, wish: Wish = _ALL
) -> tuple[list[V], tuple[Gap, ...]]:
    """What `verdict` says of each, from evidence that is read once for all of them, and what was left unread."""
    shared = SharedSource(source)
    shared.tell([a.workload for a in found.alike if a.workload])
    events, names, gaps = _events(source, found.alike)
    shared.tell_events(events, names)
    nodes = {p.spec.node_name for a in found.alike for p in a.pods[:1] if p.spec.node_name}
    if len(nodes) > _FEW:
        shared.list_whole(NODES)
        shared.list_whole(LEASES, HEARTBEATS)

    def one(alike: Alike) -> V:
        return verdict(alike, complete(shared, _first_stage(shared, alike), on_class, wish=wish))

    return source.gather([partial(one, alike) for alike in found.alike]), gaps


def _first_stage(shared: SharedSource, alike: Alike) -> Evidence:
    if alike.workload is not None:
        workload = alike.workload
        return target.find(shared, workload.kind, workload.namespace, workload.name)
    return target.of_pod(shared, alike.pods[0])


def _alone(source: Source, pod: Pod) -> Evidence:
    own = Target(namespace=pod.namespace, name=pod.name, uid=pod.metadata.uid)
    floor = source.clock_is_floor
    return Evidence(target=own, now=source.now, clock_is_floor=floor, source=source.kind, pod=(pod,))


def _pods(source: Source, scope: Scope) -> Known[Pod]:
    """Pods that may be stuck; from files without any that match, whether there are others."""
    fields = "" if scope.not_ready else _NOT_RUNNING
    query = Query(kind=PODS, namespace=scope.namespace, fields=fields, labels=scope.labels, keep=_unless_well,
                  would_decide=_DECIDES)  # fmt: skip
    known = source.read(query)
    if isinstance(known, Gap) and known.reason is GapReason.NOT_IN_SNAPSHOT:
        bare = Query(kind=PODS, namespace=scope.namespace, keep=_nothing, would_decide=_DECIDES)
        return source.read(bare)
    return known


def _unless_well(pod: Pod) -> Pod | None:
    return None if is_well(pod) else pod


def _nothing(pod: Pod) -> Pod | None:
    """Only whether there are any is asked: those that match were looked for before."""
    del pod
    return None


def _unlisted(scope: Scope, gap: Gap) -> WhypendingError:
    where = f'in namespace "{scope.namespace}"' if scope.namespace else "in all namespaces"
    words = f" {gap.detail.rstrip('. ')}." if gap.detail else ""
    if gap.reason is GapReason.UNSUPPORTED and scope.labels:
        return UsageError(f'"{scope.labels}" is no label selector.{words}', "write it as -l app=web,tier!=db")
    if gap.reason is GapReason.FORBIDDEN:
        other = "whypending sweep -n NAMESPACE" if not scope.namespace else "whypending pod NAME"
        return ForbiddenError(f"You may not list Pods {where}.{words}", f"{other}, or ask for the right to {gap.grant}")
    if gap.reason is GapReason.NOT_IN_SNAPSHOT:
        return SourceError(f"What --from names holds no Pods {where}.", "kubectl get pods,events,nodes -A -o yaml")
    return SourceError(f"The Pods {where} could not be listed ({gap.reason}).{words}", gap.grant or "try again")


def _by_birth(pod: Pod) -> tuple[float, str]:
    born = pod.metadata.creation_timestamp
    return (born.timestamp() if born else 0.0, pod.name)


def _events(
    source: Source, alike: Sequence[Alike]
) -> tuple[dict[str, Known[Event]], frozenset[tuple[str, str]], tuple[Gap, ...]]:
    """Events of what is judged, one list a namespace, or one of the cluster; and whether a list was too long."""
    pods = [a.pods[0] for a in alike if a.pods]
    lone = [a.workload for a in alike if a.workload]
    names = frozenset((o.namespace, o.name) for o in (*pods, *lone))
    places = sorted({namespace for namespace, _ in names})
    filters = {place: _Only(names) for place in (places if len(places) <= _FEW else [""])}
    known = source.gather([partial(source.read, _query(place, keep)) for place, keep in filters.items()])
    cut = tuple(_rest(place) for place, keep in filters.items() if source.kind == "live" and keep.seen >= _MOST)
    return dict(zip(filters, known, strict=True)), names, cut


def _query(namespace: str, keep: _Only) -> Query[Event]:
    return Query(
        kind=EVENTS,
        namespace=namespace,
        pages=_MOST // _PAGE,
        what=f"Events {_where(namespace)}",
        would_decide="what the scheduler, the kubelet and the controllers said of these Pods",
        keep=keep,
    )


def _rest(namespace: str) -> Gap:
    return Gap(
        what=f"Events {_where(namespace)} beyond the first {_MOST:,}",
        reason=GapReason.NOT_READ,
        would_decide="what else was said of these Pods",
        grant="sweep one namespace at a time: -n NAMESPACE",
    )


def _where(namespace: str) -> str:
    return f'in namespace "{namespace}"' if namespace else "of all namespaces"


class _Only:
    """Keeps Events of some objects alone, and counts all."""

    def __init__(self, names: frozenset[tuple[str, str]]) -> None:
        self._names = names
        self.seen = 0

    def __call__(self, event: Event) -> Event | None:
        self.seen += 1
        place = event.about.namespace or event.namespace
        return event if (place, event.about.name) in self._names else None
