"""scheduler-scaled-to-zero: the scheduler's Deployment exists with zero replicas wanted or available.

What it means
    The scheduler that serves the Pod's schedulerName is deployed, but no replica of it runs.

How it is recognised
    spec.replicas of its Deployment is 0 (proved), or status.availableReplicas is 0 while replicas are wanted.

What to do
    Scale it up, or look at why its own Pods do not run.

Limits
    Which names it serves is known only from its configuration; by its own name it is likely.

References
    Deployment spec.replicas, status.availableReplicas (apps/v1)
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_scheduler._found import Scheduler, serving
from whypending.classifiers.words import field_citation, kubectl, resource
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.workload import Workload

CAUSE = Cause(
    "WP113",
    "scheduler-scaled-to-zero",
    Triage.NO_SCHEDULER,
    explained_by=("scheduler-crashloop", "scheduler-config-version-removed", "scheduler-self-dependency"),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Deployment of the Pod's scheduler has no replica that works."""
    pod = evidence.the_pod
    for scheduler in serving(evidence, pod.scheduler_name) if pod else ():
        owner = scheduler.owner
        if isinstance(owner, Workload) and (owner.spec.replicas == 0 or _none_available(owner)):
            yield _finding(scheduler, owner, pod.scheduler_name if pod else "")


def _none_available(owner: Workload) -> bool:
    return owner.status.replicas is not None and not owner.status.available_replicas


def _finding(scheduler: Scheduler, owner: Workload, name: str) -> Finding:
    wanted = owner.spec.replicas
    known = scheduler.names is not None
    if wanted == 0:
        said, field, value = "is scaled to zero", "spec.replicas", 0
        remedy = change("Scale it up.", kubectl(owner.namespace, "scale", resource(owner), "--replicas=1"))
    else:
        said, field, value = (
            "has no available replica",
            "status.availableReplicas",
            owner.status.available_replicas or 0,
        )
        remedy = look("Diagnose its own Pods.", f"whypending pod -n {owner.namespace} deploy/{owner.name}")
    return CAUSE.finding(
        f'{owner.ref}, the scheduler "{name}", {said}.',
        confidence=Confidence.PROVED if known else Confidence.LIKELY,
        citations=[field_citation(owner, field, value)],
        remedies=[remedy],
    )
