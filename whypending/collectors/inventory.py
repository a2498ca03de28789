"""Every scheduler of the cluster at once, and what Events of other Pods tell of them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec

from whypending.collectors import schedulers
from whypending.evidence import NOT_READ, Evidence, Gap, GapReason, Known, Target, seen
from whypending.inventory.found import schedulers_in
from whypending.inventory.leases import ends, host_of
from whypending.inventory.process import schedulers_of
from whypending.objects.base import CustomObject, KubeObject
from whypending.objects.event import Event
from whypending.objects.kinds import EVENTS, LEASE_CANDIDATES, PODS
from whypending.objects.pod import Pod
from whypending.sources.base import Query, Source

_SAMPLE = 500
TOLD = ("Scheduled", "FailedScheduling", "LeaderElection")
_MOST = 20
"""Names, or holders of Leases, that are looked up one by one."""
_ABSENT = (GapReason.UNSUPPORTED, GapReason.NOT_IN_SNAPSHOT)
_HOLDER = "whether the holder of a Lease lives"
_LIFE = "which schedulers judged or bound a Pod lately"


def roster(source: Source, namespace: str = "") -> Evidence:
    """Evidence without a Pod. `namespace`: whose Pods and Events are read where those of all may not be.

    A scheduler is found as a workload, by kube-scheduler's label, as the holder of a Lease whose name speaks of one, or
    in the samples of Pods: not every Pod of the cluster is read.

    Raises what the source raises where nothing at all can be read.
    """
    blank = Evidence(target=Target(kind="Cluster", namespace="", name=""), now=datetime.min.replace(tzinfo=UTC))
    processes, bound, waiting, told, candidates = source.gather([
        partial(schedulers.processes, source, blank),
        partial(schedulers.sample, source, namespace, "spec.nodeName!=,status.phase!=Succeeded"),
        partial(_waiting, source, namespace),
        partial(_events, source, namespace),
        partial(source.read, Query(kind=LEASE_CANDIDATES, would_decide="which processes want to lead")),
    ])  # fmt: skip
    evidence = msgspec.structs.replace(
        blank, now=source.now, clock_is_floor=source.clock_is_floor, source=source.kind,
        server_version=source.server_version, **processes, waiting=waiting, scheduling_events=told,
        lease_candidates=_if_served(candidates),
    )  # fmt: skip
    more, holders = source.gather([
        partial(_binds_of, source, namespace, _unserved(seen(waiting), seen(bound))),
        partial(_holders, source, evidence),
    ])  # fmt: skip
    pods = _distinct(*seen(evidence.scheduler_pods), *_schedulers(bound), *_schedulers(waiting), *holders)
    gap = bound if isinstance(bound, Gap) and not more else None
    return msgspec.structs.replace(
        evidence,
        scheduler_pods=pods or evidence.scheduler_pods,
        served=gap or schedulers.served_by((*seen(bound), *more)),
    )


def told_of_others(source: Source, evidence: Evidence) -> dict[str, Any]:
    """`Scheduled` and `FailedScheduling` Events of any Pod; not asked for where the Pod's own could not be read."""
    pod = evidence.the_pod
    if pod is None or isinstance(evidence.events, Gap):
        return {}
    return {"scheduling_events": _events(source, pod.namespace)}


def _waiting(source: Source, namespace: str) -> Known[Pod]:
    """Pods without a node. A dump of Pods that has none of them shows as much as it can: none waits."""
    known = schedulers.sample(source, namespace, "spec.nodeName=,status.phase=Pending")
    if isinstance(known, Gap) and known.reason is GapReason.NOT_IN_SNAPSHOT:
        any_pods = source.read(Query(kind=PODS, limit=1))
        return known if isinstance(any_pods, Gap) or not any_pods else ()
    return known


def _if_served(known: Known[CustomObject]) -> Known[CustomObject]:
    """Coordinated leader election is young: a server, or a dump, without LeaseCandidates misses nothing."""
    return NOT_READ if isinstance(known, Gap) and known.reason in _ABSENT else known


def _events(source: Source, namespace: str) -> Known[Event]:
    """At most 500 of each reason, of the whole cluster, else of the namespace; also who became a leader."""
    known = [_events_of(source, namespace, reason) for reason in TOLD]
    gaps = [k for k in known if isinstance(k, Gap)]
    return gaps[0] if len(gaps) == len(known) else tuple(e for k in known for e in seen(k))


def _events_of(source: Source, namespace: str, reason: str) -> Known[Event]:
    everywhere = Query(
        kind=EVENTS, fields=f"reason={reason}", limit=_SAMPLE, would_decide=_LIFE, what=f"{reason} Events of other Pods"
    )
    known = source.read(everywhere)
    if not isinstance(known, Gap) or not namespace:
        return known
    return source.read(msgspec.structs.replace(everywhere, namespace=namespace))


def _unserved(waiting: tuple[Pod, ...], bound: tuple[Pod, ...]) -> list[str]:
    """Names that Pods wait for, those of most Pods first, of which the sample shows no bind."""
    counts = Counter(p.scheduler_name for p in waiting)
    known = {p.scheduler_name for p in bound}
    return [name for name, _ in counts.most_common() if name not in known][:_MOST]


def _binds_of(source: Source, namespace: str, names: list[str]) -> tuple[Pod, ...]:
    calls = [
        partial(schedulers.sample, source, namespace, f"spec.schedulerName={name},spec.nodeName!=") for name in names
    ]
    return tuple(pod for known in source.gather(calls) for pod in seen(known))


def _holders(source: Source, evidence: Evidence) -> tuple[Pod, ...]:
    """The Pods that hold Leases of schedulers, by the host in holderIdentity, where they were not found otherwise."""
    known = {(p.namespace, p.name) for p in seen(evidence.scheduler_pods)}
    paths = {s.lease for s in schedulers_in(evidence) if s.lease}
    held = [x for x in seen(evidence.leases) if ends(x) and ((x.namespace, x.name) in paths or "sched" in x.name)]
    wanted = dict.fromkeys((x.namespace, host_of(x)) for x in held if (x.namespace, host_of(x)) not in known)
    calls = [
        partial(source.read, Query(kind=PODS, namespace=ns, name=name, would_decide=_HOLDER))
        for ns, name in list(wanted)[:_MOST]
    ]  # fmt: skip
    return tuple(p for found in source.gather(calls) for p in seen(found) if schedulers_of(p.spec))


def _schedulers(known: Known[Pod]) -> tuple[Pod, ...]:
    return tuple(p for p in seen(known) if schedulers_of(p.spec))


def _distinct(*pods: Pod) -> tuple[Pod, ...]:
    return tuple({_path(p): p for p in pods}.values())


def _path(item: KubeObject) -> tuple[str, str]:
    return (item.namespace, item.name)
