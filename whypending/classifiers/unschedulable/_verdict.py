"""The scheduler's current verdict on the Pod, and the opinions of autoscalers, kept apart.

kube-scheduler records the FailedScheduling Event and then writes the PodScheduled condition, on every attempt. So
the condition is never the older of the two, though its lastTransitionTime does not move; it is not cut at 1,024
characters and does not expire. A repeated Event keeps the note of its first time. Hence the condition's message
decides where there is one; the newest Event decides where there is none (vendors' schedulers, old files) or where
its text is the only one with a reason that is known.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

import msgspec

from whypending.classifiers.unschedulable._memo import once
from whypending.diagnosis import Citation
from whypending.evidence import Evidence, seen
from whypending.messages import Reason, SchedulingMessage, parse_scheduling_message
from whypending.objects.base import Condition
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.triage import is_refusal

CONDITION = "status.conditions[type=PodScheduled].message"

parse = lru_cache(maxsize=64)(parse_scheduling_message)
"""One parse a text."""


class Verdict(msgspec.Struct, frozen=True):
    """What a scheduler says of the Pod now.

    text: as written. message: parsed. citations: where it stands. reasons: all, known or not. reason: the condition's
    reason word, "" where only an Event speaks. last: when it was last said, None if no time is known.
    """

    text: str
    message: SchedulingMessage
    citations: tuple[Citation, ...]
    reasons: tuple[Reason, ...]
    reason: str = ""
    last: datetime | None = None

    @property
    def total(self) -> int | None:
        """How many nodes the scheduler counted, None where it does not say."""
        return self.message.nodes_total

    def says(self, *parts: str) -> bool:
        """Whether the text holds any of these, in whatever case."""
        text = self.text.lower()
        return any(part.lower() in text for part in parts)


@once
def verdict_of(evidence: Evidence) -> Verdict | None:
    """The verdict, or None where no scheduler has said anything that was read."""
    pod = evidence.the_pod
    if pod is None:
        return None
    refusals = refusals_of(evidence)
    event = refusals[-1] if refusals else None
    condition = _condition(pod)
    if condition is None or not condition.message:
        reason = condition.reason if condition else ""
        return None if event is None else msgspec.structs.replace(_of_event(pod, event), reason=reason)
    return _of_condition(pod, condition, event)


def refusals_of(evidence: Evidence) -> tuple[Event, ...]:
    """FailedScheduling Events by schedulers, oldest first by when they were last seen."""
    return tuple(sorted((e for e in seen(evidence.events) if is_refusal(e) and e.text), key=lambda e: e.last_seen))


def _condition(pod: Pod) -> Condition | None:
    scheduled = pod.condition("PodScheduled")
    if scheduled is None or scheduled.status == "True" or scheduled.reason == "SchedulingGated":
        return None
    return scheduled


def _of_event(pod: Pod, event: Event) -> Verdict:
    message = parse(event.text)
    return Verdict(
        text=event.text,
        message=message,
        citations=(cite_event(event, pod),),
        reasons=message.reasons,
        last=event.last_seen,
    )


def _of_condition(pod: Pod, condition: Condition, event: Event | None) -> Verdict:
    message = parse(condition.message)
    since = condition.last_transition_time
    verdict = Verdict(
        text=condition.message,
        message=message,
        citations=(Citation(object=pod.ref, field=CONDITION, value=condition.message, at=since),),
        reasons=message.reasons,
        reason=condition.reason,
        last=since,
    )
    if event is None:
        return verdict
    last = max(event.last_seen, since) if since else event.last_seen
    known = {r.cause for r in message.reasons} - {None}
    other = parse(event.text).reasons
    if known or not any(r.cause for r in other):
        same = event.text == condition.message
        return msgspec.structs.replace(verdict, last=last if same or event.series or event.times > 1 else since)
    citations = (*verdict.citations, cite_event(event, pod))
    return msgspec.structs.replace(verdict, reasons=(*message.reasons, *other), citations=citations, last=last)


def cite_event(event: Event, pod: Pod) -> Citation:
    """An Event of the Pod, as proof."""
    return Citation(object=f"Event {event.reason} on {pod.ref}", field="message", value=event.text, at=event.last_seen)


def newest(evidence: Evidence, *reasons: str, by: tuple[str, ...] = ()) -> Event | None:
    """The newest Event of the Pod with one of these reasons (and one of these reporters), or None."""
    found = [e for e in seen(evidence.events) if e.reason in reasons and (not by or e.reporter in by)]
    return max(found, key=lambda e: e.last_seen, default=None)
