"""scheduler-informer-not-synced: the scheduler's caches never sync, so its loop never starts.

What it means
    Before its first decision a scheduler lists everything it needs. If one of those lists never succeeds it waits
    for ever, alive and idle.

How it is recognised
    Its log repeats "Failed to list …" or "waiting for caches to sync", and the Pod was never judged.

What to do
    Mend what the log gives as the reason of the failed list: rights, an API the server does not have, the network.

Limits
    Needs the scheduler's log. /healthz stays ok in this state, only /readyz fails.

References
    client-go reflector and informer messages; kube-scheduler /readyz
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._logs import NOT_SYNCED, cite, matching
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause(
    "WP109",
    "scheduler-informer-not-synced",
    Triage.NO_SCHEDULER,
    explained_by=("scheduler-rbac", "scheduler-auth-failed", "scheduler-version-skew"),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Lists that fail, in the scheduler's log."""
    found = [line for line, _ in matching(evidence, NOT_SYNCED)]
    if not found:
        return
    yield CAUSE.finding(
        "The scheduler has not begun its work: a list that it needs first does not succeed.",
        confidence=Confidence.LIKELY,
        citations=[cite(line) for line in found[-3:]],
        remedies=[look("Mend what the log names as the reason of the failed list, then restart the scheduler.")],
    )
