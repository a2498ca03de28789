"""min-ready-wait: all is well; minReadySeconds or initialDelaySeconds has not passed yet.

What it means
    The containers run and nothing has failed. The workload's own settings ask for some more seconds before the Pod
    counts: the readiness probe has not been asked yet, or a Ready Pod must stay Ready for minReadySeconds.

How it is recognised
    Every container that is not ready runs, has a readiness or startup probe whose first success is not due yet
    (initialDelaySeconds + successThreshold times periodSeconds), and no probe has failed; or the Pod has been Ready for
    less than its owner's `spec.minReadySeconds`.

What to do
    Wait; the finding says until when.

Limits
    None known.

References
    https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#min-ready-seconds
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import condition_citation, field_citation, kubectl
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod
from whypending.objects.times import later, seconds

from ._containers import Member, members
from ._node import OVER
from ._probes import first_answer, until
from ._ready import is_ready

CAUSE = Cause("WP455", "min-ready-wait", Triage.SCHEDULED_NOT_READY, explained_by=OVER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A wait that the workload's own settings ask for."""
    pod = evidence.the_pod
    if pod is None or pod.metadata.deletion_timestamp is not None:
        return
    due, why, cited = _by_owner(evidence, pod) if is_ready(pod) else _by_probes(evidence, pod)
    if due is None:
        return
    yield CAUSE.finding(
        f"Nothing is wrong with {pod.ref}: {why} until {due:%H:%M:%S} UTC.",
        citations=cited,
        remedies=(look("Wait until then and ask again.", kubectl(pod.namespace, "get", "pod", pod.name, "--watch")),),
    )


def _by_owner(evidence: Evidence, pod: Pod) -> tuple[datetime | None, str, tuple[Citation, ...]]:
    ready = pod.condition("Ready")
    since = ready.last_transition_time if ready else None
    for owner in seen(evidence.owners):
        due = later(since, seconds(owner.spec.min_ready_seconds)) if since else None
        if ready is not None and due is not None and due > evidence.now:
            cited = field_citation(owner, "spec.minReadySeconds", owner.spec.min_ready_seconds)
            return (
                due,
                f"it is Ready, and {owner.ref} counts it as available only after staying so",
                (
                    cited,
                    condition_citation(pod, ready),
                ),
            )
    return None, "", ()


def _by_probes(evidence: Evidence, pod: Pod) -> tuple[datetime | None, str, tuple[Citation, ...]]:
    waiting = [m for m in members(pod) if (m.sidecar or not m.init) and not m.ready]
    due = [_due(m) for m in waiting]
    if not due or any(d is None or d <= evidence.now for d in due) or _has_failed(evidence, waiting):
        return None, "", ()
    names = ", ".join(m.name for m in waiting)
    cited = tuple(m.cite_spec("readinessProbe.initialDelaySeconds", _delay(m)) for m in waiting)
    return max(d for d in due if d), f"the first answer to the probes of {names} is not due", cited


def _due(member: Member) -> datetime | None:
    probe = member.spec.startup_probe or member.spec.readiness_probe
    return until(member, first_answer(probe)) if probe is not None and member.running else None


def _delay(member: Member) -> int:
    probe = member.spec.readiness_probe or member.spec.startup_probe
    return probe.initial_delay_seconds if probe else 0


def _has_failed(evidence: Evidence, waiting: list[Member]) -> bool:
    return any(m.restarts for m in waiting) or any(e.reason == "Unhealthy" for e in seen(evidence.events))
