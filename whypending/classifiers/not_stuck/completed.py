"""completed: the Pod or Job ended as it should.

What it means
    All containers exited with 0 and are not to be started again. Ready is False for such a Pod, which is right.

How it is recognised
    `status.phase` is Succeeded, or the Job's condition Complete (or SuccessCriteriaMet) is True: proved.

What to do
    Nothing. A workload that should keep running needs another controller than a Job or a restartPolicy Always.

Limits
    Whether the program did its work is only as sure as its exit code.

References
    core/v1 Pod status.phase; batch/v1 Job status.conditions;
    https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-phase
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.not_stuck._stale import ended_at, is_over
from whypending.classifiers.words import condition_citation, field_citation, kubectl, names, plural, since
from whypending.diagnosis import Citation, Finding, Role, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload

CAUSE = Cause("WP604", "completed", Triage.NOT_STUCK)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod, or the Job that was asked about and has no Pods any more."""
    pod = evidence.the_pod
    if pod is not None and pod.status.phase == "Succeeded":
        yield _pod(evidence, pod)
    elif pod is None:
        job = next(iter(seen(evidence.owners)), None)
        if job is not None:
            yield from _job(evidence, job)


def _pod(evidence: Evidence, pod: Pod) -> Finding:
    ended = ended_at(pod)
    ago = f" {since(ended, evidence.now)} ago" if ended else ""
    ends = [(s.name, s.state.terminated) for s in pod.status.container_statuses if s.state.terminated]
    codes = names((f'"{name}" with exit code {end.exit_code}' for name, end in ends), shown=6)
    how = f": container {codes}" if len(ends) == 1 else f": containers {codes}" if ends else ""
    of = "" if evidence.target.kind == "Pod" else f" of {evidence.target.kind} {evidence.target.name}"
    return CAUSE.finding(
        f"{pod.ref}{of} is not stuck: it ended as it should{ago}{how}.",
        citations=(field_citation(pod, "status.phase", pod.status.phase), *_ends(pod)),
        remedies=(
            look("Nothing is to be done."),
            look("Its output is in the log.", kubectl(pod.namespace, "logs", pod.name)),
        ),
        role=Role.CONTRIBUTING if is_over(evidence) else Role.CAUSE,
    )


def _ends(pod: Pod) -> Iterator[Citation]:
    for status in pod.status.container_statuses:
        end = status.state.terminated
        if end is not None:
            field = f"status.containerStatuses[name={status.name}].state.terminated.exitCode"
            yield field_citation(pod, field, end.exit_code, end.finished_at)


def _job(evidence: Evidence, job: Workload) -> Iterator[Finding]:
    complete = job.completion
    if complete is None:
        return
    ended = job.status.completion_time or complete.last_transition_time
    ago = f" {since(ended, evidence.now)} ago" if ended else ""
    yield CAUSE.finding(
        f"{job.ref} is not stuck: it completed{ago} with {plural(job.status.succeeded or 0, 'succeeded Pod')}.",
        citations=(condition_citation(job, complete),),
        remedies=(look("Nothing is to be done."),),
    )
