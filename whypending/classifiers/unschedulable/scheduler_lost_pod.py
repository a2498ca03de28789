"""scheduler-lost-pod: the scheduler tried before, then dropped the Pod from its queue.

What it means
    kube-scheduler tries an unschedulable Pod again after five minutes at the latest. This Pod's last attempt is much
    older, while the same scheduler works for others. It has lost the Pod, by a fault or a restart in between.

How it is recognised
    The newest refusal by Event is more than 45 minutes old (a repeated Event is refreshed each 30 minutes), and a Pod
    of the same scheduler was bound after it, or every reason has gone since: likely.

What to do
    Change any label of the Pod, which puts it back in the queue; else recreate it. Report it if it happens again.

Limits
    Events expire after an hour, so the age can be told only in between. Other schedulers retry as they like.

References
    kube-scheduler scheduling queue, podMaxInUnschedulablePodsDuration; client-go events broadcaster.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import timedelta

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.unschedulable._owner import replaced
from whypending.classifiers.unschedulable._refuted import refuted
from whypending.classifiers.unschedulable._verdict import cite_event, refusals_of, verdict_of
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Confidence, Finding, Role, Triage
from whypending.evidence import Evidence, Served, seen

CAUSE = Cause("WP338", "scheduler-lost-pod", Triage.UNSCHEDULABLE)
SILENCE = timedelta(minutes=45)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    pod, attempts = evidence.the_pod, refusals_of(evidence)
    if pod is None or not attempts or verdict_of(evidence) is None:
        return
    last = attempts[-1]
    age = evidence.now - last.last_seen
    bound = _bound_since(evidence, last.last_seen.timestamp())
    gone = refuted(evidence)
    if age < SILENCE or not (bound or gone):
        return
    since = f"though it has bound {bound.pod} since" if bound else f"though {' and '.join(gone)}"
    minutes = int(age.total_seconds() // 60)
    where = f"-n {shlex.quote(pod.namespace)}"
    yield CAUSE.finding(
        sentence(f"The scheduler {pod.scheduler_name} tried {pod.ref} last {minutes} minutes ago, {since}"),
        confidence=Confidence.LIKELY if bound else Confidence.POSSIBLE,
        role=Role.CAUSE if gone else Role.CONTRIBUTING,
        citations=(cite_event(last, pod), *_cite(bound)),
        remedies=(
            change(
                "Touch the Pod, so that the scheduler queues it again.",
                f"kubectl {where} label pod {shlex.quote(pod.name)} retry=1 --overwrite",
            ),
            replaced(pod, "Or delete it"),
        ),
    )


def _bound_since(evidence: Evidence, instant: float) -> Served | None:
    pod = evidence.the_pod
    name = pod.scheduler_name if pod else ""
    found = (s for s in seen(evidence.served) if s.scheduler_name == name and s.bound_at)
    return next((s for s in found if s.bound_at and s.bound_at.timestamp() > instant), None)


def _cite(bound: Served | None) -> Iterator[Citation]:
    if bound is not None:
        field = "status.conditions[type=PodScheduled].status"
        yield Citation(object=bound.pod, field=field, value="True", at=bound.bound_at)
