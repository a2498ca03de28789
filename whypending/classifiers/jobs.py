"""A Job that has failed for good: whether, why, after how many tries, and how it is run again."""

from __future__ import annotations

from whypending.classifiers.cause import change, destroy
from whypending.classifiers.words import kubectl, plural, resource
from whypending.diagnosis import Remedy
from whypending.evidence import Evidence, seen
from whypending.objects.base import Condition
from whypending.objects.workload import Workload

DEADLINE = "DeadlineExceeded"
_DEFAULT_TRIES = 6
"""`spec.backoffLimit` where the manifest has none (batch/v1)."""


def failed_job(evidence: Evidence) -> tuple[Workload, Condition] | None:
    """The Job among the owners that has given up, with its condition (`Failed`, or `FailureTarget` before it)."""
    for job in seen(evidence.owners):
        if (found := job.failure) is not None:
            return job, found
    return None


def why(job: Workload, condition: Condition) -> str:
    """Why it gave up, as a sentence ends: `after 4 failed Pods, as … (BackoffLimitExceeded).` with its period."""
    spec, failed = job.spec, job.status.failed or 0
    limit = _DEFAULT_TRIES if spec.backoff_limit is None else spec.backoff_limit
    deadline = f" of {spec.active_deadline_seconds}" if spec.active_deadline_seconds is not None else ""
    known = {
        "BackoffLimitExceeded": f"as backoffLimit {limit} allows no further try",
        DEADLINE: f"as it was not done within its activeDeadlineSeconds{deadline}",
        "PodFailurePolicy": "as a rule of its podFailurePolicy says so",
        "MaxFailedIndexesExceeded": "as more of its indexes failed than maxFailedIndexes allows",
        "FailedIndexes": "as some of its indexes failed for good",
    }
    parts = (f"after {plural(failed, 'failed Pod')}" if failed else "", known.get(condition.reason, ""))
    tells = condition.reason not in known or condition.reason == "PodFailurePolicy"
    quoted = (condition.reason, " ".join(condition.message.split()).rstrip(".") if tells else "")
    brackets = ": ".join(x for x in quoted if x) or "its condition gives no reason"
    return f"{', '.join(x for x in parts if x)} ({brackets}).".strip()


def run_again(job: Workload) -> Remedy:
    """How the work is done again: a new Job from the CronJob, else the same Job deleted and created anew."""
    controller = job.metadata.controller
    if controller is not None and controller.kind == "CronJob":
        again = ("create", "job", f"{controller.name}-again", f"--from=cronjob/{controller.name}")
        return change(
            f"When that is mended, run it again by hand, or wait for the next Job of CronJob {controller.name}; "
            f"Job {job.name} itself makes no more Pods.",
            kubectl(job.namespace, *again),
        )
    return destroy(
        f"When that is mended, delete {job.ref} and create it again from its manifest: it makes no more Pods.",
        kubectl(job.namespace, "delete", resource(job)),
    )
