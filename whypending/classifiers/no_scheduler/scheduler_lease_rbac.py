"""scheduler-lease-rbac: the scheduler may not read or write its lease (RBAC).

What it means
    The scheduler runs and waits for a Lease that it has no right to take, so it never leads and never schedules.

How it is recognised
    Lines of its log: `leases.coordination.k8s.io "…" is forbidden: User "…" cannot get (create, update) resource
    "leases"`. The role system:kube-scheduler allows only the Lease called kube-scheduler.

What to do
    Give its ServiceAccount get, create and update of leases in coordination.k8s.io, for the Lease it is set to use.

Limits
    Needs the scheduler's log.

References
    The API server's RBAC refusal; client-go leaderelection; ClusterRole system:kube-scheduler
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_scheduler._logs import FORBIDDEN, cite, matching
from whypending.classifiers.words import names
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP104", "scheduler-lease-rbac", Triage.NO_SCHEDULER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A refusal of leases in the scheduler's log."""
    found = [(line, match) for line, match in matching(evidence, FORBIDDEN) if match["resource"] == "leases"]
    if not found:
        return
    user = found[0][1]["user"]
    verbs = list(dict.fromkeys(match["verb"] for _, match in found))
    yield CAUSE.finding(
        f"The scheduler cannot become leader: {user.removeprefix('system:')} may not {names(verbs)} its Lease.",
        citations=[cite(line) for line, _ in found[:3]],
        remedies=[
            change(
                f"Bind {user} to a Role that allows get, create and update of leases.coordination.k8s.io "
                "in the namespace of its Lease."
            )
        ],
    )
