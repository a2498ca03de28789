"""ready: the Pod is Running and Ready; nothing is wrong with it now.

What it means
    Its containers run and their readiness probes and gates pass. It gets traffic.

How it is recognised
    `status.conditions[type=Ready]` is True and the Pod is not being deleted: proved, as far as the kubelet's last
    report goes.

What to do
    Nothing. If users still see trouble, look past the Pod: Service selector, network policy, the program's own log.

Limits
    Restarts show trouble that is over for now. A node that died moments ago still shows its Pods as Ready for about
    40 seconds.

References
    core/v1 Pod status.conditions; https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.not_stuck._stale import is_over
from whypending.classifiers.words import condition_citation, field_citation, kubectl, plural, since
from whypending.diagnosis import Citation, Finding, Role, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import ContainerStatus, Pod
from whypending.triage import is_well

CAUSE = Cause("WP603", "ready", Triage.NOT_STUCK)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Since when, and how often it was restarted."""
    pod = evidence.the_pod
    ready = pod.condition("Ready") if pod else None
    if pod is None or ready is None or ready.status != "True" or not is_well(pod):
        return
    start = ready.last_transition_time
    time = f" for {since(start, evidence.now)}" if start else ""
    yield CAUSE.finding(
        f"{_subject(evidence, pod)} not stuck: it has been Running and Ready{time}{_restarts(evidence, pod)}.",
        citations=(condition_citation(pod, ready), *_counts(pod)),
        remedies=(
            look("Nothing is to be done."),
            look(
                "If users see trouble all the same, look at the Service and the log.",
                kubectl(pod.namespace, "logs", pod.name, "--all-containers", "--tail=50"),
            ),
        ),
        role=Role.CONTRIBUTING if is_over(evidence) else Role.CAUSE,
    )


def _subject(evidence: Evidence, pod: Pod) -> str:
    target = evidence.target
    return f"{pod.ref} is" if target.kind == "Pod" else f"{pod.ref} of {target.kind} {target.name} is"


def _restarts(evidence: Evidence, pod: Pod) -> str:
    """`, with 3 restarts so far (the last 2 hours ago: container "web" ended with OOMKilled)`; empty if unknown."""
    statuses = pod.status.container_statuses
    if not statuses:
        return ""
    count = sum(s.restart_count for s in statuses)
    if not count:
        return ", with no restarts so far"
    last = max(statuses, key=_last_end)
    ended = last.last_state.terminated
    if ended is None or ended.finished_at is None:
        return f", with {plural(count, 'restart')} so far"
    how = ended.reason or f"exit code {ended.exit_code}"
    ago = since(ended.finished_at, evidence.now)
    return f', with {plural(count, "restart")} so far (the last {ago} ago: container "{last.name}" ended with {how})'


def _last_end(status: ContainerStatus) -> float:
    ended = status.last_state.terminated
    return ended.finished_at.timestamp() if ended and ended.finished_at else 0.0


def _counts(pod: Pod) -> Iterator[Citation]:
    for status in pod.status.container_statuses:
        if status.restart_count:
            field = f"status.containerStatuses[name={status.name}].restartCount"
            yield field_citation(pod, field, status.restart_count)
