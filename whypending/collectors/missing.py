"""Hints for a name that is not there: where it is, names like it, and the workload whose Pod or name it may be."""

from __future__ import annotations

import re
from functools import partial
from shlex import quote
from typing import TypeVar

from whypending.collectors.owners import pods_of
from whypending.evidence import Gap, GapReason, Known, seen
from whypending.objects.base import KubeObject, ObjectMeta
from whypending.objects.kinds import CRON_JOBS, DAEMON_SETS, DEPLOYMENTS, JOBS, STATEFUL_SETS, Kind
from whypending.objects.workload import Workload
from whypending.sources.base import Query, Source
from whypending.triage import is_well

T = TypeVar("T", bound=KubeObject)
_FEW = 8
"""So many names are shown where none is near."""
_NAMED_ALIKE = (DEPLOYMENTS, STATEFUL_SETS, DAEMON_SETS, CRON_JOBS, JOBS)
_MEMBER = re.compile(r"(?P<set>.+)-(?P<ordinal>\d{1,9})")
_DECIDES = "which workload has that name"


def near_names(source: Source, kind: Kind[T], namespace: str, name: str) -> str:
    """The hint for a name that is not there: where it is, and names like it, as far as it may be looked up."""
    by_name = Query(kind=kind, fields=f"metadata.name={name}", keep=_bare)
    in_place = Query(kind=kind, namespace=namespace, keep=_bare)
    elsewhere, here = source.gather([partial(source.read, by_name), partial(source.read, in_place)])
    made_by = _of_workloads(source, namespace, name) if kind.kind == "Pod" else ""
    places = sorted({o.namespace for o in seen(elsewhere)} - {namespace})
    hints = [f'Namespace "{places[0]}" has it: -n {quote(places[0])}'] if len(places) == 1 else []
    if len(places) > 1:
        hints = [f"These namespaces have it: {', '.join(places[:5])}"]
    hints = [made_by, *hints] if made_by else hints
    hints += filter(
        None, [_near(name, here) or ("" if hints else _instead(source, kind, namespace, here))] if not made_by else []
    )
    return ". ".join(hints) + "." if hints else ""


def _near(name: str, here: Known[T]) -> str:
    names = sorted({o.name for o in seen(here)})
    if name in names:
        return "It is there again, made anew in between: ask again"
    from difflib import get_close_matches  # noqa: PLC0415 - only for what is not found

    near = get_close_matches(name, names, n=3, cutoff=0.6)
    return f"Near names here: {', '.join(near)}" if near else ""


def _instead(source: Source, kind: Kind[T], namespace: str, here: Known[T]) -> str:
    """What the namespace has where nothing is near, or why that can't be said."""
    if isinstance(here, Gap):
        forbidden = here.reason is GapReason.FORBIDDEN and here.grant.startswith("list ")
        return f"Check the name and -n; to show near names needs the right to {here.grant}" if forbidden else ""
    names = sorted({o.name for o in here})
    if 0 < len(names) <= _FEW:
        return f"Here {'is only' if len(names) == 1 else 'are only'} {', '.join(names)}"
    if source.kind == "live" and not names:
        return f'"{namespace}" holds no {kind.kind}, if there is such a namespace: kubectl get namespaces'
    return ""


def _bare(obj: T) -> T:
    """Only what the hint needs, so that a large namespace costs nothing."""
    return type(obj)(metadata=ObjectMeta(name=obj.name, namespace=obj.namespace))


def _of_workloads(source: Source, namespace: str, name: str) -> str:
    """The StatefulSet that has not made its member of that name yet, or the workload that is called so."""
    member = _MEMBER.fullmatch(name)
    asked = [Query(kind=k, namespace=namespace, name=name, would_decide=_DECIDES) for k in _NAMED_ALIKE]
    if member:
        asked.append(Query(kind=STATEFUL_SETS, namespace=namespace, name=member["set"], would_decide=_DECIDES))
    found = [next(iter(seen(known)), None) for known in source.gather([partial(source.read, q) for q in asked])]
    stateful = found.pop() if member else None
    if stateful is not None and member is not None:
        return _not_made_yet(source, stateful, name, int(member["ordinal"]), namespace)
    workload = next((w for w in found if w is not None), None)
    if workload is None:
        return ""
    pods = sorted(p.name for p in seen(pods_of(source, workload)[1]))
    shown = f" (its Pods: {', '.join(pods[:_FEW])}{', …' if len(pods) > _FEW else ''})" if pods else ""
    return f"{workload.kind} {workload.name} is there{shown}: {_ask(workload, namespace)}"


def _not_made_yet(source: Source, stateful: Workload, name: str, ordinal: int, namespace: str) -> str:
    """Why a StatefulSet has no Pod of that ordinal."""
    first = stateful.spec.ordinals.start if stateful.spec.ordinals else 0
    wanted = stateful.wanted or 0
    if not first <= ordinal < first + wanted:
        last = f"up to {stateful.name}-{first + wanted - 1}" if wanted else "none at all"
        return f"StatefulSet {stateful.name} asks for {wanted} Pods, {last}"
    made = seen(pods_of(source, stateful)[1])
    waits = [p for p in made if not is_well(p)]
    if waits and stateful.spec.pod_management_policy != "Parallel":
        before = min(waits, key=lambda p: (len(p.name), p.name)).name
        return (
            f"StatefulSet {stateful.name} makes {name} only when {before} is Running and Ready: "
            f"whypending pod {before}{_where(namespace)}"
        )
    return f"StatefulSet {stateful.name} has not made it: {_ask(stateful, namespace)}"


def _ask(workload: Workload, namespace: str) -> str:
    return f"whypending pod {workload.kind.lower()}/{quote(workload.name)}{_where(namespace)}"


def _where(namespace: str) -> str:
    return f" -n {quote(namespace)}" if namespace else ""
