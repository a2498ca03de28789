"""The schedulers that were found, each with the names it serves and the Lease it needs; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whypending.classifiers.no_scheduler._config import Configuration, configurations_in
from whypending.classifiers.words import field_citation
from whypending.diagnosis import Citation
from whypending.evidence import Evidence, Gap, seen
from whypending.objects.node import Lease
from whypending.objects.pod import Container, Pod, PodSpec
from whypending.objects.policy import ConfigMap
from whypending.objects.workload import Workload

DEFAULT = "default-scheduler"
NEVER_JUDGED = "absent: no scheduler has ever judged this Pod"
_FLAG = re.compile(r"--?([a-z-]+)(?:=(.*))?$")


@dataclass(frozen=True, slots=True)
class Scheduler:
    """A scheduler process that is, or should be, running.

    owner: the Deployment or static Pod. pods: its Pods that were read. names: schedulerNames that its configuration
    gives, None where that could not be read. lease: (namespace, name), None = leader election off or not known.
    """

    owner: Workload | Pod
    pods: tuple[Pod, ...]
    names: frozenset[str] | None
    lease: tuple[str, str] | None
    configuration: Configuration | None

    @property
    def template(self) -> PodSpec:
        """The Pod spec that runs it."""
        return self.owner.spec.template.spec if isinstance(self.owner, Workload) else self.owner.spec

    def may_serve(self, name: str) -> bool:
        """It serves that name, or is called so while its configuration could not be read."""
        return name in self.names if self.names is not None else self.owner.name.startswith(name)


def schedulers_in(evidence: Evidence) -> tuple[Scheduler, ...]:
    """Deployments and static Pods that run a scheduler."""
    configs = seen(evidence.scheduler_configs)
    pods = seen(evidence.scheduler_pods)
    deployed = [_scheduler(w, w.spec.template.spec, _pods_of(w, pods), configs) for w in _workloads(evidence)]
    taken = {p.metadata.uid or p.name for s in deployed for p in s.pods}
    single = [p for p in pods if (p.metadata.uid or p.name) not in taken]
    return (*deployed, *(_scheduler(p, p.spec, (p,), configs) for p in single))


def serving(evidence: Evidence, name: str) -> tuple[Scheduler, ...]:
    """Those that serve, or should serve, the name."""
    return tuple(s for s in schedulers_in(evidence) if s.may_serve(name))


def known_names(evidence: Evidence) -> frozenset[str]:
    """Every schedulerName that some scheduler's configuration gives or that some bound Pod has."""
    configured = {n for s in schedulers_in(evidence) for n in s.names or ()}
    return frozenset(configured | {s.scheduler_name for s in seen(evidence.served)})


def everything_was_read(evidence: Evidence) -> bool:
    """Schedulers, their configurations, Leases, binds and the Pod's Events: none of them is a Gap."""
    known = (
        evidence.scheduler_pods, evidence.scheduler_workloads, evidence.scheduler_configs,
        evidence.leases, evidence.served, evidence.events,
    )  # fmt: skip
    return not any(isinstance(k, Gap) for k in known) and all(s.names is not None for s in schedulers_in(evidence))


def lease_of(evidence: Evidence, scheduler: Scheduler) -> Lease | None:
    """The Lease that it needs, if it was found."""
    return find_lease(evidence, scheduler.lease) if scheduler.lease else None


def find_lease(evidence: Evidence, path: tuple[str, str]) -> Lease | None:
    """The Lease of that namespace and name."""
    return next((x for x in seen(evidence.leases) if (x.namespace, x.name) == path), None)


def default_lease(evidence: Evidence) -> Lease | None:
    """kube-scheduler's own."""
    return find_lease(evidence, ("kube-system", "kube-scheduler"))


def lease_citations(lease: Lease) -> Iterator[Citation]:
    """Who holds it and when it was last renewed."""
    renewed = lease.spec.renew_time
    yield field_citation(lease, "spec.holderIdentity", lease.spec.holder_identity or "empty", lease.spec.acquire_time)
    if renewed is not None:
        duration = lease.spec.lease_duration_seconds or 15
        value = f"{renewed.isoformat().replace('+00:00', 'Z')}, good for {duration} s"
        yield field_citation(lease, "spec.renewTime", value, renewed)


def _workloads(evidence: Evidence) -> Iterable[Workload]:
    named = {c.namespace for c in seen(evidence.scheduler_configs)}
    for workload in seen(evidence.scheduler_workloads):
        if workload.namespace in named or "scheduler" in _text(workload.spec.template.spec):
            yield workload


def _text(spec: PodSpec) -> str:
    return " ".join(f"{c.image} {' '.join(c.command)}" for c in spec.containers)


def _pods_of(workload: Workload, pods: Iterable[Pod]) -> tuple[Pod, ...]:
    labels = workload.spec.selector.match_labels if workload.spec.selector else {}
    wanted = labels.items()
    return tuple(
        p for p in pods if p.namespace == workload.namespace and wanted and wanted <= p.metadata.labels.items()
    )


def _scheduler(owner: Workload | Pod, spec: PodSpec, pods: tuple[Pod, ...], configs: Iterable[ConfigMap]) -> Scheduler:
    flags = flags_of(spec)
    mounted = {v.config_map.name for v in spec.volumes if v.config_map}
    near = [c for c in configs if c.namespace == owner.namespace]
    mine = [c for c in near if c.name in mounted] or (near if "config" in flags and not mounted else [])
    configuration = next(iter(configurations_in(tuple(mine))), None)
    return Scheduler(owner, pods, _names(flags, configuration), _lease(flags, configuration), configuration)


def _names(flags: dict[str, str], configuration: Configuration | None) -> frozenset[str] | None:
    if configuration is not None:
        return configuration.names
    if "scheduler-name" in flags:
        return frozenset({flags["scheduler-name"]})
    return None if "config" in flags or not flags else frozenset({DEFAULT})


def _lease(flags: dict[str, str], configuration: Configuration | None) -> tuple[str, str] | None:
    if configuration is not None:
        return configuration.lease
    if flags.get("leader-elect") == "false" or not flags or "config" in flags:
        return None
    namespace = flags.get("leader-elect-resource-namespace", "kube-system")
    return (namespace, flags.get("leader-elect-resource-name", "kube-scheduler"))


def flags_of(spec: PodSpec) -> dict[str, str]:
    """`--name=value` flags of the container that runs the scheduler."""
    words = [w for c in spec.containers if "scheduler" in _words(c) for w in (*c.command, *c.args)]
    found = (_FLAG.match(w) for w in words)
    return {m[1]: m[2] or "" for m in found if m}


def _words(container: Container) -> str:
    return " ".join((container.name, container.image, *container.command))
