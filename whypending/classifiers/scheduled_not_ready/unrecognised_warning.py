"""unrecognised-warning: the newest Warning Event fits no known cause and is quoted whole.

What it means
    The Pod has a node and is not Ready, nothing that whypending knows explains it, and something has warned.

How it is recognised
    No other cause of this class was found, and the newest Event of type Warning of this Pod's life, other than a
    scheduler's, has not been overtaken by a later success on the node. It is only possible: a warning need not be
    the reason.

What to do
    Read the warning, and the log of who wrote it.

Limits
    What it means is not known here.

References
    Event type Warning (core/v1, events.k8s.io/v1); the component named by reportingComponent or source.component.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, kubectl, sentence
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence, seen

from ._events import got_past

CAUSE = Cause("WP457", "unrecognised-warning", Triage.SCHEDULED_NOT_READY, last_resort=True)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The newest Warning that still stands."""
    pod = evidence.the_pod
    warnings = [e for e in seen(evidence.events) if e.type == "Warning" and e.reason != "FailedScheduling"]
    if pod is None or not warnings or got_past(evidence, warnings[-1]):
        return
    event = warnings[-1]
    yield CAUSE.finding(
        sentence(f"No known cause fits; the last warning about {pod.ref} is {event.reason}: {event.text}"),
        confidence=Confidence.POSSIBLE,
        citations=(event_citation(event),),
        remedies=(
            look(
                "Read all Events of the Pod.",
                kubectl(pod.namespace, "events", "--for", f"pod/{pod.name}"),
            ),
        ),
    )
