"""scheduler-self-dependency: the scheduler's own Pod waits for what only that scheduler would bring.

What it means
    The waiting Pod is itself the scheduler (or belongs to it) and names itself as its scheduler. Nobody can start
    it but it.

How it is recognised
    The Pod belongs to a workload that runs a scheduler serving the Pod's own schedulerName, and no Pod of that
    workload has a node.

What to do
    Let the scheduler's own Pods be placed by default-scheduler.

Limits
    A dependency by way of a webhook or a gate that the scheduler itself removes is not seen here.

References
    Pod spec.schedulerName (core/v1)
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_scheduler._found import DEFAULT, Scheduler, serving
from whypending.classifiers.words import field_citation, kubectl, resource
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod

CAUSE = Cause("WP115", "scheduler-self-dependency", Triage.NO_SCHEDULER)
_PATCH = '{"spec":{"template":{"spec":{"schedulerName":"default-scheduler"}}}}'


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod is a replica of the scheduler that it waits for."""
    pod = evidence.the_pod
    if pod is None or pod.scheduler_name == DEFAULT:
        return
    for scheduler in serving(evidence, pod.scheduler_name):
        if _belongs(evidence, pod, scheduler) and not any(p.spec.node_name for p in scheduler.pods):
            owner = scheduler.owner
            yield CAUSE.finding(
                f'{pod.ref} is the scheduler "{pod.scheduler_name}" itself and waits to be scheduled by it.',
                citations=[field_citation(pod, "spec.schedulerName", pod.scheduler_name)],
                remedies=[
                    change(
                        f"Let default-scheduler place the Pods of {owner.ref}.",
                        kubectl(owner.namespace, "patch", resource(owner), "--type=merge", "-p", _PATCH),
                        _PATCH,
                    )
                ],
            )


def _belongs(evidence: Evidence, pod: Pod, scheduler: Scheduler) -> bool:
    names = {(w.kind, w.namespace, w.name) for w in seen(evidence.owners)} | {(pod.kind, pod.namespace, pod.name)}
    owner = scheduler.owner
    return (owner.kind, owner.namespace, owner.name) in names or pod.name in {p.name for p in scheduler.pods}
