"""unrecognised-message: the scheduler's text fits no known pattern and is quoted whole.

What it means
    A scheduler refused the Pod in words that whypending does not know: a private plugin, a vendor, a newer release.

How it is recognised
    Any part of the verdict that is neither a known reason nor a number or a head. It is the cause where nothing else
    was understood, and contributes otherwise. The whole text is quoted, nothing is dropped.

What to do
    Read the scheduler's words. The log of that scheduler and its plugin's documentation say more.

Limits
    What it means is not known here.

References
    The scheduler that wrote it: `reportingComponent` of the Event.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.unschedulable._order import ORDER
from whypending.classifiers.unschedulable._told import told_all
from whypending.classifiers.unschedulable._verdict import Verdict, verdict_of
from whypending.classifiers.unschedulable._words import sentence, unique
from whypending.diagnosis import Citation, Finding, Remedy, Role, Triage
from whypending.evidence import Evidence
from whypending.messages import Reason
from whypending.objects.pod import Pod

_NOISE = ("not found",)
"""What DefaultPreemption of 1.37 adds where PreFilter refused all nodes at once: it finds no node to judge."""
CAUSE = Cause("WP351", "unrecognised-message", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    pod, verdict = evidence.the_pod, verdict_of(evidence)
    if pod is None:
        return
    if verdict is None:
        yield from _wordless(pod)
        return
    unknown = _unknown(verdict)
    understood = (
        any(t.name in ORDER for t in told_all(evidence)) or verdict.reason == "SchedulerError" or verdict.total == 0
    )
    if not unknown and understood:
        return
    words = "; ".join(unknown) or verdict.text
    yield CAUSE.finding(
        sentence(f"The scheduler {pod.scheduler_name} refused {pod.ref} in words that are not known here: {words}"),
        role=Role.CONTRIBUTING if understood else Role.CAUSE,
        citations=verdict.citations,
        remedies=_remedies(pod),
    )


def _unknown(verdict: Verdict) -> tuple[str, ...]:
    said = [r for r in (*verdict.reasons, *verdict.message.preemption) if _is_unknown(r)]
    rest = verdict.message.rest.strip(" .")
    rest = "" if rest in _NOISE else rest
    return unique((*(f"{r.count} {r.text}" if r.count is not None else r.text for r in said), rest))


def _is_unknown(reason: Reason) -> bool:
    if reason.cause is None:
        return not any(key == "says" for key, _ in reason.details)
    return reason.cause not in ORDER


def _wordless(pod: Pod) -> Iterator[Finding]:
    scheduled = pod.condition("PodScheduled")
    if scheduled is None or scheduled.status != "False":
        return
    field = "status.conditions[type=PodScheduled]"
    value = f"False ({scheduled.reason or 'no reason'}, no message)"
    yield CAUSE.finding(
        sentence(f"The scheduler {pod.scheduler_name} has refused {pod.ref} and left no word why"),
        citations=(Citation(object=pod.ref, field=field, value=value, at=scheduled.last_transition_time),),
        remedies=_remedies(pod),
    )


def _remedies(pod: Pod) -> Iterator[Remedy]:
    space, name = shlex.quote(pod.namespace), shlex.quote(pod.name)
    command = f"kubectl -n {space} get events --field-selector involvedObject.name={name}"
    yield look("Read all Events of the Pod.", command)
    yield look(f"Read the log of {pod.scheduler_name}.")
