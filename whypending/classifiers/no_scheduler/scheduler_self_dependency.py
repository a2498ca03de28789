"""scheduler-self-dependency: the scheduler's own Pod waits for what only that scheduler would bring.

What it means
    The waiting Pod is itself the scheduler (or belongs to it) and names itself as its scheduler. Nobody can start
    it but it.

How it is recognised
    The Pod runs a scheduler, or belongs to a Deployment that does, which serves the Pod's own schedulerName, and no
    Pod of it has a node. Proved where its flags or configuration give the name and no other scheduler or bound Pod
    has it; likely where only its own name says so or other schedulers could not be looked up.

What to do
    Let the scheduler's own Pods be placed by default-scheduler.

Limits
    A dependency by way of a webhook or a gate that the scheduler itself removes is not seen here.

References
    Pod spec.schedulerName (core/v1)
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.no_scheduler._rename import rename
from whypending.classifiers.words import field_citation
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence, Gap, seen
from whypending.inventory.found import Scheduler, owns, serving
from whypending.inventory.process import DEFAULT
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload

CAUSE = Cause("WP115", "scheduler-self-dependency", Triage.NO_SCHEDULER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod is a replica of the scheduler that it waits for."""
    pod = evidence.the_pod
    if pod is None or pod.scheduler_name == DEFAULT:
        return
    schedulers = serving(evidence, pod.scheduler_name)
    others = [s for s in schedulers if not owns(s, pod, evidence)]
    for scheduler in schedulers:
        if scheduler in others or any(p.spec.node_name for p in scheduler.pods) or any(s.is_up for s in others):
            continue
        yield CAUSE.finding(
            f'{pod.ref} is the scheduler "{pod.scheduler_name}" itself and waits to be scheduled by it.',
            confidence=_confidence(evidence, pod, scheduler, alone=not others),
            citations=_proof(pod, scheduler),
            remedies=rename(evidence, pod, DEFAULT, workload=_workload(scheduler)),
        )


def _workload(scheduler: Scheduler) -> Workload | None:
    return scheduler.owner if isinstance(scheduler.owner, Workload) else None


def _confidence(evidence: Evidence, pod: Pod, scheduler: Scheduler, *, alone: bool) -> Confidence:
    looked = (evidence.scheduler_workloads, evidence.scheduler_pods, evidence.served)
    read = not any(isinstance(known, Gap) for known in looked)
    bound = any(s.scheduler_name == pod.scheduler_name for s in seen(evidence.served))
    sure = alone and read and not bound and scheduler.names is not None
    return Confidence.PROVED if sure else Confidence.LIKELY


def _proof(pod: Pod, scheduler: Scheduler) -> Iterator[Citation]:
    yield field_citation(pod, "spec.schedulerName", pod.scheduler_name)
    owner, configuration = scheduler.owner, scheduler.configuration
    if configuration is not None:
        field = f"data[{configuration.key}] profiles[].schedulerName"
        yield field_citation(configuration.source, field, ", ".join(sorted(configuration.names)))
    else:
        yield field_citation(owner, "metadata.name", owner.name)
