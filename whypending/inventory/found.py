"""The schedulers that were found, each with the names it serves and the Lease it needs; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec

from whypending.evidence import Evidence, seen
from whypending.inventory.configuration import Configuration, configurations_in
from whypending.inventory.life import WHOLE_SECONDS, last_sign
from whypending.inventory.process import (
    BY_PROGRAM,
    DEFAULT,
    KUBE_SCHEDULER,
    VOLCANO,
    Flags,
    flags_of,
    is_akin,
    runs,
    schedulers_of,
)
from whypending.objects.container import Container
from whypending.objects.pod import Pod, PodSpec
from whypending.objects.policy import ConfigMap
from whypending.objects.workload import Workload

_MIRROR = "kubernetes.io/config.mirror"


class Scheduler(msgspec.Struct, frozen=True):
    """A scheduler process that is, or should be, running.

    owner: the Deployment, StatefulSet or DaemonSet, or the Pod itself. pods: its Pods that were read. names:
    schedulerNames that its configuration or flags give, None where that could not be read. lease: (namespace, name),
    None = leader election off or not known. configuration: where the names come from a ConfigMap.
    """

    owner: Workload | Pod
    pods: tuple[Pod, ...]
    names: frozenset[str] | None
    lease: tuple[str, str] | None
    configuration: Configuration | None

    @property
    def template(self) -> PodSpec:
        """The Pod spec that runs it."""
        return _spec(self.owner)

    @property
    def is_default(self) -> bool:
        """The cluster's own kube-scheduler, by its label."""
        return isinstance(self.owner, Pod) and self.owner.metadata.labels.get("component") == KUBE_SCHEDULER

    @property
    def on_host_network(self) -> bool:
        """Its Pods bear the machine's name."""
        return bool(self.template.host_network) or any(p.spec.host_network for p in self.pods)

    @property
    def is_up(self) -> bool | None:
        """One of its Pods is Ready or available; None where nothing that was read says."""
        if self.pods:
            return any(is_ready(p) for p in self.pods)
        status = self.owner.status if isinstance(self.owner, Workload) else None
        if status is None or (status.replicas is None and status.observed_generation is None):
            return None
        return bool(status.available_replicas or status.number_ready)

    def may_serve(self, name: str) -> bool:
        """It serves that name, or is called so while its configuration could not be read."""
        if self.names is not None:
            return name in self.names
        return is_akin(self.owner.name, name) or (name == DEFAULT and self.is_default)


def schedulers_in(evidence: Evidence) -> tuple[Scheduler, ...]:
    """Workloads and single Pods that run a scheduler, and the Pod in question if it is one itself."""
    configs = seen(evidence.scheduler_configs)
    pods = seen(evidence.scheduler_pods)
    workloads = [w for w in seen(evidence.scheduler_workloads) if schedulers_of(w.spec.template.spec)]
    deployed = [_scheduler(w, _pods_of(w, pods), configs) for w in workloads]
    taken = {_id(p) for s in deployed for p in s.pods}
    asked = [p for p in seen(evidence.pod) if not any(owns(s, p, evidence) for s in deployed)]
    single = {_id(p): p for p in (*pods, *asked) if _id(p) not in taken and schedulers_of(p.spec)}
    return (*deployed, *(_scheduler(p, (p,), configs) for p in single.values()))


def main_container(scheduler: Scheduler) -> Container | None:
    """The container that is the scheduler."""
    return next(iter(schedulers_of(scheduler.template)), None)


def started(scheduler: Scheduler) -> tuple[datetime, ...]:
    """When its running containers were started, oldest first."""
    mine = {c.name for c in schedulers_of(scheduler.template)}
    running = (
        s.state.running.started_at
        for p in scheduler.pods for s in p.status.container_statuses
        if s.name in mine and s.state.running and s.state.running.started_at
    )  # fmt: skip
    return tuple(sorted(running))


def has_loaded(scheduler: Scheduler) -> bool | None:
    """Whether its processes began after their ConfigMap was last written: they read it once, at their start.

    None where metadata.managedFields or the start is not known, or replicas began before and after.
    """
    changed = scheduler.configuration.source.changed if scheduler.configuration else None
    times = started(scheduler)
    if changed is None or not times:
        return None
    if changed <= times[0]:
        return True
    return False if changed > times[-1] else None


def is_certain(scheduler: Scheduler) -> bool:
    """Its names and Lease are what the process works with: from flags, or from a ConfigMap that it has loaded."""
    return scheduler.names is not None and (scheduler.configuration is None or has_loaded(scheduler) is True)


def serving(evidence: Evidence, name: str) -> tuple[Scheduler, ...]:
    """Those that serve, or should serve, the name: by configuration or flags, else by what they are called."""
    found = tuple(s for s in schedulers_in(evidence) if s.may_serve(name))
    return tuple(s for s in found if s.names is not None) or found


def owns(scheduler: Scheduler, pod: Pod, evidence: Evidence) -> bool:
    """The Pod is one of this scheduler's."""
    owner = scheduler.owner
    chain = {(w.kind, w.namespace, w.name) for w in seen(evidence.owners)} | {(pod.kind, pod.namespace, pod.name)}
    return (owner.kind, owner.namespace, owner.name) in chain or _id(pod) in {_id(p) for p in scheduler.pods}


def known_names(evidence: Evidence) -> frozenset[str]:
    """Every schedulerName that some scheduler's configuration gives or that some bound Pod has."""
    configured = {n for s in schedulers_in(evidence) for n in s.names or ()}
    return frozenset(configured | {s.scheduler_name for s in seen(evidence.served)})


def worked_since(evidence: Evidence, name: str, when: datetime | None) -> bool:
    """A scheduler of that name bound or refused some Pod after that time (which Pods give in whole seconds)."""
    sign = last_sign(evidence, name)
    return when is not None and sign is not None and sign.at - when > WHOLE_SECONDS


def works(evidence: Evidence) -> bool:
    """The Pod's scheduler bound or refused some other Pod after this one was made."""
    pod = evidence.the_pod
    return pod is not None and worked_since(evidence, pod.scheduler_name, pod.metadata.creation_timestamp)


def is_ready(pod: Pod) -> bool:
    """Its condition Ready is True."""
    ready = pod.condition("Ready")
    return ready is not None and ready.status == "True"


def _spec(owner: Workload | Pod) -> PodSpec:
    return owner.spec.template.spec if isinstance(owner, Workload) else owner.spec


def _id(pod: Pod) -> tuple[str, str]:
    return (pod.namespace, pod.name)


def _pods_of(workload: Workload, pods: Iterable[Pod]) -> tuple[Pod, ...]:
    labels = workload.spec.selector.match_labels if workload.spec.selector else {}
    wanted = labels.items()
    return tuple(
        p for p in pods if p.namespace == workload.namespace and wanted and wanted <= p.metadata.labels.items()
    )


def _scheduler(owner: Workload | Pod, pods: tuple[Pod, ...], configs: Iterable[ConfigMap]) -> Scheduler:
    spec = _spec(owner)
    flags = flags_of(spec)
    configuration = _configuration(owner, spec, flags, configs)
    return Scheduler(owner, pods, _names(spec, flags, configuration), _lease(spec, flags, configuration), configuration)


def _configuration(
    owner: Workload | Pod, spec: PodSpec, flags: Flags, configs: Iterable[ConfigMap]
) -> Configuration | None:
    """The one that its --config names, or the only one mounted; a reduced dump may lack the volumes."""
    if flags and "config" not in flags:
        return None
    near = [c for c in configs if c.namespace == owner.namespace]
    mounted = set(_mounted(spec))
    reduced = "config" in flags and not spec.volumes and _MIRROR not in owner.metadata.annotations
    found = configurations_in(tuple(c for c in near if c.name in mounted or reduced))
    key = flags.get("config", ("",))[-1].rsplit("/", 1)[-1]
    chosen = [c for c in found if c.key == key] or found
    return chosen[0] if len(chosen) == 1 else None


def _mounted(spec: PodSpec) -> Iterator[str]:
    for volume in spec.volumes:
        if volume.config_map:
            yield volume.config_map.name
        for source in volume.projected.sources if volume.projected else ():
            if source.config_map:
                yield source.config_map.name


def _names(spec: PodSpec, flags: Flags, configuration: Configuration | None) -> frozenset[str] | None:
    if configuration is not None:
        return configuration.names
    if "config" in flags:
        return None
    told = frozenset(n for n in flags.get("scheduler-name", ()) if n)
    by_program = next((name for program, name in BY_PROGRAM.items() if runs(spec, program)), None)
    if told or by_program:
        return told or frozenset({by_program or ""})
    return frozenset({DEFAULT}) if flags and runs(spec, KUBE_SCHEDULER) else None


def _lease(spec: PodSpec, flags: Flags, configuration: Configuration | None) -> tuple[str, str] | None:
    """Flags of leader election hold beside --config too (kube-scheduler's ApplyLeaderElectionTo)."""
    if flags.get("leader-elect", ("",))[-1] == "false":
        return None
    base = configuration.lease if configuration else _usual_lease(spec, flags)
    namespace = flags.get("leader-elect-resource-namespace") or flags.get("lock-object-namespace")
    name = flags.get("leader-elect-resource-name") or flags.get("lock-object-name")
    if base is None:
        return (namespace[-1], name[-1]) if namespace and name and configuration is None else None
    return (namespace[-1] if namespace else base[0], name[-1] if name else base[1])


def _usual_lease(spec: PodSpec, flags: Flags) -> tuple[str, str] | None:
    if runs(spec, VOLCANO):
        served = flags.get("scheduler-name", ("volcano",))
        return ("volcano-system", served[0] if len(served) == 1 else "volcano")
    return ("kube-system", "kube-scheduler") if flags and "config" not in flags and runs(spec, KUBE_SCHEDULER) else None
