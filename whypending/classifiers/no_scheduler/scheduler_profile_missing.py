"""scheduler-profile-missing: the scheduler process runs, its configuration has no profile of this name.

What it means
    A scheduler that is called as the Pod asks does run, but none of the profiles in its configuration carries that
    name. The name of a Deployment or Pod does not count: only profiles[].schedulerName does.

How it is recognised
    A Deployment or Pod of a scheduler has the name in spec.schedulerName, its KubeSchedulerConfiguration was read,
    and no profile has it.

What to do
    Add the profile (or correct its schedulerName) in the configuration and restart the scheduler.

Limits
    A profile that stands in the ConfigMap but was not loaded can't be seen without the process's own /configz.

References
    KubeSchedulerConfiguration profiles[].schedulerName (kubescheduler.config.k8s.io/v1)
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_scheduler._found import DEFAULT, Scheduler, schedulers_in
from whypending.classifiers.words import field_citation, kubectl, names, resource
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP114", "scheduler-profile-missing", Triage.NO_SCHEDULER, refines=("scheduler-name-unknown",))


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A scheduler of that name runs, and serves other names."""
    pod = evidence.the_pod
    if pod is None or pod.scheduler_name == DEFAULT:
        return
    for scheduler in schedulers_in(evidence):
        called_so = pod.scheduler_name in scheduler.owner.name or scheduler.owner.name in pod.scheduler_name
        if called_so and scheduler.names is not None and pod.scheduler_name not in scheduler.names:
            served = names(sorted(scheduler.names))
            yield CAUSE.finding(
                f'{scheduler.owner.ref} runs, but serves only {served}: it has no profile "{pod.scheduler_name}".',
                confidence=Confidence.LIKELY,
                citations=_proof(scheduler, served),
                remedies=_remedies(scheduler, pod.scheduler_name),
            )


def _proof(scheduler: Scheduler, served: str) -> Iterator[Citation]:
    if scheduler.configuration is not None:
        field = f"data[{scheduler.configuration.key}] profiles[].schedulerName"
        yield field_citation(scheduler.configuration.source, field, served)
    else:
        yield field_citation(scheduler.owner, "spec.template.spec.containers[].command", f"no --config: {served}")


def _remedies(scheduler: Scheduler, name: str) -> Iterator[Remedy]:
    owner, configuration = scheduler.owner, scheduler.configuration
    edit = kubectl(owner.namespace, "edit", resource(configuration.source)) if configuration else ""
    yield change(f'Add a profile with schedulerName "{name}" to its KubeSchedulerConfiguration.', edit)
    yield change(
        "Then restart it: it reads its configuration once.",
        kubectl(owner.namespace, "rollout", "restart", resource(owner)),
    )
