"""scheduler-profile-missing: the scheduler process runs, its configuration has no profile of this name.

What it means
    A scheduler that is called as the Pod asks is deployed, but none of the profiles in its configuration carries that
    name. The name of a Deployment or Pod does not count: only profiles[].schedulerName does.

How it is recognised
    A Deployment or Pod of a scheduler is called like spec.schedulerName, its KubeSchedulerConfiguration (or its flags
    without one) was read, and it gives other names.

What to do
    Add the profile (or correct its schedulerName) in the configuration and restart the scheduler.

Limits
    A profile that stands in the ConfigMap but was not loaded can't be seen without the process's own /configz. A
    scheduler of that name elsewhere is not excluded: never more than likely.

References
    KubeSchedulerConfiguration profiles[].schedulerName (kubescheduler.config.k8s.io/v1)
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_scheduler._found import Scheduler, known_names, schedulers_in
from whypending.classifiers.no_scheduler._process import DEFAULT, is_akin
from whypending.classifiers.words import field_citation, kubectl, names, resource
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.workload import Workload

CAUSE = Cause("WP114", "scheduler-profile-missing", Triage.NO_SCHEDULER, refines=("scheduler-name-unknown",))


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A scheduler of that name is there, and serves other names."""
    pod = evidence.the_pod
    if pod is None or pod.scheduler_name == DEFAULT or pod.scheduler_name in known_names(evidence):
        return
    for scheduler in schedulers_in(evidence):
        if scheduler.names is not None and is_akin(scheduler.owner.name, pod.scheduler_name):
            yield _finding(scheduler, pod.scheduler_name)


def _finding(scheduler: Scheduler, name: str) -> Finding:
    served = names(sorted(scheduler.names or ()))
    is_there = "runs" if scheduler.is_up else "is a scheduler"
    return CAUSE.finding(
        f'{scheduler.owner.ref} {is_there}, but serves only {served}: it has no profile "{name}".',
        confidence=Confidence.LIKELY,
        citations=_proof(scheduler, served),
        remedies=_remedies(scheduler, name),
    )


def _proof(scheduler: Scheduler, served: str) -> Iterator[Citation]:
    if scheduler.configuration is not None:
        field = f"data[{scheduler.configuration.key}] profiles[].schedulerName"
        yield field_citation(scheduler.configuration.source, field, served)
    else:
        path = "spec.template.spec" if isinstance(scheduler.owner, Workload) else "spec"
        yield field_citation(scheduler.owner, f"{path}.containers[].command", f"no --config: {served}")


def _remedies(scheduler: Scheduler, name: str) -> Iterator[Remedy]:
    owner, configuration = scheduler.owner, scheduler.configuration
    if configuration is None:
        edit = kubectl(owner.namespace, "edit", resource(owner)) if isinstance(owner, Workload) else ""
        yield change(f'Give it a KubeSchedulerConfiguration with a profile "{name}", by --config.', edit)
        return
    edit = kubectl(owner.namespace, "edit", resource(configuration.source))
    yield change(f'Add a profile with schedulerName "{name}" to its KubeSchedulerConfiguration.', edit)
    restart = kubectl(owner.namespace, "rollout", "restart", resource(owner)) if isinstance(owner, Workload) else ""
    yield change("Then restart it: it reads its configuration once.", restart)
