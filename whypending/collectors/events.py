"""Events of one object's life."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from whypending.evidence import Gap, GapReason, Known
from whypending.objects.base import KubeObject
from whypending.objects.event import Event
from whypending.objects.kinds import EVENTS
from whypending.sources.base import Query, Source

_CLOCKS = timedelta(seconds=2)
"""Event times have whole seconds or another machine's clock."""
_RANDOM_SUFFIX = {"ReplicaSet", "DaemonSet", "Job", "ReplicationController"}


def query(namespace: str, name: str, would_decide: str) -> Query[Event]:
    """Events of the object of that name; the kind and the UID are compared afterwards, as dumps may lack them."""
    return Query(
        kind=EVENTS,
        namespace=namespace,
        fields=f"involvedObject.name={name}",
        would_decide=would_decide,
        what=f'Events of {name} in namespace "{namespace}"',
    )


def of_life(events: Known[Event], obj: KubeObject) -> Known[Event]:
    """Those that speak of this very object (by UID, by name where there is none), oldest first."""
    if isinstance(events, Gap):
        return events
    mine = [e for e in events if _speaks_of(e, obj)]
    return tuple(sorted(mine, key=lambda e: (e.last_seen, e.first_seen)))


def _speaks_of(event: Event, obj: KubeObject) -> bool:
    about = event.about
    if about.kind not in {"", obj.kind} or about.name != obj.name:
        return False
    if about.uid and obj.metadata.uid:
        return about.uid == obj.metadata.uid
    born = obj.metadata.creation_timestamp
    return born is None or _has_random_name(obj) or event.last_seen >= born - _CLOCKS


def _has_random_name(obj: KubeObject) -> bool:
    """Named by the API server or a controller with a random suffix, so that no earlier object had the name."""
    owner = obj.metadata.controller
    return bool(obj.metadata.generate_name) or (owner is not None and owner.kind in _RANDOM_SUFFIX)


def of_objects(source: Source, objects: Sequence[KubeObject], would_decide: str) -> Known[Event]:
    """Events of several objects, oldest first; a Gap if not one of them could be read."""
    if not objects:
        return ()
    known = source.gather([partial(_of_one, source, obj, would_decide) for obj in objects])
    gaps = [k for k in known if isinstance(k, Gap)]
    if len(gaps) == len(known):
        return gaps[0]
    return tuple(sorted((e for k in known if not isinstance(k, Gap) for e in k), key=lambda e: e.last_seen))


def _of_one(source: Source, obj: KubeObject, would_decide: str) -> Known[Event]:
    return of_life(source.read(query(obj.namespace, obj.name, would_decide)), obj)


def first_gap(*values: Known[object]) -> Gap | None:
    """The first of these that could not be looked at."""
    return next((v for v in values if isinstance(v, Gap) and v.reason is not GapReason.NOT_READ), None)
