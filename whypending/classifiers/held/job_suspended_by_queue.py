"""job-suspended-by-queue: the Job is suspended, and the queueing system has not resumed it.

What it means
    Kueue keeps `spec.suspend: true` on the Job until it admits it. There are no Pods before that, on purpose.

How it is recognised
    The Job has `spec.suspend: true` and the label `kueue.x-k8s.io/queue-name` (or is owned by something that has):
    proved. Why it is not admitted follows where Kueue's Workload was read.

What to do
    Look at the Workload. Resuming the Job by hand does not help: Kueue suspends it again. Where Kueue is not installed
    (this server does not serve its API) nothing resumes the Job: set `spec.suspend` to false, or install Kueue.

Limits
    With `managedBy` MultiKueue another cluster runs the Job; this one stays suspended here.

References
    https://kueue.sigs.k8s.io/docs/tasks/run/jobs/; batch/v1 spec.suspend
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.held._kueue import condition, is_absent, queue_of, waiting_checks, workload_of
from whypending.classifiers.words import condition_citation, field_citation, kubectl, names, resource, since
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.workload import Workload

CAUSE = Cause("WP204", "job-suspended-by-queue", Triage.HELD)
_SERVED = "kubectl api-resources --api-group=kueue.x-k8s.io"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Job, its queue and since when."""
    name, label = queue_of(evidence)
    job = next((w for w in seen(evidence.owners) if w.kind == "Job" and w.spec.suspend), None)
    if job is None or not name or label is None:
        return
    suspended = job.condition("Suspended")
    start = (suspended.last_transition_time if suspended else None) or job.metadata.creation_timestamp
    time = since(start, evidence.now)
    queue = f"LocalQueue {job.namespace}/{name}"
    message = f"has been suspended for {time}: Kueue has not admitted it from {queue}{_state(evidence)}"
    if is_absent(evidence):
        message = f"has been suspended for {time} for Kueue ({queue}), which is not installed: nothing will resume it"
    yield CAUSE.finding(
        f"{job.ref} {message}.",
        citations=(field_citation(job, "spec.suspend", value=True), label, *_said(evidence, job)),
        remedies=tuple(_remedies(evidence, job)),
    )


def _state(evidence: Evidence) -> str:
    workload = workload_of(evidence)
    if workload is not None and workload.spec.get("active") is False:
        return "; its Workload is deactivated (spec.active: false)"
    checks = waiting_checks(workload)
    return f"; it waits for admission check {names(checks)}" if checks else ""


def _said(evidence: Evidence, job: Workload) -> Iterator[Citation]:
    suspended = job.condition("Suspended")
    if suspended is not None:
        yield condition_citation(job, suspended)
    workload = workload_of(evidence)
    for type_ in ("QuotaReserved", "Admitted", "Evicted"):
        found = condition(workload, type_)
        if workload is not None and found is not None:
            yield condition_citation(workload, found)


def _remedies(evidence: Evidence, job: Workload) -> Iterator[Remedy]:
    if is_absent(evidence):
        patch = '{"spec":{"suspend":false}}'
        yield change(
            "Start it without a queue.", kubectl(job.namespace, "patch", resource(job), "-p", patch), patch=patch
        )
        yield look("Or install Kueue, with its queues; see first that its API is not served.", _SERVED)
        return
    workload = workload_of(evidence)
    where = (
        ("describe", f"workloads.kueue.x-k8s.io/{workload.name}") if workload else ("get", "workloads.kueue.x-k8s.io")
    )
    yield look(
        "Read why it is not admitted; resuming the Job by hand is undone by Kueue.", kubectl(job.namespace, *where)
    )
