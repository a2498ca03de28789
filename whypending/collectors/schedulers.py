"""Who could schedule the Pod: scheduler processes, their Leases and configurations, and what was bound lately."""

from __future__ import annotations

from functools import partial
from typing import Any

from whypending.collectors.owners import selector
from whypending.evidence import Evidence, Gap, Known, Served, seen
from whypending.objects.base import ObjectMeta
from whypending.objects.container import Container
from whypending.objects.kinds import CONFIG_MAPS, DAEMON_SETS, DEPLOYMENTS, LEASES, PODS, STATEFUL_SETS, Kind
from whypending.objects.node import Lease
from whypending.objects.pod import Pod, PodSpec, PodStatus
from whypending.objects.policy import ConfigMap
from whypending.objects.workload import Workload
from whypending.sources.base import Query, Source

SYSTEM = "kube-system"
DEFAULT_LABELS = "component=kube-scheduler"
_LABELS = ("app", "component", "app.kubernetes.io/name", "app.kubernetes.io/component")
_SAMPLE = 500
_LEASES_DECIDE = "whether a scheduler leads, since when, and which"
_BINDS_DECIDE = "which schedulerNames were served lately"
RUN_BY = (DEPLOYMENTS, STATEFUL_SETS, DAEMON_SETS)


def _not_of_kubelets(lease: Lease) -> Lease | None:
    return lease if lease.namespace != "kube-node-lease" else None


LEASES_EVERYWHERE: Query[Lease] = Query(kind=LEASES, keep=_not_of_kubelets, would_decide=_LEASES_DECIDE)


def default_lease(source: Source, evidence: Evidence) -> dict[str, Any]:
    """kube-scheduler's own Lease, for a Pod of the default scheduler: is the one that refused it still alive."""
    pod = evidence.the_pod
    if pod is None or pod.scheduler_name != "default-scheduler":
        return {}
    query = Query(kind=LEASES, namespace=SYSTEM, name="kube-scheduler", would_decide=_LEASES_DECIDE)
    return {"leases": source.read(query)}


def processes(source: Source, evidence: Evidence) -> dict[str, Any]:
    """The default scheduler's Pods, workloads that run a scheduler and their Pods, their ConfigMaps and Leases."""
    del evidence
    default = Query(
        kind=PODS, namespace=SYSTEM, labels=DEFAULT_LABELS, would_decide="whether kube-scheduler's own Pods run"
    )
    queries: list[Query[Any]] = [default, *(_workloads_of(kind) for kind in RUN_BY), LEASES_EVERYWHERE]
    pods, *workloads, leases = source.gather([partial(source.read, query) for query in queries])
    mine = tuple(w for known in workloads for w in seen(known))
    places = tuple(dict.fromkeys((SYSTEM, *(w.namespace for w in mine)))) if isinstance(leases, Gap) else ()
    others, near, configs = source.gather([
        partial(_each, source, [_pods_of(w) for w in mine]),
        partial(_each, source, [_leases_in(place) for place in places]),
        partial(_configs, source, mine, seen(pods)),
    ])  # fmt: skip
    return {
        "scheduler_pods": pods if isinstance(pods, Gap) and not seen(others) else (*seen(pods), *seen(others)),
        "scheduler_workloads": _joined(workloads),
        "leases": near if isinstance(leases, Gap) else leases,
        "scheduler_configs": configs,
        "as_served": source.kind == "live" or dict(source.details).get("clock") == "the snapshot",
        "partly": (*_partly(workloads), *_partly([leases, near]), *(_partly([pods, others]) if seen(others) else ())),
    }


def _partly(known: list[Known[Any]]) -> list[Gap]:
    """The Gaps among several reads of which some succeeded."""
    gaps = [k for k in known if isinstance(k, Gap)]
    return gaps if len(gaps) < len(known) else []


def _workloads_of(kind: Kind[Workload]) -> Query[Workload]:
    return Query(
        kind=kind, keep=_if_scheduler, would_decide="whether another scheduler is deployed, and whether it runs"
    )


def _pods_of(workload: Workload) -> Query[Pod]:
    return Query(
        kind=PODS,
        namespace=workload.namespace,
        labels=selector(workload.spec.selector),
        would_decide=f"whether the Pods of {workload.ref} run",
    )


def _leases_in(namespace: str) -> Query[Lease]:
    return Query(kind=LEASES, namespace=namespace, would_decide=_LEASES_DECIDE)


def _configs(source: Source, workloads: tuple[Workload, ...], pods: tuple[Pod, ...]) -> Known[ConfigMap]:
    """Mounted ConfigMaps by name; from files all of them, as a dump rarely shows the mount."""
    decides = "which profiles (schedulerNames) a scheduler serves"
    if source.kind == "files":
        return source.read(Query(kind=CONFIG_MAPS, keep=_if_configuration, would_decide=decides))
    specs = [(w.namespace, w.spec.template.spec) for w in workloads] + [(p.namespace, p.spec) for p in pods]
    names = {(ns, v.config_map.name) for ns, spec in specs for v in spec.volumes if v.config_map}
    queries = [Query(kind=CONFIG_MAPS, namespace=ns, name=n, would_decide=decides) for ns, n in sorted(names)]
    return _each(source, queries)


def _each(source: Source, queries: list[Query[Any]]) -> Known[Any]:
    """All answers in one tuple; a Gap if there were only Gaps."""
    return _joined(source.gather([partial(source.read, q) for q in queries]))


def _joined(known: list[Known[Any]]) -> Known[Any]:
    gaps = [k for k in known if isinstance(k, Gap)]
    return gaps[0] if gaps and len(gaps) == len(known) else tuple(x for k in known for x in seen(k))


def _if_scheduler(workload: Workload) -> Workload | None:
    template = workload.spec.template
    named = "scheduler" in workload.name or "scheduler" in template.spec.service_account_name
    marked = any("scheduler" in template.metadata.labels.get(key, "") for key in _LABELS)
    return workload if named or marked or runs_scheduler(template.spec) else None


def runs_scheduler(spec: PodSpec) -> bool:
    """A container whose image or command is a scheduler's."""
    return any("scheduler" in _program(c) for c in spec.containers)


def _program(container: Container) -> str:
    image = container.image.rsplit("/", 1)[-1].partition(":")[0].partition("@")[0]
    command = container.command[0].rsplit("/", 1)[-1] if container.command else ""
    return f"{image} {command}"


def _if_configuration(config: ConfigMap) -> ConfigMap | None:
    return config if any("KubeSchedulerConfiguration" in text for text in config.data.values()) else None


def binds(source: Source, evidence: Evidence) -> dict[str, Any]:
    """A bounded sample of bound Pods (of this schedulerName, and of any), and Pods that wait like this one."""
    pod = evidence.the_pod
    if pod is None:
        return {}
    mine = f"spec.schedulerName={pod.scheduler_name}"
    fields = (f"{mine},spec.nodeName!=", "spec.nodeName!=", f"{mine},spec.nodeName=")
    calls = [partial(sample, source, pod.namespace, selected) for selected in fields]
    own, every, waiting = source.gather(calls)
    served = own if isinstance(own, Gap) and isinstance(every, Gap) else (*seen(own), *seen(every))
    return {
        "served": served if isinstance(served, Gap) else served_by(served),
        "waiting": waiting if isinstance(waiting, Gap) else tuple(p for p in waiting if _other(p, pod)),
    }


def served_by(pods: tuple[Pod, ...]) -> tuple[Served, ...]:
    """What bound Pods prove, newest first."""
    return tuple(sorted({_served(p) for p in pods}, key=_by_time))


def sample(source: Source, namespace: str, fields: str) -> Known[Pod]:
    """At most 500 Pods of the whole cluster; of the namespace where that is forbidden."""
    known: Known[Pod] = source.read(_sample_query("", fields))
    return source.read(_sample_query(namespace, fields)) if isinstance(known, Gap) and namespace else known


def _sample_query(namespace: str, fields: str) -> Query[Pod]:
    return Query(
        kind=PODS, namespace=namespace, fields=fields, limit=_SAMPLE, keep=_outline, would_decide=_BINDS_DECIDE
    )


def _outline(pod: Pod) -> Pod:
    meta = pod.metadata
    if runs_scheduler(pod.spec):
        return pod
    return Pod(
        metadata=ObjectMeta(
            name=meta.name, namespace=meta.namespace, uid=meta.uid, creation_timestamp=meta.creation_timestamp,
            owner_references=meta.owner_references, labels=meta.labels,
        ),
        spec=PodSpec(
            scheduler_name=pod.spec.scheduler_name,
            node_name=pod.spec.node_name,
            scheduling_gates=pod.spec.scheduling_gates,
            resource_claims=pod.spec.resource_claims,
            scheduling_group=pod.spec.scheduling_group,
            workload_ref=pod.spec.workload_ref,
        ),
        status=PodStatus(phase=pod.status.phase, conditions=pod.status.conditions),
    )  # fmt: skip


def _served(pod: Pod) -> Served:
    scheduled = pod.condition("PodScheduled")
    return Served(
        scheduler_name=pod.scheduler_name,
        pod=f"{pod.namespace}/{pod.name}",
        bound_at=scheduled.last_transition_time if scheduled and scheduled.status == "True" else None,
    )


def _by_time(served: Served) -> tuple[float, str]:
    return (-served.bound_at.timestamp() if served.bound_at else 0.0, served.pod)


def _other(pod: Pod, than: Pod) -> bool:
    return (pod.namespace, pod.name) != (than.namespace, than.name)
