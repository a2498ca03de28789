"""scheduler-scaled-to-zero: the scheduler's Deployment (or StatefulSet) exists with zero replicas wanted or available.

What it means
    The scheduler that serves the Pod's schedulerName is deployed, but no replica of it runs.

How it is recognised
    spec.replicas of its Deployment is 0: proved where its configuration or flags serve the name and no other
    scheduler does. Or status.availableReplicas is 0 while replicas are wanted (likely).

What to do
    Scale it up, or look at why its own Pods do not run.

Limits
    Which names it serves is known only from its configuration; by its own name it is likely. A replica that is not
    available can still schedule.

References
    Deployment spec.replicas, status.availableReplicas (apps/v1)
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.words import field_citation, kubectl, resource
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.inventory.found import Scheduler, serving, works
from whypending.objects.workload import Workload

CAUSE = Cause(
    "WP113",
    "scheduler-scaled-to-zero",
    Triage.NO_SCHEDULER,
    explained_by=("scheduler-crashloop", "scheduler-config-version-removed", "scheduler-self-dependency"),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """No Deployment that serves the Pod's schedulerName has a replica that works."""
    pod = evidence.the_pod
    schedulers = serving(evidence, pod.scheduler_name) if pod else ()
    if any(s.is_up for s in schedulers):
        return
    for scheduler in schedulers:
        owner = scheduler.owner
        if pod is not None and isinstance(owner, Workload):
            sure = scheduler.names is not None and len(schedulers) == 1 and not works(evidence)
            yield from _judge(scheduler, owner, pod.scheduler_name, sure=sure)


def _available(owner: Workload) -> tuple[str, int]:
    """The field that counts the replicas that work, and its value."""
    if owner.kind == "DaemonSet":
        return "status.numberReady", owner.status.number_ready or 0
    return "status.availableReplicas", owner.status.available_replicas or 0


def _judge(scheduler: Scheduler, owner: Workload, name: str, *, sure: bool) -> Iterator[Finding]:
    if owner.spec.replicas == 0:
        yield CAUSE.finding(
            f'{owner.ref}, the scheduler "{name}", is scaled to zero.',
            confidence=Confidence.PROVED if sure else Confidence.LIKELY,
            citations=[field_citation(owner, "spec.replicas", 0)],
            remedies=[change("Scale it up.", kubectl(owner.namespace, "scale", resource(owner), "--replicas=1"))],
        )
    elif scheduler.is_up is False:
        yield CAUSE.finding(
            f'{owner.ref}, the scheduler "{name}", has no available replica.',
            confidence=Confidence.LIKELY,
            citations=[field_citation(owner, *_available(owner))],
            remedies=[look("Diagnose its own Pods.", f"whypending pod -n {owner.namespace} {resource(owner)}")],
        )
