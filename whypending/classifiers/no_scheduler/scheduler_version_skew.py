"""scheduler-version-skew: the scheduler's client library does not match the cluster's API version.

What it means
    The scheduler asks for an API version that this server no longer, or not yet, serves. The list never succeeds,
    so it never begins.

How it is recognised
    Its log says "the server could not find the requested resource" or "no matches for kind" for a list it needs,
    with no later line that shows it at work.

What to do
    Use a scheduler build made for this cluster's release.

Limits
    Needs the scheduler's log. The same words come for a custom resource whose definition is not installed, so it is
    never more than likely.

References
    https://kubernetes.io/releases/version-skew-policy/; client-go reflector messages
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_scheduler._logs import BEGUN, cite, hits
from whypending.classifiers.no_scheduler._words import title
from whypending.classifiers.words import names
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

CAUSE = Cause("WP110", "scheduler-version-skew", Triage.NO_SCHEDULER, refines=("default-scheduler-not-running",))
NOT_SERVED = Pattern(
    r"[Ff]ailed to (?:list|watch).{0,500}?(?P<type>\*?\w{1,40}\.\w{1,80})?: "
    r"(?:the server could not find the requested resource|no matches for kind)"
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Lists of APIs that the server does not have, in the scheduler's log."""
    found = hits(evidence, NOT_SERVED, BEGUN, "requested resource", "no matches for kind")
    pod = evidence.the_pod
    if pod is None or not found:
        return
    server = f" ({evidence.server_version})" if evidence.server_version else ""
    types = names(sorted({(h.match["type"] or "").lstrip("*") for h in found} - {""}))
    yield CAUSE.finding(
        f"{title(pod.scheduler_name)} asks for {types or 'an API'}, which this server{server} does not serve, "
        "so it never begins its work.",
        confidence=Confidence.LIKELY,
        citations=cite(found),
        remedies=[
            change("Run a scheduler build of the cluster's own release, or install the CRD if it is a custom resource.")
        ],
    )
