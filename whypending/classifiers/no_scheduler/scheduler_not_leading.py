"""scheduler-not-leading: the right scheduler runs but has not got its leader lease, so it schedules nothing.

What it means
    A scheduler that serves the Pod's schedulerName is there, but its Lease is held by somebody else or by nobody.
    Until it leads it does nothing, and looks healthy all the same.

How it is recognised
    Its Lease names a holder that is none of its Pods, or no holder at all, while its Pods run.

What to do
    Read its log for the lease it waits for; then free the Lease, correct its name, or mend the rights to it.

Limits
    With hostNetwork the holder carries the machine's name, so a healthy leader can't be told from a foreign one.

References
    Lease spec.holderIdentity (coordination.k8s.io/v1); client-go leaderelection
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._found import DEFAULT, lease_of, serving
from whypending.classifiers.no_scheduler.scheduler_shares_lease import holds
from whypending.classifiers.words import field_citation, kubectl, resource
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause(
    "WP102",
    "scheduler-not-leading",
    Triage.NO_SCHEDULER,
    explained_by=("scheduler-shares-lease", "scheduler-lease-rbac", "scheduler-crashloop", "scheduler-scaled-to-zero"),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod's scheduler is found and its Lease is not its own."""
    pod = evidence.the_pod
    if pod is None or pod.scheduler_name == DEFAULT:
        return
    for scheduler in serving(evidence, pod.scheduler_name):
        lease = lease_of(evidence, scheduler)
        holder = lease.spec.holder_identity if lease else ""
        if lease is None or holds(scheduler, lease) or (holder and not lease.alive(evidence.now)):
            continue
        whose = f"is held by {holder}" if holder else "is held by nobody"
        yield CAUSE.finding(
            f'{scheduler.owner.ref} serves "{pod.scheduler_name}" but does not lead: its {lease.ref} {whose}.',
            confidence=Confidence.LIKELY,
            citations=[field_citation(lease, "spec.holderIdentity", holder or "empty", lease.spec.renew_time)],
            remedies=[
                look(
                    "Read its log: it says which Lease it waits for.",
                    kubectl(scheduler.owner.namespace, "logs", resource(scheduler.owner), "--tail=50"),
                )
            ],
        )
