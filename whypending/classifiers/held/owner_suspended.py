"""owner-suspended: the owning Job or CronJob is suspended, or the Deployment's rollout is paused.

What it means
    Somebody stopped the workload on purpose; no Pods are made until it is resumed.

How it is recognised
    `spec.suspend: true` on a Job or CronJob, `spec.paused: true` on a Deployment: proved.

What to do
    Resume it, if whoever stopped it agrees.

Limits
    Where a queueing system suspends the Job, that is job-suspended-by-queue. A controller above the Job (JobSet, a
    training operator) may suspend it again. A paused Deployment still scales what it has; it rolls out nothing new.

References
    batch/v1 spec.suspend; apps/v1 spec.paused;
    https://kubernetes.io/docs/concepts/workloads/controllers/job/#suspending-a-job;
    https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#pausing-and-resuming-a-deployment
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.held._kueue import queue_of
from whypending.classifiers.words import condition_citation, field_citation, kubectl, resource, since
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.workload import Workload

CAUSE = Cause("WP207", "owner-suspended", Triage.HELD)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each of the chain that is stopped."""
    queued = bool(queue_of(evidence)[0])
    for workload in seen(evidence.owners):
        if workload.spec.paused:
            yield _paused(workload)
        elif workload.spec.suspend and not (queued and workload.kind == "Job"):
            yield _suspended(evidence, workload)


def _paused(workload: Workload) -> Finding:
    return CAUSE.finding(
        f"{workload.ref} is paused, so it makes no Pods of its current template.",
        citations=(field_citation(workload, "spec.paused", value=True),),
        remedies=(change("Resume the rollout.", kubectl(workload.namespace, "rollout", "resume", resource(workload))),),
    )


def _suspended(evidence: Evidence, workload: Workload) -> Finding:
    condition = workload.condition("Suspended")
    start = condition.last_transition_time if condition and condition.status == "True" else None
    state = f"has been suspended for {since(start, evidence.now)}" if start else "is suspended"
    what = "starts no Jobs" if workload.kind == "CronJob" else "has no Pods"
    patch = '{"spec":{"suspend":false}}'
    resume = kubectl(workload.namespace, "patch", resource(workload), "-p", patch)
    cited = (condition_citation(workload, condition),) if condition else ()
    return CAUSE.finding(
        f"{workload.ref} {state} (spec.suspend: true), so it {what}.",
        citations=(field_citation(workload, "spec.suspend", value=True), *cited),
        remedies=(change(f"Resume it{_above(workload)}.", resume, patch=patch),),
    )


def _above(workload: Workload) -> str:
    """A controller that can undo it."""
    controller = workload.metadata.controller
    if controller is None or controller.kind == "CronJob":
        return ""
    return f"; {controller.kind} {controller.name}, which owns it, may suspend it again"
