"""scheduler-auth-failed: the scheduler cannot authenticate to the API server (bad kubeconfig or certificate).

What it means
    The API server does not know who the scheduler is: its token or certificate is missing, wrong or expired. It
    reads nothing and schedules nothing.

How it is recognised
    Lines of its log: Unauthorized, "the server has asked for the client to provide credentials", "x509: certificate
    has expired" or "signed by unknown authority".

What to do
    Renew its certificate or token and restart it; on kubeadm clusters `kubeadm certs check-expiration` shows which.

Limits
    Needs the scheduler's log. A single line can be a passing fault: see whether they go on.

References
    API server authentication; https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_scheduler._logs import UNAUTHORIZED, cite, matching
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP106", "scheduler-auth-failed", Triage.NO_SCHEDULER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Refused credentials in the scheduler's log."""
    found = [(line, match[0]) for line, match in matching(evidence, UNAUTHORIZED)]
    if not found:
        return
    yield CAUSE.finding(
        f"The scheduler cannot log in to the API server: its log says {found[-1][1]}.",
        confidence=Confidence.PROVED if len(found) > 1 else Confidence.LIKELY,
        citations=[cite(line) for line, _ in found[-3:]],
        remedies=[
            look(
                "On a control plane made by kubeadm, see which certificate has expired.",
                "kubeadm certs check-expiration",
            ),
            change("Renew the scheduler's certificate or token, then restart it."),
        ],
    )
