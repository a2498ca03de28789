"""preemption-not-possible: Pods of lower priority may exist, but preemption cannot resolve this.

What it means
    The Pod has a priority above others, so one would expect it to push them out. Its scheduler can't: the reason
    would stay even on an empty node, no victims are enough, or the Pod's own policy forbids it.

How it is recognised
    The Pod has a priority above zero (or a PriorityClass), and the verdict's tail says `Preemption is not helpful for
    scheduling`, `No preemption victims found for incoming pod` or `not eligible due to preemptionPolicy=Never`: proved.
    Another vendor's scheduler that refuses such a Pod and says nothing of preemption: likely.

What to do
    Resolve the reason itself. A higher priority would not help.

Limits
    It only adds to the real cause. Pods of priority zero are left out, since nobody expects them to preempt.

References
    DefaultPreemption, kube-scheduler 1.22 to 1.37; kubernetes.io "Pod Priority and Preemption".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.unschedulable._nominated import said_in_tail
from whypending.classifiers.unschedulable._verdict import Verdict, verdict_of
from whypending.classifiers.unschedulable._words import sentence, unique
from whypending.diagnosis import Citation, Confidence, Finding, Role, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod

CAUSE = Cause("WP327", "preemption-not-possible", Triage.UNSCHEDULABLE)
_NEVER = "preemptionpolicy=never"
_WITHOUT_TAIL = ("volcano", "yunikorn", "kai")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding, contributing."""
    pod, verdict = evidence.the_pod, verdict_of(evidence)
    if pod is None or verdict is None or not _has_priority(evidence, pod):
        return
    said = said_in_tail(verdict, CAUSE.name) or tuple(r for r in verdict.reasons if r.cause == CAUSE.name)
    silent = not verdict.message.preemption and verdict.message.family in _WITHOUT_TAIL and verdict.reasons
    if not said and (not silent or pod.status.nominated_node_name):
        return
    yield CAUSE.finding(
        sentence(_message(pod, verdict, [r.text for r in said])),
        confidence=Confidence.PROVED if said else Confidence.LIKELY,
        role=Role.CONTRIBUTING,
        citations=(*verdict.citations, *_priority(pod)),
        remedies=(change("Resolve the reasons themselves; a higher priority would not help."),),
    )


def _has_priority(evidence: Evidence, pod: Pod) -> bool:
    name = pod.spec.priority_class_name
    value = next((c.value for c in seen(evidence.priority_classes) if name and c.name == name), None)
    known = pod.spec.priority if pod.spec.priority is not None else value
    return known > 0 if known is not None else bool(name)


def _message(pod: Pod, verdict: Verdict, said: list[str]) -> str:
    if verdict.says(_NEVER):
        return f"The priority of {pod.ref} does not push others out, because its preemptionPolicy is Never"
    words = "; ".join(unique(said))
    if words:
        return f"The priority of {pod.ref} does not help, because preemption finds nothing to do: {words}"
    return f"The priority of {pod.ref} has not helped: {pod.scheduler_name} preempts no Pod for these reasons"


def _priority(pod: Pod) -> Iterator[Citation]:
    if pod.spec.priority is not None:
        yield Citation(object=pod.ref, field="spec.priority", value=str(pod.spec.priority))
    elif pod.spec.priority_class_name:
        yield Citation(object=pod.ref, field="spec.priorityClassName", value=pod.spec.priority_class_name)
    if pod.spec.preemption_policy:
        yield Citation(object=pod.ref, field="spec.preemptionPolicy", value=pod.spec.preemption_policy)
