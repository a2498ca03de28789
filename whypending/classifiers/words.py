"""Small shared wording: ages, lists of names, kubectl commands, citations, and whose object a remedy should patch."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from shlex import quote

from whypending.diagnosis import Citation
from whypending.evidence import Evidence, Known, seen
from whypending.objects.base import Condition, KubeObject, ObjectMeta, OwnerReference
from whypending.objects.event import Event

_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
_SHOWN = 3


def age(delta: timedelta | None) -> str:
    """A duration in words, its largest fitting unit: `45 seconds`, `3 minutes`, `2 hours`, `5 days`.

    Unknown (None, `timedelta.max`) gives `an unknown time`; negative counts as 0 seconds.
    """
    if delta is None or delta == timedelta.max:
        return "an unknown time"
    seconds = max(int(delta.total_seconds()), 0)
    size, unit = next((u for u in _UNITS if seconds >= 2 * u[0] or seconds == u[0]), _UNITS[-1])
    return plural(seconds // size, unit)


def since(start: datetime | None, now: datetime) -> str:
    """The age of `start` in words, as `age` writes it."""
    return age(None if start is None else now - start)


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 Pod`, `3 Pods`, `2 entries` (with `many`)."""
    return f"{count} {noun}" if count == 1 else f"{count} {many or noun + 's'}"


def names(items: Iterable[str], shown: int = _SHOWN) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c and 4 more`; in the order given, each once; empty for none."""
    unique = list(dict.fromkeys(items))
    if len(unique) > shown + 1:
        unique = [*unique[:shown], f"{len(unique) - shown} more"]
    return f"{', '.join(unique[:-1])} and {unique[-1]}" if len(unique) > 1 else "".join(unique)


def sentence(text: str) -> str:
    """The text on one line with exactly one period at its end (the words of others, quoted as a sentence)."""
    return " ".join(text.split()).rstrip(".") + "."


def kubectl(namespace: str, *words: str) -> str:
    """`kubectl -n prod get pod web-1`; each word is shell-quoted as needed, no `-n` where the namespace is empty."""
    where = ("-n", namespace) if namespace else ()
    return " ".join(("kubectl", *(quote(w) for w in (*where, *words))))


def resource(item: KubeObject) -> str:
    """As kubectl takes an object: `deployment/web`, `rollout.argoproj.io/web`."""
    group = item.api_version.partition("/")[0] if "." in item.api_version else ""
    kind = item.kind.lower()
    return f"{kind}/{item.name}" if not group or group.endswith(".k8s.io") else f"{kind}.{group}/{item.name}"


def event_citation(event: Event) -> Citation:
    """The Event's text as proof: object `Event FailedMount on Pod prod/web-1`, at its last sighting."""
    about = event.about
    path = f"{about.namespace}/{about.name}" if about.namespace else about.name
    field = "note" if event.note and not event.message else "message"
    at = event.last_seen if event.last_seen.year > 1 else None
    return Citation(object=f"Event {event.reason} on {about.kind} {path}", field=field, value=event.text, at=at)


def condition_citation(item: KubeObject, condition: Condition) -> Citation:
    """The condition as proof: `status.conditions[type=Ready]`, value `False, ContainersNotReady: its message`."""
    head = ", ".join(x for x in (condition.status, condition.reason) if x)
    value = f"{head}: {condition.message}" if condition.message else head
    at = condition.last_transition_time or condition.last_update_time
    return Citation(object=item.ref, field=f"status.conditions[type={condition.type}]", value=value, at=at)


def field_citation(item: KubeObject, field: str, value: object, at: datetime | None = None) -> Citation:
    """A field of an object as proof; `value` as the API writes it (`true`, times, text as it is), None is `absent`."""
    text = "absent" if value is None else json.dumps(value) if isinstance(value, bool) else str(value)
    if isinstance(value, datetime):
        text = value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Citation(object=item.ref, field=field, value=text, at=at)


def newest(events: Known[Event], *reasons: str) -> Event | None:
    """The Event of one of those reasons (of any, if none is given) that was seen last."""
    found = (e for e in seen(events) if not reasons or e.reason in reasons)
    return max(found, key=lambda e: e.last_seen, default=None)


def owning_workload(evidence: Evidence) -> KubeObject | None:
    """The object whose template a remedy should change: the topmost owner that is known, else the Pod itself.

    A custom controller that was not read is given by what the owner reference says of it (kind, name, apiVersion).
    A mirror Pod is owned by its Node, which has no template: then the Pod. None where there is neither.
    """
    owners = seen(evidence.owners)
    uids = {w.metadata.uid for w in owners}
    roots = [w for w in owners if not (c := w.metadata.controller) or c.uid not in uids]
    pod = evidence.the_pod
    top: KubeObject | None = pod
    if roots:
        top = roots[-1] if evidence.target.kind == "Pod" else roots[0]
    reference = top.metadata.controller if top is not None else None
    if top is None or reference is None or reference.kind == "Node":
        return top
    return _referenced(reference, top.namespace)


def _referenced(reference: OwnerReference, namespace: str) -> KubeObject:
    metadata = ObjectMeta(name=reference.name, namespace=namespace, uid=reference.uid)
    return KubeObject(api_version=reference.api_version, kind=reference.kind, metadata=metadata)
