"""container-crashloop: CrashLoopBackOff.

What it means
    The container starts and ends, again and again; the kubelet waits longer before each new start (up to five
    minutes). The process itself ends, so the reason is in its own output.

How it is recognised
    `state.waiting.reason` is CrashLoopBackOff; or, between two back-offs, a container that has been restarted, is not
    ready, and ended last (`lastState.terminated` less than ten minutes ago, or `state.terminated`): with an error, or
    with 0 where its restart policy is Always.

What to do
    Read the log of the run before: `kubectl logs --previous`. Exit code 137 without OOMKilled usually means
    SIGKILL from outside (often after a failed liveness probe), 143 SIGTERM, 127 a missing command; 0 is a program that
    ends although it should serve: give it one that keeps running, or make it a Job.

Limits
    The container's log is not read here. A program can end itself with 137 or 143 too: the code alone proves no signal.

References
    https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-restarts
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from whypending.classifiers.cause import Cause
from whypending.classifiers.words import plural
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence

from ._containers import Member, members
from ._ends import how
from ._logs import read_log
from ._node import OVER
from ._owner import edit

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
        return (end.exit_code != 0 or _is_to_serve(member)) and member.pod.status.phase in {"Running", "Pending"}
    lately = end.finished_at is not None and evidence.now - end.finished_at < _LATELY
    return lately and (member.restarts > 1 or end.exit_code != 0)


def _is_to_serve(member: Member) -> bool:
    """Its restart policy, its own or the Pod's, is Always: an end with 0 is one too many."""
    if member.init:
        return member.sidecar
    return (member.spec.restart_policy or member.pod.spec.restart_policy or "Always") == "Always"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each container that crashes in a loop."""
    for member in crashing(evidence):
        end = member.last_terminated
        last = f"; its last run ended with {how(end)}" if end else ""
        by_itself = end is not None and end.exit_code == 0 and end.reason != "OOMKilled" and _is_to_serve(member)
        meant = ": its program is not meant to run on" if by_itself else ""
        yield CAUSE.finding(
            f"{member.label} of {member.pod.ref} keeps ending: {plural(member.restarts, 'restart')} so far"
            f"{last}{meant}.",
            citations=_proof(member),
            remedies=(
                *((_serve(evidence, member),) if by_itself else ()),
                read_log(member, previous=member.restarts > 0),
            ),
        )


def _serve(evidence: Evidence, member: Member) -> Remedy:
    return edit(evidence, f"Give {member.noun} a command that keeps running; work that ends belongs in a Job.")


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
