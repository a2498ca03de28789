"""scheduler-internal-error: Reserve, PreBind or Bind failed, or a plugin returned an error (SchedulerError).

What it means
    The scheduler did not refuse the Pod; something went wrong while it worked on it. It tries again by itself. If
    the same error comes back, the plugin or the API call that it names is broken.

How it is recognised
    A text such as `running Bind plugin "DefaultBinder": …`, or the PodScheduled reason `SchedulerError` with a text
    that no other cause explains: proved that it was an error; its words are quoted.

What to do
    Read the error. An API conflict or a time-out that does not return needs nothing; else look at the scheduler's log.

Limits
    What the plugin did inside is only in the scheduler's log.

References
    Scheduling framework, `SchedulerError`, kube-scheduler 1.2 to 1.37.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._logged import errors
from whypending.classifiers.unschedulable._told import told, told_all
from whypending.classifiers.unschedulable._verdict import Verdict, verdict_of
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod

CAUSE = Cause("WP349", "scheduler-internal-error", Triage.UNSCHEDULABLE)
REASON = "SchedulerError"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    pod, verdict, this = evidence.the_pod, verdict_of(evidence), told(evidence, CAUSE.name)
    if pod is None or verdict is None:
        return
    if this is None and (verdict.reason != REASON or told_all(evidence)):
        return
    phase = this.fact("phase") if this else ""
    words = this.words if this else verdict.text
    step = f" in {phase}" if phase else ""
    yield CAUSE.finding(
        sentence(f"Scheduling {pod.ref} failed{step} with an error, not a refusal: {words.rstrip('. ')}"),
        confidence=Confidence.PROVED,
        citations=(*verdict.citations, *_cite(pod, verdict), *errors(evidence, pod)),
        remedies=_remedies(pod),
    )


def _cite(pod: Pod, verdict: Verdict) -> Iterator[Citation]:
    if verdict.reason:
        yield Citation(object=pod.ref, field="status.conditions[type=PodScheduled].reason", value=verdict.reason)


def _remedies(pod: Pod) -> Iterator[Remedy]:
    if pod.scheduler_name == "default-scheduler":
        path = shlex.quote(f"{pod.namespace}/{pod.name}")
        command = f"kubectl -n kube-system logs -l component=kube-scheduler --tail=500 | grep -F {path}"
        yield look("Read what the scheduler's log says of this Pod.", command)
    else:
        yield look(f"Read what the log of {pod.scheduler_name} says of this Pod.")
    yield change("If the error comes back on each attempt, repair what it names; a single one is retried by itself.")
