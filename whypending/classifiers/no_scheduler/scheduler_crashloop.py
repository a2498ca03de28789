"""scheduler-crashloop: the scheduler process starts and dies again and again.

What it means
    The scheduler that should serve the Pod ends soon after each start, so nobody schedules its Pods for long.

How it is recognised
    A Pod of that scheduler has a container in CrashLoopBackOff, or one that was terminated and restarted often.

What to do
    Read the log of the run before: it says why the process ended.

Limits
    Needs the scheduler's Pods; a control plane outside the cluster has none.

References
    Pod status.containerStatuses[].state.waiting.reason CrashLoopBackOff (kubelet)
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._found import serving
from whypending.classifiers.words import field_citation, kubectl, plural
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import ContainerStatus, Pod

CAUSE = Cause(
    "WP108",
    "scheduler-crashloop",
    Triage.NO_SCHEDULER,
    refines=("default-scheduler-not-running",),
    explained_by=("scheduler-config-version-removed",),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A container of the Pod's scheduler is in CrashLoopBackOff."""
    pod = evidence.the_pod
    for scheduler in serving(evidence, pod.scheduler_name) if pod else ():
        for process in scheduler.pods:
            for status in process.status.container_statuses:
                waiting = status.state.waiting
                if waiting is not None and waiting.reason == "CrashLoopBackOff":
                    yield _finding(process, status)


def _finding(process: Pod, status: ContainerStatus) -> Finding:
    ended = status.last_state.terminated
    why = f", last with exit code {ended.exit_code}" if ended else ""
    said = f" ({ended.message.strip().splitlines()[-1]})" if ended and ended.message.strip() else ""
    path = f"status.containerStatuses[name={status.name}]"
    return CAUSE.finding(
        f"The scheduler's {process.ref} crashes again and again: {plural(status.restart_count, 'restart')}{why}{said}.",
        citations=[
            field_citation(process, f"{path}.state.waiting.reason", "CrashLoopBackOff"),
            field_citation(process, f"{path}.restartCount", status.restart_count, ended.finished_at if ended else None),
        ],
        remedies=[
            look(
                "Read why it ended the last time.",
                kubectl(process.namespace, "logs", process.name, "-c", status.name, "--previous", "--tail=50"),
            )
        ],
    )
