"""lifecycle-hook-failed: postStart failed.

What it means
    Right after its start the container's postStart hook ran and failed, so the kubelet killed the container.

How it is recognised
    The Event FailedPostStartHook about a container that is not ready, or `state.waiting.reason` PostStartHookError,
    whose message holds the command and its exit code.

What to do
    Run the hook's command in the container by hand; mind that the hook races with the container's own start.

Limits
    The hook's output goes nowhere; newer kubelets keep it out of Events on purpose. A failing preStop hook does not
    keep a Pod from starting.

References
    https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence

from ._containers import Member, members
from ._events import of_container
from ._logs import read_log
from ._node import OVER
from ._owner import edit
from ._probes import command

CAUSE = Cause(
    "WP448",
    "lifecycle-hook-failed",
    Triage.SCHEDULED_NOT_READY,
    refines=("container-crashloop", "sidecar-blocked"),
    explained_by=OVER,
)
_REASON = "PostStartHookError"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each container whose postStart hook failed."""
    pod = evidence.the_pod
    for member in members(pod) if pod else ():
        proof = () if member.ready else tuple(_proof(evidence, member))
        if not proof:
            continue
        hook = _hook(member)
        yield CAUSE.finding(
            f"The postStart hook of {member.noun} of {member.pod.ref} failed{f' ({hook})' if hook else ''}, so the "
            "kubelet killed the container.",
            citations=proof,
            remedies=(
                edit(
                    evidence, "Correct lifecycle.postStart, or move that work into the container or an init container."
                ),
                look("Run the hook's command in the image by hand: its output is not in the container's log."),
                read_log(member, previous=member.restarts > 0),
            ),
        )


def _proof(evidence: Evidence, member: Member) -> Iterator[Citation]:
    if member.waiting is not None and member.waiting.reason == _REASON:
        yield member.cite("state.waiting.reason", _REASON)
        if member.waiting.message:
            yield member.cite("state.waiting.message", member.waiting.message)
    event = of_container(evidence, member.name, "FailedPostStartHook")
    if event is not None:
        yield event_citation(event)


def _hook(member: Member) -> str:
    hook = member.spec.lifecycle.post_start if member.spec.lifecycle else None
    if hook is None:
        return ""
    if hook.exec is not None:
        return command(hook.exec.command)
    return f"GET :{hook.http_get.port}{hook.http_get.path}" if hook.http_get else ""
