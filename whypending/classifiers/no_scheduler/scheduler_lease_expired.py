"""scheduler-lease-expired: the right scheduler's lease is past its duration and nobody has taken it.

What it means
    The scheduler that held the Lease is gone, or lives but cannot renew it. A standby would have taken the Lease
    within seconds, so there is none that can.

How it is recognised
    renewTime + leaseDurationSeconds of the Lease lies before the server's clock, or the holder is empty after an
    orderly end. The Lease is the one that the Pod's scheduler uses.

What to do
    Find out why the holder ended or cannot reach the API server, and start it again.

Limits
    A file's clock is its newest time: a Lease in an old dump always looks as it did then. Whether the holder still
    lives can't be seen from its Lease.

References
    Lease spec.renewTime, spec.leaseDurationSeconds (coordination.k8s.io/v1);
    kube-scheduler --leader-elect-lease-duration
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._found import DEFAULT, default_lease, lease_citations, lease_of, serving
from whypending.classifiers.words import kubectl, since
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.node import Lease

CAUSE = Cause("WP112", "scheduler-lease-expired", Triage.NO_SCHEDULER, refines=("default-scheduler-not-running",))


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A Lease that the Pod's scheduler needs is held by nobody who lives."""
    pod = evidence.the_pod
    if pod is None:
        return
    for lease in {x.ref: x for x in _leases(evidence, pod.scheduler_name)}.values():
        if not lease.alive(evidence.now):
            yield _finding(evidence, lease)


def _leases(evidence: Evidence, name: str) -> Iterator[Lease]:
    default = default_lease(evidence) if name == DEFAULT else None
    if default is not None:
        yield default
    for scheduler in serving(evidence, name):
        lease = lease_of(evidence, scheduler)
        if lease is not None:
            yield lease


def _finding(evidence: Evidence, lease: Lease) -> Finding:
    spec = lease.spec
    ago = since(spec.renew_time, evidence.now)
    who = spec.holder_identity
    story = (
        f"{who} last renewed it {ago} ago" if who else f"its last holder gave it back {ago} ago, as in an orderly end"
    )
    return CAUSE.finding(
        f"No scheduler leads: {lease.ref} has expired ({story}, and nobody has taken it since).",
        citations=lease_citations(lease),
        remedies=[
            look(
                "Watch who takes the Lease while you start the scheduler again; Pods are bound seconds after.",
                kubectl(lease.namespace, "get", "lease", lease.name, "-w"),
            )
        ],
    )
