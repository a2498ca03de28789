"""scheduler-auth-failed: the scheduler cannot authenticate to the API server (bad kubeconfig or certificate).

What it means
    The API server does not know who the scheduler is, or the scheduler does not trust the server: a token or
    certificate is missing, wrong or expired. It reads nothing and schedules nothing.

How it is recognised
    Lines of its log about its own requests (lists, watches, its Lease): Unauthorized, "the server has asked for the
    client to provide credentials", "x509: certificate has expired" or "signed by unknown authority", with no later
    line that shows it at work. Proved from the second line on, where the log is the scheduler's and fresh.

What to do
    Renew its certificate or token and restart it; on kubeadm clusters `kubeadm certs check-expiration` shows which.

Limits
    Needs the scheduler's log. A single line can be a passing fault: see whether they go on. Requests that the
    scheduler itself turns away ("Unable to authenticate the request") are somebody else's trouble.

References
    API server authentication; https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_scheduler._logs import BEGUN, cite, confidence, hits
from whypending.classifiers.no_scheduler._words import title
from whypending.diagnosis import Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

CAUSE = Cause("WP106", "scheduler-auth-failed", Triage.NO_SCHEDULER, refines=("default-scheduler-not-running",))
_OWN = r"(?:[Ff]ailed to (?:list|watch)|resource lock|lease lock|\b(?:Get|Post|Put) \\?\"https?://)"
_REFUSED = (
    r"\bUnauthorized\b|the server has asked for the client to provide credentials"
    r"|x509: certificate (?:has expired(?: or is not yet valid)?|signed by unknown authority)"
)
REFUSED = Pattern(rf"{_OWN}.{{0,2000}}?(?P<why>{_REFUSED})")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Refused credentials in the scheduler's log."""
    found = hits(evidence, REFUSED, BEGUN, "Unauthorized", "provide credentials", "x509: ")
    pod = evidence.the_pod
    if pod is None or not found:
        return
    once = len(found) == 1
    yield CAUSE.finding(
        f"{title(pod.scheduler_name)} cannot log in to the API server: its log says “{found[-1].match['why']}”.",
        confidence=Confidence.LIKELY if once else confidence(evidence, found),
        citations=cite(found),
        remedies=_remedies(),
    )


def _remedies() -> Iterator[Remedy]:
    yield look(
        "On a control plane made by kubeadm, see which certificate has expired.", "kubeadm certs check-expiration"
    )
    yield change("Renew the scheduler's certificate or token (or the CA in its kubeconfig), then restart it.")
