"""liveness-probe-killing: the liveness probe restarts the container again and again.

What it means
    The program runs, but does not answer its liveness probe in time, so the kubelet kills it. A program that is only
    slow to start, or busy, is killed before it can recover.

How it is recognised
    The kubelet's Event Killing `Container X failed liveness probe, will be restarted` (older: `… will be killed and
    recreated`) about a container that is not ready; or Unhealthy `Liveness probe failed` beside an end by SIGKILL or
    SIGTERM (137, 143), which is likely.

What to do
    Use a startup probe for slow starts, give the liveness probe more time, and let it ask only what a restart can mend
    (no databases).

Limits
    Events expire after an hour: for rarer restarts only the exit code is left.

References
    https://kubernetes.io/docs/concepts/workloads/pods/probes/#liveness-probe
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
from ._probes import answer, target

CAUSE = Cause(
    "WP441",
    "liveness-probe-killing",
    Triage.SCHEDULED_NOT_READY,
    refines=("container-crashloop", "sidecar-blocked"),
    explained_by=OVER,
)
_KILLED = {137, 143}


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each container that its liveness probe has had killed."""
    pod = evidence.the_pod
    for member in members(pod) if pod and pod.status.phase not in {"Failed", "Succeeded"} else ():
        if member.ready or member.spec.liveness_probe is None:
            continue
        killed = of_container(evidence, member.name, "Killing", saying=r"failed liveness probe")
        failed = of_container(evidence, member.name, "Unhealthy", saying=r"^Liveness probe (?:failed|errored)")
        if killed is None and (failed is None or not _was_killed(member)):
            continue
        yield _finding(evidence, member, killed, failed)


def _was_killed(member: Member) -> bool:
    end = member.last_terminated
    return end is not None and end.exit_code in _KILLED and end.reason != "OOMKilled"


def _finding(evidence: Evidence, member: Member, killed: Event | None, failed: Event | None) -> Finding:
    asks = target(member, member.spec.liveness_probe)
    said = f": {answer(failed)}" if failed else ""
    cited: list[Citation] = [event_citation(e) for e in (killed, failed) if e]
    if member.restarts:
        cited.append(member.cite("restartCount", member.restarts))
    return CAUSE.finding(
        f"The kubelet kills {member.noun} of {member.pod.ref} because it fails its liveness probe"
        f"{f' ({asks})' if asks else ''}{said}; {plural(member.restarts, 'restart')} so far.",
        confidence=Confidence.PROVED if killed else Confidence.LIKELY,
        citations=cited,
        remedies=(
            edit(
                evidence,
                "Give it time to start (a startupProbe) or to answer (timeoutSeconds, failureThreshold), or correct "
                "the port or path that the probe asks.",
            ),
            read_log(member, previous=member.restarts > 0),
        ),
    )
