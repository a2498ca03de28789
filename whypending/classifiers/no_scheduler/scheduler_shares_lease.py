"""scheduler-shares-lease: two different schedulers use the same lease/lock object, so only one of them ever works.

What it means
    The scheduler that should serve this Pod runs and looks healthy, but it waits for a Lease that another scheduler
    holds and keeps renewing. It will wait for as long as that one lives.

How it is recognised
    The configuration (or the flags) of the Pod's scheduler name the Lease of another scheduler, most often
    kube-system/kube-scheduler, and the holder is none of its own Pods. Proved when its Pods could be read and the
    name of the Lease is in their flags, or in a ConfigMap that was last written before they began (managedFields);
    else the process may have read another text (likely).

What to do
    Give it a Lease of its own: leaderElection.resourceName and resourceNamespace in its KubeSchedulerConfiguration,
    with the RBAC for that Lease; or leaderElect: false where it has a single replica.

Limits
    With hostNetwork the holder is called by the machine's name. Then the LeaderElection Event tells who it is, or that
    the Lease was taken before the scheduler's own processes began; without either it is only likely.

References
    KubeSchedulerConfiguration leaderElection (kubescheduler.config.k8s.io/v1), default resourceName kube-scheduler;
    Lease spec.holderIdentity (coordination.k8s.io/v1)
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_scheduler._words import lease_citations
from whypending.classifiers.words import field_citation, kubectl, resource
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.inventory.found import Scheduler, is_certain, schedulers_in, serving, works
from whypending.inventory.leases import DEFAULT_LEASE, is_held, is_own, leading_profile, lease_of
from whypending.inventory.process import DEFAULT
from whypending.objects.node import Lease

CAUSE = Cause("WP103", "scheduler-shares-lease", Triage.NO_SCHEDULER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod's scheduler needs a Lease that is another scheduler's."""
    pod = evidence.the_pod
    if pod is None or pod.scheduler_name == DEFAULT or works(evidence):
        return
    for scheduler in serving(evidence, pod.scheduler_name):
        lease = lease_of(evidence, scheduler)
        own = is_own(evidence, scheduler, lease) if lease else None
        if lease is None or scheduler.is_default or not is_held(evidence, lease) or own:
            continue
        other = _other(evidence, scheduler, lease)
        if other:
            yield _finding(scheduler, lease, other, is_foreign=own is False)


def _other(evidence: Evidence, scheduler: Scheduler, lease: Lease) -> str:
    """Who else takes that Lease."""
    leader = leading_profile(evidence, lease)
    if leader:
        return "kube-scheduler" if leader == DEFAULT else f'the scheduler "{leader}"'
    others = [s for s in schedulers_in(evidence) if s.owner.ref != scheduler.owner.ref and s.lease == scheduler.lease]
    if others:
        return others[0].owner.ref
    return "kube-scheduler" if scheduler.lease == DEFAULT_LEASE else ""


def _finding(scheduler: Scheduler, lease: Lease, other: str, *, is_foreign: bool) -> Finding:
    sure = bool(scheduler.pods) and is_foreign and is_certain(scheduler)
    return CAUSE.finding(
        f"{scheduler.owner.ref} waits for {lease.ref}, which {other} holds, so it schedules nothing: "
        "two schedulers share one Lease.",
        confidence=Confidence.PROVED if sure else Confidence.LIKELY,
        citations=_proof(scheduler, lease),
        remedies=_remedies(scheduler),
    )


def _proof(scheduler: Scheduler, lease: Lease) -> Iterator[Citation]:
    configuration = scheduler.configuration
    value = f"resourceNamespace {lease.namespace}, resourceName {lease.name}"
    if configuration is not None:
        yield field_citation(configuration.source, f"data[{configuration.key}] leaderElection", value)
    else:
        yield field_citation(scheduler.owner, "leader election flags (or their defaults)", value)
    yield from lease_citations(lease)


def _remedies(scheduler: Scheduler) -> Iterator[Remedy]:
    owner, configuration = scheduler.owner, scheduler.configuration
    if configuration is None:
        flags = f"--leader-elect-resource-name={owner.name} and --leader-elect-resource-namespace={owner.namespace}"
        yield change(
            f"Give it the flags {flags}, and the rights to that Lease.",
            kubectl(owner.namespace, "edit", resource(owner)),
        )
        return
    yield change(
        f"Set leaderElection.resourceName to {owner.name} and resourceNamespace to {owner.namespace} "
        f"in {configuration.source.ref}, and give it the rights to that Lease.",
        kubectl(owner.namespace, "edit", resource(configuration.source)),
    )
    yield change(
        "Then restart it, so that it reads the change.", kubectl(owner.namespace, "rollout", "restart", resource(owner))
    )
