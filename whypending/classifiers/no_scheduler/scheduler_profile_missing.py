"""scheduler-profile-missing: the scheduler process runs, its configuration has no profile of this name.

What it means
    A scheduler that is called as the Pod asks is deployed, but none of the profiles in its configuration carries that
    name. The name of a Deployment or Pod does not count: only profiles[].schedulerName does.

How it is recognised
    A Deployment or Pod of a scheduler is called like spec.schedulerName, its KubeSchedulerConfiguration (or its flags
    without one) was read, and it gives other names. Proved where everything was read that could name another one. Or
    the profile is there, and the ConfigMap was last written after the newest process began: proved where that process
    leads or works meanwhile.

What to do
    Add the profile (or correct its schedulerName) in the configuration and restart the scheduler.

Limits
    Whether a ConfigMap was changed since is told by metadata.managedFields alone, which kubectl hides unless asked with
    --show-managed-fields. The change may have been another one than this profile: then only that the process works on
    other Pods and passes over this one proves that it does not know the name.

References
    KubeSchedulerConfiguration profiles[].schedulerName (kubescheduler.config.k8s.io/v1)
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_scheduler._words import judged, stamp
from whypending.classifiers.words import field_citation, kubectl, names, resource
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.inventory.excluded import all_was_read
from whypending.inventory.found import (
    Scheduler,
    has_loaded,
    is_certain,
    known_names,
    owns,
    schedulers_in,
    started,
    worked_since,
    works,
)
from whypending.inventory.leases import is_held, is_own, lease_of
from whypending.inventory.process import DEFAULT, is_akin
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload

CAUSE = Cause("WP114", "scheduler-profile-missing", Triage.NO_SCHEDULER, refines=("scheduler-name-unknown",))


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A scheduler of that name is there, and serves other names; or the profile is there, and was never loaded."""
    pod = evidence.the_pod
    if pod is None or works(evidence):
        return
    for scheduler in schedulers_in(evidence):
        if pod.scheduler_name in (scheduler.names or ()):
            if has_loaded(scheduler) is False and not owns(scheduler, pod, evidence):
                yield _not_loaded(evidence, pod, scheduler)
        elif scheduler.names is not None and _is_meant(evidence, scheduler, pod.scheduler_name):
            yield _finding(evidence, scheduler, pod.scheduler_name)


def _is_meant(evidence: Evidence, scheduler: Scheduler, name: str) -> bool:
    """It is called as the Pod asks, and nobody else has that name."""
    return name != DEFAULT and name not in known_names(evidence) and is_akin(scheduler.owner.name, name)


def _not_loaded(evidence: Evidence, pod: Pod, scheduler: Scheduler) -> Finding:
    """Proved where the process is seen to work on other names meanwhile, and so passes over this one."""
    configuration, began = scheduler.configuration, started(scheduler)
    assert configuration is not None  # noqa: S101 - has_loaded is False only with one
    source, changed = configuration.source, configuration.source.changed
    others = [n for n in scheduler.names or () if n != pod.scheduler_name]
    born = pod.metadata.creation_timestamp
    sure = is_at_work(evidence, scheduler) or any(worked_since(evidence, n, born) for n in others)
    return CAUSE.finding(
        f'{scheduler.owner.ref} has not loaded the profile "{pod.scheduler_name}": {source.ref} was changed after '
        "its process began, and it reads its configuration once.",
        confidence=Confidence.PROVED if sure else Confidence.LIKELY,
        citations=[
            field_citation(source, "metadata.managedFields[].time", changed, changed),
            field_citation(
                source, f"data[{configuration.key}] profiles[].schedulerName", names(sorted(configuration.names))
            ),
            Citation(
                object=scheduler.owner.ref, field="its newest process began", value=stamp(began[-1]), at=began[-1]
            ),
            judged(pod),
        ],
        remedies=[
            change(
                "Restart it, so that it reads the change.",
                kubectl(scheduler.owner.namespace, "rollout", "restart", resource(scheduler.owner))
                if isinstance(scheduler.owner, Workload)
                else "",
            )
        ],
    )


def is_at_work(evidence: Evidence, scheduler: Scheduler) -> bool:
    """One of its Pods holds the Lease and renews it."""
    lease = lease_of(evidence, scheduler)
    return lease is not None and is_held(evidence, lease) and is_own(evidence, scheduler, lease) is True


def _finding(evidence: Evidence, scheduler: Scheduler, name: str) -> Finding:
    served = names(sorted(scheduler.names or ()))
    is_there = "runs" if scheduler.is_up else "is a scheduler"
    return CAUSE.finding(
        f'{scheduler.owner.ref} {is_there}, but serves only {served}: it has no profile "{name}".',
        confidence=Confidence.PROVED if is_certain(scheduler) and all_was_read(evidence) else Confidence.LIKELY,
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
