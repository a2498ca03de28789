"""scheduler-lease-expired: the right scheduler's lease is past its duration and nobody has taken it.

What it means
    The scheduler that held the Lease is gone, or lives but cannot renew it. A standby would have taken the Lease
    within seconds, so there is none that can.

How it is recognised
    renewTime + leaseDurationSeconds of the Lease lies before the clock, or the holder is empty after an orderly end.
    The Lease is the one that the Pod's scheduler uses. Proved against the server's clock; in files, where another
    Lease beside it was renewed after this one's end.

What to do
    Find out why the holder ended or cannot reach the API server, and start it again.

Limits
    A file's clock is its newest time: a Lease that was saved a minute before the Pods looks expired, hence likely.
    Whether the holder still lives can't be seen from its Lease.

References
    Lease spec.renewTime, spec.leaseDurationSeconds (coordination.k8s.io/v1);
    kube-scheduler --leader-elect-lease-duration; client-go leaderelection (release)
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._words import lease_citations
from whypending.classifiers.words import kubectl, since
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.inventory.found import is_certain, schedulers_in, serving, worked_since
from whypending.inventory.leases import certainty, default_lease, ends, holds, host_of, is_held, lease_of
from whypending.inventory.process import DEFAULT
from whypending.objects.node import Lease
from whypending.objects.pod import Pod

CAUSE = Cause(
    "WP112",
    "scheduler-lease-expired",
    Triage.NO_SCHEDULER,
    refines=("default-scheduler-not-running",),
    explained_by=(
        "scheduler-config-version-removed",
        "scheduler-auth-failed",
        "scheduler-lease-rbac",
        "scheduler-crashloop",
        "scheduler-scaled-to-zero",
        "scheduler-self-dependency",
    ),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A Lease that the Pod's scheduler needs is held by nobody who lives."""
    pod = evidence.the_pod
    if pod is None:
        return
    for lease, sure in _leases(evidence, pod.scheduler_name).values():
        moot = worked_since(evidence, pod.scheduler_name, ends(lease) or lease.spec.renew_time)
        if not is_held(evidence, lease) and not moot:
            yield _finding(evidence, pod, lease, sure=sure)


def _leases(evidence: Evidence, name: str) -> dict[str, tuple[Lease, bool]]:
    """By reference, with whether it is certain that the Pod's scheduler uses it."""
    found = {}
    for scheduler in serving(evidence, name):
        lease = lease_of(evidence, scheduler)
        if lease is not None and not scheduler.is_default:
            found[lease.ref] = (lease, is_certain(scheduler))
    default = default_lease(evidence) if name == DEFAULT else None
    return found if default is None else found | {default.ref: (default, True)}


def _finding(evidence: Evidence, pod: Pod, lease: Lease, *, sure: bool) -> Finding:
    spec = lease.spec
    ago = since(spec.renew_time, evidence.now)
    who = spec.holder_identity
    if spec.renew_time is None:
        story = "has no renewTime, so nobody has ever held it"
    elif who:
        story = f"has expired, {who}{_gone(evidence, lease)} last renewed it {ago} ago, and nobody has taken it since"
    else:
        story = f"was given back {ago} ago, as in an orderly end, and nobody has taken it since"
    return CAUSE.finding(
        f"No scheduler leads, so {pod.ref} waits: {lease.ref} {story}.",
        confidence=certainty(evidence, lease) if sure else Confidence.LIKELY,
        citations=lease_citations(lease),
        remedies=[
            look(
                "Watch who takes the Lease while you start the scheduler again; Pods are bound seconds after.",
                kubectl(lease.namespace, "get", "lease", lease.name, "-w"),
            )
        ],
    )


def _gone(evidence: Evidence, lease: Lease) -> str:
    """`, a Pod that is gone,` where the holder is called like a replica that its workload no longer has."""
    host = host_of(lease)
    for scheduler in schedulers_in(evidence):
        mine = scheduler.pods and scheduler.lease == (lease.namespace, lease.name) and holds(scheduler, lease)
        if mine and all(p.name != host for p in scheduler.pods):
            return ", a Pod that is gone,"
    return ""
