"""container-failed: a container ended with an error and its restart policy leaves it so.

What it means
    A container of the Pod has ended badly and will not be started again (`restartPolicy: Never`, or the Pod's time is
    up). What made it fail is in its own output.

How it is recognised
    `state.terminated` with a non-zero exit code in a Pod that is Failed, or whose restart policy (the container's own
    or the Pod's) is Never; or `status.reason` DeadlineExceeded (activeDeadlineSeconds). Refusals by the kubelet,
    evictions and node shutdowns are other causes.

What to do
    Read the log, mend the program or its input, and run it again: a Job makes a new Pod up to its backoffLimit.

Limits
    `ContainerStatusUnknown` means that the node lost track of the container: how it ended is not known.

References
    https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.jobs import DEADLINE, failed_job, why
from whypending.classifiers.words import field_citation
from whypending.diagnosis import Finding, Role, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.objects.times import later, seconds

from ._admission import refused
from ._containers import Member, members
from ._ends import how
from ._logs import read_log
from ._node import OVER
from ._owner import edit, recreate

CAUSE = Cause("WP456", "container-failed", Triage.SCHEDULED_NOT_READY, refines=("job-failed",), explained_by=OVER)
_ELSEWHERE = {"Evicted", "Preempting", "NodeShutdown", "Terminated", "Shutdown", "ProviderFailed"}


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A failure that is left as it is."""
    pod = evidence.the_pod
    if pod is None or refused(pod) or pod.status.reason in _ELSEWHERE:
        return
    if pod.status.reason == DEADLINE:
        yield _overdue(evidence, pod)
        return
    failed = [m for m in members(pod) if m.terminated and m.terminated.exit_code and _stays(pod, m)]
    for member in failed:
        yield _finding(evidence, member)
    if pod.status.phase == "Failed" and not failed:
        yield _bare(evidence, pod)


def _stays(pod: Pod, member: Member) -> bool:
    policy = member.spec.restart_policy or pod.spec.restart_policy or "Always"
    return pod.status.phase == "Failed" or policy == "Never"


def _finding(evidence: Evidence, member: Member) -> Finding:
    end = member.terminated
    said = how(end) if end else ""
    lost = end is not None and end.reason == "ContainerStatusUnknown"
    message = (
        f"The node lost track of {member.noun} of {member.pod.ref}; how it ended is not known"
        if lost
        else f"{member.label} of {member.pod.ref} failed and is not started again: {said}"
    )
    fields = (("exitCode", end.exit_code), ("reason", end.reason), ("message", end.message)) if end else ()
    return CAUSE.finding(
        f"{message}{_given_up(evidence)}",
        citations=(
            *(member.cite(f"state.terminated.{f}", v) for f, v in fields if v),
            field_citation(member.pod, "spec.restartPolicy", member.pod.spec.restart_policy or "Always"),
        ),
        remedies=(read_log(member), *((recreate(evidence),) if member.pod.status.phase == "Failed" else ())),
        role=Role.SYMPTOM if _was_cut_off(evidence, member) else Role.CAUSE,
    )


def _given_up(evidence: Evidence) -> str:
    """The end of the sentence: that its Job makes no other Pod, where that is so."""
    found = failed_job(evidence)
    return f"; {found[0].ref} has given up {why(*found)}" if found else "."


def _was_cut_off(evidence: Evidence, member: Member) -> bool:
    """The Job's time was up before this container ended: its exit code is that of the kill."""
    found, end = failed_job(evidence), member.terminated
    if found is None or found[1].reason != DEADLINE or end is None:
        return False
    job, condition = found
    start, limit = job.status.start_time, job.spec.active_deadline_seconds
    due = later(start, seconds(limit)) if start and limit is not None else condition.last_transition_time
    return due is None or end.finished_at is None or end.finished_at >= due


def _overdue(evidence: Evidence, pod: Pod) -> Finding:
    seconds = pod.spec.active_deadline_seconds
    limit = f" of {seconds} seconds" if seconds is not None else ""
    return CAUSE.finding(
        f"{pod.ref} was ended because it ran longer than its activeDeadlineSeconds{limit}.",
        citations=(
            field_citation(pod, "status.reason", DEADLINE),
            *((field_citation(pod, "spec.activeDeadlineSeconds", seconds),) if seconds is not None else ()),
        ),
        remedies=(edit(evidence, "Raise activeDeadlineSeconds, or have the work end sooner."), recreate(evidence)),
    )


def _bare(evidence: Evidence, pod: Pod) -> Finding:
    said = ", ".join(x for x in (pod.status.reason, pod.status.message) if x) or "its status gives no reason"
    return CAUSE.finding(
        f"{pod.ref} has failed: {said.rstrip('. ')}.",
        citations=(field_citation(pod, "status.phase", "Failed"),),
        remedies=(recreate(evidence),),
    )
