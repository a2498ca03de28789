"""container-crashloop: CrashLoopBackOff.

What it means
    The container starts and ends, again and again; the kubelet waits longer before each new start (up to five
    minutes). The process itself ends, so the reason is in its own output.

How it is recognised
    `state.waiting.reason` is CrashLoopBackOff; or, between two back-offs, a container that has been restarted, is not
    ready, and ended last with an error (`lastState.terminated` less than ten minutes ago, or `state.terminated`).

What to do
    Read the log of the run before: `kubectl logs --previous`. Exit code 137 without OOMKilled is a kill from outside
    (often a liveness probe), 127 a missing command, 0 a program that ends although it should serve.

Limits
    The container's log is not read here.

References
    https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-restarts
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from whypending.classifiers.cause import Cause
from whypending.classifiers.words import plural
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence

from ._containers import Member, members
from ._ends import how
from ._logs import read_log
from ._node import OVER

CAUSE = Cause(
    "WP427",
    "container-crashloop",
    Triage.SCHEDULED_NOT_READY,
    refines=("init-container-blocked", "sidecar-blocked"),
    explained_by=OVER,
)
_BACK_OFF = "CrashLoopBackOff"
_LATELY = timedelta(minutes=10)


def crashing(evidence: Evidence) -> Iterator[Member]:
    """The containers that end again and again."""
    pod = evidence.the_pod
    for member in members(pod) if pod else ():
        if member.waiting_reason == _BACK_OFF or _between(evidence, member):
            yield member


def _between(evidence: Evidence, member: Member) -> bool:
    end = member.last_terminated
    if member.restarts < 1 or member.ready or end is None or member.waiting is not None:
        return False
    if member.terminated is not None:
        return end.exit_code != 0 and member.pod.status.phase in {"Running", "Pending"}
    lately = end.finished_at is not None and evidence.now - end.finished_at < _LATELY
    return lately and (member.restarts > 1 or end.exit_code != 0)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each container that crashes in a loop."""
    for member in crashing(evidence):
        end = member.last_terminated
        last = f"; its last run ended with {how(end)}" if end else ""
        yield CAUSE.finding(
            f"{member.label} of {member.pod.ref} keeps ending: {plural(member.restarts, 'restart')} so far{last}.",
            citations=_proof(member),
            remedies=(read_log(member, previous=member.restarts > 0),),
        )


def _proof(member: Member) -> tuple[Citation, ...]:
    end = member.last_terminated
    cited = [member.cite("restartCount", member.restarts)]
    if member.waiting is not None:
        cited.insert(0, member.cite("state.waiting.reason", member.waiting.reason))
    if end is not None:
        cited.append(member.cite(f"{member.ended_at}.exitCode", end.exit_code))
        if end.reason:
            cited.append(member.cite(f"{member.ended_at}.reason", end.reason))
        if end.message:
            cited.append(member.cite(f"{member.ended_at}.message", end.message))
    return tuple(cited)
