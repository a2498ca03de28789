"""oom-killed: last termination was OOMKilled.

What it means
    The kernel killed the container because it used more memory than its limit, or because the node itself ran out.

How it is recognised
    `state.terminated.reason` or `lastState.terminated.reason` is OOMKilled, on a container that is not ready now.
    With a memory limit it is the limit; without one it is the node, which is likely only.

What to do
    Raise the limit to what the program needs, or make it need less (heap settings must leave room below the limit).

Limits
    How much it used in the end is not in the Pod. A child process that was killed may show as another exit code. A
    limit of the whole Pod (`spec.resources`) counts too.

References
    https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import kubectl, plural
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence

from ._containers import Member, members
from ._node import OVER
from ._owner import edit

CAUSE = Cause(
    "WP428",
    "oom-killed",
    Triage.SCHEDULED_NOT_READY,
    refines=("container-crashloop", "container-failed", "init-container-blocked", "sidecar-blocked"),
    explained_by=OVER,
)
_REASON = "OOMKilled"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each container whose last end was for memory."""
    pod = evidence.the_pod
    for member in members(pod) if pod else ():
        end = member.last_terminated
        if end is None or end.reason != _REASON or member.ready:
            continue
        where, limit = _limit(member)
        yield CAUSE.finding(
            f"{member.label} of {member.pod.ref} was killed {_why(member, limit)}.",
            confidence=Confidence.PROVED if limit else Confidence.LIKELY,
            citations=(
                member.cite(f"{member.ended_at}.reason", _REASON),
                member.cite(f"{member.ended_at}.exitCode", end.exit_code),
                *((Citation(object=member.pod.ref, field=where, value=limit),) if limit else ()),
            ),
            remedies=tuple(_remedies(evidence, member, limit)),
        )


def _limit(member: Member) -> tuple[str, str]:
    own = member.spec.resources.limits.get("memory")
    if own is not None:
        return member.spec_path("resources.limits.memory"), str(own)
    whole = member.pod.spec.resources.limits.get("memory") if member.pod.spec.resources else None
    return ("spec.resources.limits.memory", str(whole)) if whole is not None else ("", "")


def _why(member: Member, limit: str) -> str:
    times = f"restarted {plural(member.restarts, 'time')}" if member.restarts else ""
    if limit:
        return f"for using more memory than its limit of {limit}{f' ({times})' if times else ''}"
    notes = "; ".join(x for x in ("it has no memory limit", times) if x)
    return f"because node {member.pod.spec.node_name} ran out of memory ({notes})"


def _remedies(evidence: Evidence, member: Member, limit: str) -> Iterator[Remedy]:
    if limit:
        yield edit(evidence, f"Raise limits.memory of {member.noun} above {limit}, or have the program use less.")
    else:
        yield edit(evidence, f"Give {member.noun} a memory request and limit that fit what it uses.")
        yield look("See how full the node is.", kubectl("", "describe", "node", member.pod.spec.node_name))
