"""scheduler-version-skew: the scheduler's client library does not match the cluster's API version.

What it means
    The scheduler asks for an API version that this server no longer, or not yet, serves. The list never succeeds,
    so it never begins.

How it is recognised
    Its log says "the server could not find the requested resource" or "no matches for kind" for a list it needs.

What to do
    Use a scheduler build made for this cluster's release.

Limits
    Needs the scheduler's log. The same words come for a custom resource whose definition is not installed.

References
    https://kubernetes.io/releases/version-skew-policy/; client-go reflector messages
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_scheduler._logs import NOT_SERVED, cite, matching
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP110", "scheduler-version-skew", Triage.NO_SCHEDULER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Lists of APIs that the server does not have, in the scheduler's log."""
    found = [line for line, _ in matching(evidence, NOT_SERVED)]
    if not found:
        return
    server = f" ({evidence.server_version})" if evidence.server_version else ""
    yield CAUSE.finding(
        f"The scheduler asks for an API that this server{server} does not serve, so it never begins its work.",
        confidence=Confidence.LIKELY,
        citations=[cite(line) for line in found[-3:]],
        remedies=[change("Run a scheduler of the cluster's own release, or install the CRD that the log names.")],
    )
