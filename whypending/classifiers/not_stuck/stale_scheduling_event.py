"""stale-scheduling-event: an old FailedScheduling Event on a Pod that runs.

What it means
    A scheduler once found no node and later did. Events stay for an hour, so the old refusal still stands there.

How it is recognised
    The Pod is Ready (or has ended well) and has a FailedScheduling Event of a scheduler: having a node, it can't be
    refused any more. Proved by the Pod's own status.

What to do
    Nothing. How long it waited is the time between creation and PodScheduled=True.

Limits
    Autoscalers use the reason FailedScheduling for their own opinion; those Events are left out.

References
    core/v1 Pod status.conditions[type=PodScheduled]; kube-apiserver --event-ttl (default 1h).
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.not_stuck._stale import last_refusal, state_of
from whypending.classifiers.words import age, condition_citation, event_citation, field_citation, since
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP601", "stale-scheduling-event", Triage.NOT_STUCK)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The refusal that is over, and how long the Pod waited."""
    pod, event = evidence.the_pod, last_refusal(evidence)
    if pod is None or event is None:
        return
    scheduled = pod.condition("PodScheduled")
    bound = scheduled.last_transition_time if scheduled and scheduled.status == "True" else None
    born = pod.metadata.creation_timestamp
    waited = f" after {age(bound - born)}" if bound and born and bound > born else ""
    yield CAUSE.finding(
        f"{pod.ref} {state_of(pod)}: its FailedScheduling Event of {since(event.last_seen, evidence.now)} ago "
        f"is over, as it got {f'node {pod.spec.node_name}' if pod.spec.node_name else 'a node'}{waited}.",
        citations=(
            event_citation(event),
            condition_citation(pod, scheduled)
            if scheduled
            else field_citation(pod, "spec.nodeName", pod.spec.node_name),
        ),
        remedies=(look("Nothing is to be done."),),
    )
