"""init-container-blocked: an init container does not finish.

What it means
    Init containers run one after the other, each to its end; the Pod's own containers start only after the last. This
    one is still running, or ends with an error again and again.

How it is recognised
    The first init container (sidecars left out) that has not ended with exit code 0 is running, in CrashLoopBackOff or
    ended with an error, and the Pod is Pending. One that has not been started (image, configuration) shows under its
    own cause.

What to do
    Read its log: it usually waits for another service, or its migration or set-up fails.

Limits
    How long it may take is not known: an init container that works for an hour looks the same.

References
    https://kubernetes.io/docs/concepts/workloads/pods/init-containers/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.words import condition_citation, plural, since
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod

from ._containers import Member, members
from ._ends import how
from ._logs import read_log
from ._node import OVER

CAUSE = Cause("WP429", "init-container-blocked", Triage.SCHEDULED_NOT_READY, explained_by=OVER)


def blocking(pod: Pod) -> Member | None:
    """The init container that holds the Pod: started at least once and not done."""
    if pod.status.phase != "Pending":
        return None
    undone = next((m for m in members(pod) if m.init and not m.sidecar and not m.done), None)
    if undone is None or not (undone.running or undone.last_terminated):
        return None
    return None if undone.waiting_reason not in {"", "CrashLoopBackOff"} else undone


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The init container that is not done."""
    pod = evidence.the_pod
    member = blocking(pod) if pod else None
    if pod is None or member is None:
        return
    yield CAUSE.finding(
        f"{member.label} of {pod.ref} {_state(evidence, member)}; the Pod's own containers start only when it is done.",
        citations=tuple(_proof(pod, member)),
        remedies=(read_log(member, previous=member.running is None and member.restarts > 0),),
    )


def _state(evidence: Evidence, member: Member) -> str:
    again = f" ({plural(member.restarts, 'restart')})" if member.restarts else ""
    if member.running is not None:
        return f"has been running for {since(member.running.started_at, evidence.now)}{again}"
    end = member.last_terminated
    return f"ends with {how(end, said=False)}{again}" if end else f"does not finish{again}"


def _proof(pod: Pod, member: Member) -> Iterator[Citation]:
    if member.running is not None:
        started = member.running.started_at
        yield member.cite("state.running.startedAt", f"{started:%Y-%m-%dT%H:%M:%SZ}" if started else "unknown")
    elif member.waiting is not None:
        yield member.cite("state.waiting.reason", member.waiting.reason)
    if member.last_terminated is not None:
        yield member.cite(f"{member.ended_at}.exitCode", member.last_terminated.exit_code)
    initialized = pod.condition("Initialized")
    if initialized is not None and initialized.status == "False":
        yield condition_citation(pod, initialized)
