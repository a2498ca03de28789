"""job-failed: the Job has given up, so it makes no more Pods.

What it means
    The Job was tried and has failed for good. Its controller makes no other Pod, however long one waits; the same Job
    can't be resumed.

How it is recognised
    `status.conditions[type=Failed]` of the Job is True (or `FailureTarget`, while its last Pods end): proved. The
    reason says why: BackoffLimitExceeded (too many failed Pods or restarts), DeadlineExceeded (activeDeadlineSeconds),
    PodFailurePolicy (a rule ended it), MaxFailedIndexesExceeded or FailedIndexes (an indexed Job).

What to do
    Read the log of a Pod that failed and mend what it names; then delete the Job and create it again, or make a new one
    from its CronJob.

Limits
    Pods that the Job deleted when it gave up took their logs along. With restartPolicy OnFailure the restarts count as
    tries, so fewer failed Pods than backoffLimit are seen.

References
    batch/v1 Job status.conditions; pkg/controller/job/job_controller.go (v1.37);
    https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.jobs import DEADLINE, failed_job, run_again, why
from whypending.classifiers.words import condition_citation, field_citation, kubectl, resource, since
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.base import Condition
from whypending.objects.workload import Workload

CAUSE = Cause("WP519", "job-failed", Triage.NO_POD)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Job, when and why it gave up."""
    found = failed_job(evidence)
    if found is None:
        return
    job, condition = found
    at = condition.last_transition_time
    gave_up = f"gave up {since(at, evidence.now)} ago," if at else "has given up"
    limit = ("activeDeadlineSeconds", job.spec.active_deadline_seconds)
    if condition.reason != DEADLINE:
        limit = ("backoffLimit", job.spec.backoff_limit)
    counts = (("status.failed", job.status.failed), (f"spec.{limit[0]}", limit[1]))
    yield CAUSE.finding(
        f"{job.ref} {gave_up} {why(job, condition)}",
        citations=(
            condition_citation(job, condition),
            *(field_citation(job, f, v) for f, v in counts if v is not None),
        ),
        remedies=tuple(_remedies(evidence, job, condition)),
    )


def _remedies(evidence: Evidence, job: Workload, condition: Condition) -> Iterator[Remedy]:
    pod = evidence.the_pod
    if pod is not None:
        yield look("Read what its Pod wrote.", kubectl(pod.namespace, "logs", pod.name, "--all-containers"))
    else:
        yield look(
            "See what became of its Pods; where they are deleted, their output is only in the log store, if there is "
            "one.",
            kubectl(job.namespace, "describe", resource(job)),
        )
    if condition.reason == DEADLINE:
        yield look("Find out what took so long; raise activeDeadlineSeconds only if the work rightly takes longer.")
    yield run_again(job)
