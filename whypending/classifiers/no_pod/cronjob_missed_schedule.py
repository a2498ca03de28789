"""cronjob-missed-schedule: the CronJob was due and did not start its Job.

What it means
    No Job, so no Pod. Either the controller says why in an Event, or the due times pass and nobody acts.

How it is recognised
    Newest Event of the CronJob: `UnknownTimeZone`, `UnparseableSchedule`, `InvalidSchedule`, `TooManyMissedTimes`,
    `MissSchedule` (startingDeadlineSeconds passed), `JobAlreadyActive` (concurrencyPolicy Forbid): proved. Without one:
    a due time of `spec.schedule` is later than `status.lastScheduleTime` (or than its creation; two of them, where the
    zone is not known): likely, as the controller or its clock may be down.

What to do
    Correct the time zone or schedule, let startingDeadlineSeconds be longer than a controller's pause, or end the Job
    that still runs; without Events look at kube-controller-manager.

Limits
    A schedule without time zone is read as UTC, which the controller's own zone may not be; Events last for an hour.

References
    pkg/controller/cronjob/cronjob_controllerv2.go, utils.go (v1.37);
    https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.words import event_citation, field_citation, kubectl, names, newest, resource, sentence
from whypending.diagnosis import Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, is_known, seen
from whypending.objects.cron import missed
from whypending.objects.event import Event
from whypending.objects.workload import Workload

CAUSE = Cause("WP515", "cronjob-missed-schedule", Triage.NO_POD)

_LATENCY = timedelta(minutes=1)
_TROUBLES = (
    "UnknownTimeZone",
    "UnparseableSchedule",
    "InvalidSchedule",
    "TooManyMissedTimes",
    "MissSchedule",
    "JobAlreadyActive",
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """What the controller says of it, else what its clock shows."""
    job = next(iter(seen(evidence.owners)), None)
    if job is None or job.kind != "CronJob" or job.spec.suspend:
        return
    event = newest(evidence.owner_events, *_TROUBLES, "SuccessfulCreate", "FailedCreate")
    if event is not None and event.reason in _TROUBLES:
        yield CAUSE.finding(
            f"{job.ref} started no Job: {_why(job, event)}",
            citations=(event_citation(event),),
            remedies=_remedies(job, event.reason),
        )
    elif event is None:
        yield from _silent(evidence, job)


def _why(job: Workload, event: Event) -> str:
    spec = job.spec
    if event.reason == "UnknownTimeZone":
        return f'"{spec.time_zone}" (spec.timeZone) is no time zone that the controller knows.'
    if event.reason == "MissSchedule" and spec.starting_deadline_seconds is not None:
        return (
            f"it was due, and startingDeadlineSeconds ({spec.starting_deadline_seconds}) passed before it could start."
        )
    if event.reason == "JobAlreadyActive":
        active = job.status.active if isinstance(job.status.active, tuple) else ()
        which = f" ({names(j.name for j in active)})" if active else ""
        return f"its last Job{which} still runs, and concurrencyPolicy is Forbid."
    return sentence(event.text)


def _remedies(job: Workload, reason: str) -> tuple[Remedy, ...]:
    edit = kubectl(job.namespace, "edit", resource(job))
    once = kubectl(job.namespace, "create", "job", f"{job.name}-now", f"--from={resource(job)}")
    fixes = {
        "UnknownTimeZone": change("Set spec.timeZone to an IANA name such as Europe/Berlin, or remove it.", edit),
        "JobAlreadyActive": look("Look why that Job does not end.", kubectl(job.namespace, "get", "jobs,pods")),
        "MissSchedule": change("Raise spec.startingDeadlineSeconds to more than the controller's pauses.", edit),
        "TooManyMissedTimes": change("Set spec.startingDeadlineSeconds to less than a hundred intervals.", edit),
    }
    fix = fixes.get(reason, change("Correct spec.schedule.", edit))
    return (fix, change("To run it once now, make a Job from it.", once))


def _silent(evidence: Evidence, job: Workload) -> Iterator[Finding]:
    """A due time, or two where the zone is not known, went by without a Job and without a word."""
    last = job.status.last_schedule_time or job.metadata.creation_timestamp
    due = missed(job.spec.schedule, job.spec.time_zone or "", last, evidence.now - _LATENCY) if last else ()
    if not due:
        return
    before = " and before" if len(due) > 1 else ""
    looked = is_known(evidence.owner_events)
    why = "no Event says why" if looked else "its Events were not read"
    yield CAUSE.finding(
        f'{job.ref} (schedule "{job.spec.schedule}") was due at {due[0]:%Y-%m-%d %H:%M} UTC{before}, '
        f"but started no Job, and {why}.",
        confidence=Confidence.LIKELY if looked else Confidence.POSSIBLE,
        citations=(
            field_citation(job, "spec.schedule", job.spec.schedule),
            field_citation(job, "status.lastScheduleTime", job.status.last_schedule_time),
        ),
        remedies=(
            look(
                "See whether kube-controller-manager runs and leads.",
                kubectl("kube-system", "get", "lease", "kube-controller-manager", "-o", "yaml"),
            ),
            *_remedies(job, "MissSchedule")[1:],
        ),
    )
