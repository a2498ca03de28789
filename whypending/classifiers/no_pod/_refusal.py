"""The newest refusal of a workload's Pods that still stands, from the controller's condition or Events."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from whypending.classifiers.words import condition_citation, event_citation, plural
from whypending.diagnosis import Citation
from whypending.evidence import Evidence, seen
from whypending.objects.base import Condition
from whypending.objects.event import Event
from whypending.objects.workload import Workload
from whypending.patterns import Pattern

_PREFIXES = (
    Pattern(r"^\(combined from similar events\): "),
    Pattern(r"^Error creating(?: job)?: "),
    Pattern(r'^Failed to create new replica set "[^"]*": '),
    Pattern(r"^create (?:Claim \S+ )?(?:for )?Pod \S+ in StatefulSet \S+ failed error: "),
    Pattern(r"^failed to create PVC \S+: "),
    Pattern(r"^Internal error occurred: "),
)
_FORBIDDEN = Pattern(r'^(?P<resource>[a-z.]+) (?:"(?P<name>[^"]*)" )?is forbidden: ')
_GENERATED = Pattern(r"-[bcdfghjklmnpqrstvwxz2456789]{5}\b")
_PLURALS = {"jobs": "Jobs", "persistentvolumeclaims": "claims", "replicasets": "ReplicaSets"}
_EPOCH = datetime.min.replace(tzinfo=UTC)


class Refusal(msgspec.Struct, frozen=True):
    """Whose creates are refused (`workload`), the API server's text without the controller's prefix, and the proof.

    words: the text without `pods "…" is forbidden: `. resource: what was to be created, as the API writes it.
    target: the workload that was asked about. proof: where these words stand; citations: all places that say the same.
    at: when it was last seen.
    """

    workload: Workload
    target: Workload
    text: str
    words: str
    resource: str
    proof: Citation
    citations: tuple[Citation, ...]
    at: datetime | None

    @property
    def whose(self) -> str:
        """`the Pods of Deployment prod/web`, `the Jobs of CronJob prod/report`."""
        return f"the {_PLURALS.get(self.resource, 'Pods')} of {self.target.ref}"


def refusal(evidence: Evidence) -> Refusal | None:
    """The newest one: a ReplicaSet's condition keeps its first message, so an Event's text is believed before it."""
    chain = seen(evidence.owners)
    found = [r for w in chain if not _is_satisfied(w) for r in (*_from_events(evidence, w), *_from_condition(w))]
    if not found:
        return None
    newest = max(found, key=lambda r: r.at or _EPOCH)
    same = tuple(c for r in found if _key(r) == _key(newest) for c in r.citations)
    return msgspec.structs.replace(newest, target=chain[0], citations=same)


def _key(refusal: Refusal) -> str:
    """The words without the random ends of generated names, which differ from one attempt to the next."""
    return _GENERATED.sub("-", refusal.words)


def _from_events(evidence: Evidence, workload: Workload) -> list[Refusal]:
    """The last FailedCreate of that object, unless a create succeeded after it."""
    about = [e for e in seen(evidence.owner_events) if _is_about(e, workload)]
    created = max((e.last_seen for e in about if e.reason == "SuccessfulCreate"), default=_EPOCH)
    failed = max((e for e in about if e.reason == "FailedCreate"), key=lambda e: e.last_seen, default=None)
    if failed is None or not failed.text or (created > failed.last_seen and not _failure(workload)):
        return []
    return [_refused(workload, failed.text, event_citation(failed), failed.last_seen)]


def _from_condition(workload: Workload) -> list[Refusal]:
    failure = _failure(workload)
    if failure is None or not failure.message:
        return []
    at = failure.last_transition_time or failure.last_update_time
    return [_refused(workload, failure.message, condition_citation(workload, failure), at)]


def _failure(workload: Workload) -> Condition | None:
    """`ReplicaFailure`/FailedCreate (ReplicaSet, Deployment), or a ReplicaSet that could not be created."""
    failure = workload.condition("ReplicaFailure")
    if failure is not None and failure.status == "True" and failure.reason != "FailedDelete":
        return failure
    progressing = workload.condition("Progressing")
    if progressing is not None and progressing.reason == "ReplicaSetCreateError":
        return progressing
    return None


def _refused(workload: Workload, message: str, citation: Citation, at: datetime | None) -> Refusal:
    text = message.strip()
    for prefix in _PREFIXES:
        text = prefix.sub("", text)
    forbidden = _FORBIDDEN.match(text)
    words = text[forbidden.end() :] if forbidden else text
    made = {"CronJob": "jobs"}.get(workload.kind, "replicasets" if "replica set" in message[:40] else "pods")
    resource = forbidden["resource"].partition(".")[0] if forbidden else made
    return Refusal(workload, workload, text, words, resource, citation, (citation,), at)


def _is_about(event: Event, workload: Workload) -> bool:
    about = event.about
    if about.uid and workload.metadata.uid:
        return about.uid == workload.metadata.uid
    return (about.kind, about.name) == (workload.kind, workload.name)


def _is_satisfied(workload: Workload) -> bool:
    """It has all the Pods that it wants, so an old refusal is history."""
    if workload.kind in {"ReplicaSet", "StatefulSet"} and workload.wanted is not None:
        return (workload.status.replicas or 0) >= workload.wanted
    status = workload.status
    if workload.kind == "DaemonSet" and status.desired_number_scheduled is not None:
        return (status.current_number_scheduled or 0) >= status.desired_number_scheduled
    return False


def shortfall(workload: Workload) -> str:
    """`has 0 of 3 Pods`, as its status counts them."""
    status = workload.status
    wanted = workload.wanted
    if wanted is None:
        return "has no new Pod"
    have = {
        "Deployment": status.updated_replicas,
        "DaemonSet": status.current_number_scheduled,
        "Job": status.active if isinstance(status.active, int) else None,
    }.get(workload.kind, status.replicas)
    older = workload.kind == "Deployment" and (status.replicas or 0) > (status.updated_replicas or 0)
    return f"has {have or 0} of {plural(wanted, 'Pod')}{' of its present template' if older else ''}"
