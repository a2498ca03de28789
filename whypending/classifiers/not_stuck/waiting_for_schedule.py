"""waiting-for-schedule: the CronJob has started what was due and waits for its next time.

What it means
    Nothing is wrong: there is no Pod because none is due now.

How it is recognised
    No due time of `spec.schedule` has passed since `status.lastScheduleTime` (or since the CronJob was made, if it has
    never run), and its last Job, where there is one, has completed. Proved where `spec.timeZone` is set or the last run
    fits the schedule read as UTC; else likely.

What to do
    Wait for the time that is named, or make a Job from it by hand.

Limits
    Without `spec.timeZone` the schedule is read as UTC, which kube-controller-manager's own zone may not be.

References
    batch/v1 CronJob spec.schedule, spec.timeZone, status.lastScheduleTime;
    https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.words import condition_citation, field_citation, kubectl, resource, since
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.cron import due_times, next_due
from whypending.objects.workload import Workload

CAUSE = Cause("WP606", "waiting-for-schedule", Triage.NOT_STUCK)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """What ran last, and when the next is due."""
    cron = next(iter(seen(evidence.owners)), None)
    if evidence.the_pod is not None or cron is None or cron.kind != "CronJob":
        return
    schedule, zone = cron.spec.schedule, cron.spec.time_zone or ""
    following = next_due(schedule, zone, evidence.now)
    then = f"; the next is due at {following:%Y-%m-%d %H:%M} UTC" if following else ""
    yield CAUSE.finding(
        f"{cron.ref} is not stuck: {_last(evidence, cron)}{then}.",
        confidence=Confidence.PROVED if zone or _fits(cron) else Confidence.LIKELY,
        citations=tuple(_proof(evidence, cron)),
        remedies=(
            look("Nothing is to be done."),
            change(
                "To run it once now, make a Job from it.",
                kubectl(cron.namespace, "create", "job", f"{cron.name}-now", f"--from={resource(cron)}"),
            ),
        ),
    )


def _last(evidence: Evidence, cron: Workload) -> str:
    ran, made = cron.status.last_schedule_time, cron.metadata.creation_timestamp
    if ran is None:
        age = f" since it was made {since(made, evidence.now)} ago" if made else ""
        return f'no Job has been due yet{age} (schedule "{cron.spec.schedule}")'
    job = _job(evidence)
    done = f", and {job.ref} completed" if job is not None else ""
    return (
        f'the Job that was due last was started {since(ran, evidence.now)} ago{done} (schedule "{cron.spec.schedule}")'
    )


def _job(evidence: Evidence) -> Workload | None:
    return next((w for w in seen(evidence.owners)[1:] if w.kind == "Job"), None)


def _fits(cron: Workload) -> bool:
    """Its last run was at a due time of the schedule read as UTC."""
    ran = cron.status.last_schedule_time
    return ran is not None and ran in due_times(cron.spec.schedule, "", ran, count=1)


def _proof(evidence: Evidence, cron: Workload) -> Iterator[Citation]:
    yield field_citation(cron, "spec.schedule", cron.spec.schedule)
    if cron.spec.time_zone:
        yield field_citation(cron, "spec.timeZone", cron.spec.time_zone)
    if cron.status.last_schedule_time:
        yield field_citation(cron, "status.lastScheduleTime", cron.status.last_schedule_time)
    else:
        yield field_citation(cron, "metadata.creationTimestamp", cron.metadata.creation_timestamp)
    job = _job(evidence)
    if job is not None and job.completion is not None:
        yield condition_citation(job, job.completion)
