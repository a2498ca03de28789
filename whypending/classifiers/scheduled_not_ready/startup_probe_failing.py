"""startup-probe-failing: the startup probe fails, so the other probes never begin.

What it means
    The container runs but has not passed its startup probe. Until then it is not ready and no other probe is asked;
    when failureThreshold is used up, the kubelet kills and restarts it.

How it is recognised
    The container has a startup probe and is running with `started: false`, or was killed for it (`Container X failed
    startup probe, will be restarted`). Proved once its time is up or it was killed; likely while it still has time and
    only the Event `Startup probe failed` speaks.

What to do
    Give it as long as it needs: failureThreshold times periodSeconds. Check port and path of the probe.

Limits
    A program that is slow and one that will never answer look the same until its time is up.

References
    https://kubernetes.io/docs/concepts/workloads/pods/probes/#startup-probe
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.words import event_citation, plural
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.event import Event

from ._containers import Member, members
from ._events import of_container
from ._logs import read_log
from ._node import OVER
from ._owner import edit
from ._probes import answer, failure, patience, since_start, target, until

CAUSE = Cause(
    "WP440",
    "startup-probe-failing",
    Triage.SCHEDULED_NOT_READY,
    refines=("sidecar-blocked", "container-crashloop"),
    explained_by=OVER,
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each container that has not passed its startup probe."""
    pod = evidence.the_pod
    for member in members(pod) if pod and pod.status.phase not in {"Failed", "Succeeded"} else ():
        if member.ready or member.status is None or member.spec.startup_probe is None or member.status.started:
            continue
        killed = of_container(evidence, member.name, "Killing", saying=r"failed startup probe")
        event = failure(evidence, member, "Startup")
        if killed is None and (event is None or member.running is None):
            continue
        yield _finding(evidence, member, event, killed)


def _finding(evidence: Evidence, member: Member, event: Event | None, killed: Event | None) -> Finding:
    probe = member.spec.startup_probe
    asks = target(member, probe)
    said = f": {answer(event)}" if event else ""
    return CAUSE.finding(
        f"{member.label} of {member.pod.ref} does not pass its startup probe{f' ({asks})' if asks else ''}{said}"
        f"{_then(evidence, member, killed)}.",
        confidence=Confidence.PROVED if killed or _is_over(evidence, member) else Confidence.LIKELY,
        citations=tuple(_proof(member, event, killed)),
        remedies=(
            read_log(member, previous=member.restarts > 0),
            edit(
                evidence,
                "Raise startupProbe.failureThreshold if it needs more time, or correct the port or path that it asks.",
            ),
        ),
    )


def _then(evidence: Evidence, member: Member, killed: Event | None) -> str:
    if killed is not None:
        return f"; the kubelet has killed it for that ({plural(member.restarts, 'restart')})"
    probe = member.spec.startup_probe
    end = until(member, patience(probe)) if probe else None
    return "" if end is None or _is_over(evidence, member) else f"; it has until about {end:%H:%M:%S} UTC"


def _is_over(evidence: Evidence, member: Member) -> bool:
    probe, runs = member.spec.startup_probe, since_start(evidence, member)
    return probe is not None and runs is not None and runs > patience(probe)


def _proof(member: Member, event: Event | None, killed: Event | None) -> Iterator[Citation]:
    yield member.cite("started", "false")
    if event is not None:
        yield event_citation(event)
    if killed is not None:
        yield event_citation(killed)
