"""sidecar-blocked: a restartable init container does not start or become ready.

What it means
    A sidecar (an init container with `restartPolicy: Always`) must have started, and passed its startup probe, before
    the next container begins; and the Pod is Ready only when its sidecars are.

How it is recognised
    A sidecar's status says `started: false` or `ready: false` while it runs, or it crashes in a loop; image and
    configuration trouble shows under its own cause.

What to do
    Read the sidecar's log and look at its probes.

Limits
    A proxy that waits for its own control plane is not told from one that is broken.

References
    https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.words import plural, since
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence

from ._containers import Member, members
from ._ends import how
from ._logs import read_log
from ._node import OVER

CAUSE = Cause("WP454", "sidecar-blocked", Triage.SCHEDULED_NOT_READY, explained_by=OVER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each sidecar that holds the Pod."""
    pod = evidence.the_pod
    if pod is None or pod.status.phase in {"Failed", "Succeeded"}:
        return
    for member in members(pod):
        state = _state(evidence, member) if member.sidecar and not member.ready else ""
        if state:
            then = _then(member)
            yield CAUSE.finding(
                f"{member.label} of {pod.ref} {state}, {then}.",
                citations=tuple(_proof(member)),
                remedies=(read_log(member, previous=member.running is None and member.restarts > 0),),
            )


def _state(evidence: Evidence, member: Member) -> str:
    if member.running is not None:
        runs = since(member.running.started_at, evidence.now)
        begun = member.status is not None and member.status.started
        return f"has been running for {runs} and is not {'ready' if begun else 'started'}"
    if member.last_terminated is None or member.waiting_reason not in {"", "CrashLoopBackOff"}:
        return ""
    return f"ends with {how(member.last_terminated, said=False)} ({plural(member.restarts, 'restart')})"


def _then(member: Member) -> str:
    begun = member.status is not None and member.status.started
    return "so the Pod is not Ready" if begun else "and the containers after it start only when it has"


def _proof(member: Member) -> Iterator[Citation]:
    if member.status is None:
        return
    yield member.cite_spec("restartPolicy", "Always")
    yield member.cite("ready", "false")
    if member.status.started is not None:
        yield member.cite("started", str(member.status.started).lower())
    if member.waiting is not None:
        yield member.cite("state.waiting.reason", member.waiting.reason)
    if member.last_terminated is not None:
        yield member.cite(f"{member.ended_at}.exitCode", member.last_terminated.exit_code)
