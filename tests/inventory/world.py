"""Clusters in memory: schedulers, their Leases, and Pods that wait or were bound."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from msgspec.structs import replace

from tests.classifiers.test_no_scheduler_parts import BORN, NOW, config, deployment, evidence, pod, profile
from whypending.evidence import Evidence, Served
from whypending.objects.base import Condition, ObjectMeta
from whypending.objects.container import Container
from whypending.objects.event import Event, ObjectReference
from whypending.objects.node import Lease, LeaseSpec
from whypending.objects.pod import ContainerState, ContainerStatus, Pod, PodSpec, PodStatus, StateRunning
from whypending.objects.policy import ConfigMap, DatedMeta, ManagedFields
from whypending.objects.workload import Workload

__all__ = ["BORN", "NOW", "config", "deployment", "evidence", "pod", "profile"]
DEFAULT = "default-scheduler"
NAME = "batch-scheduler"
SERVES = f"--scheduler-name={NAME}"


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def lease(
    name: str = "kube-scheduler", namespace: str = "kube-system", holder: str = "cp-1_5b0a", ago: float = 2, **spec: Any
) -> Lease:
    fields = {"holder_identity": holder, "lease_duration_seconds": 15, **spec}
    fields.setdefault("renew_time", NOW - timedelta(seconds=ago))
    return Lease(kind="Lease", metadata=ObjectMeta(name=name, namespace=namespace), spec=LeaseSpec(**fields))


def waiting(name: str, scheduler: str, ago: float = 5, *, reason: str = "", **spec: Any) -> Pod:
    """A Pod without a node, made so many minutes ago; `reason` of its PodScheduled=False, if a scheduler judged it."""
    born = NOW - minutes(ago)
    judged = Condition(type="PodScheduled", status="False", reason=reason, last_transition_time=born)
    return Pod(
        kind="Pod",
        metadata=ObjectMeta(name=name, namespace="shop", creation_timestamp=born),
        spec=PodSpec(scheduler_name=scheduler, **spec),
        status=PodStatus(phase="Pending", conditions=(judged,) if reason else ()),
    )


def bound(scheduler: str, ago: float = 1) -> Served:
    return Served(scheduler_name=scheduler, pod="shop/other", bound_at=NOW - minutes(ago))


def told(reason: str, by: str, ago: float, text: str = "", name: str = "other") -> Event:
    about = ObjectReference(kind="Pod", namespace="shop", name=name)
    return Event(
        reason=reason, involved_object=about, reporting_component=by, event_time=NOW - minutes(ago), message=text
    )


def replica(of: Workload, name: str, *, ago: float = 60, ready: bool = True, **spec: Any) -> Pod:
    """A running Pod of a scheduler's Deployment, started so many minutes ago."""
    state = ContainerState(running=StateRunning(started_at=NOW - minutes(ago)))
    status = ContainerStatus(name=of.name, ready=ready, state=state)
    return Pod(
        kind="Pod",
        metadata=ObjectMeta(name=name, namespace=of.namespace, labels={"app": of.name}),
        spec=PodSpec(containers=(Container(name=of.name, image="kube-scheduler:v1.37.2"),), node_name="n1", **spec),
        status=PodStatus(
            phase="Running",
            conditions=(Condition(type="Ready", status="True" if ready else "False"),),
            container_statuses=(status,),
        ),
    )


def written(found: ConfigMap, ago: float) -> ConfigMap:
    """The ConfigMap with when it was changed last."""
    fields = (ManagedFields(manager="kubectl-edit", operation="Update", time=NOW - minutes(ago)),)
    meta = DatedMeta(name=found.name, namespace=found.namespace, managed_fields=fields)
    return replace(found, metadata=meta)


READ: dict[str, Any] = {
    "source": "live", "as_served": True, "events": (), "scheduling_events": (), "leases": (lease(),), "logs": (),
    "scheduler_pods": (), "scheduler_workloads": (), "scheduler_configs": (), "served": (), "waiting": (),
}  # fmt: skip
"""Everything was read; the default scheduler leads, and there is no other."""


def about(*, scheduler: str = NAME, **fields: Any) -> Evidence:
    """Evidence of a Pod that waits for this scheduler for 20 minutes."""
    return replace(evidence(pod(scheduler=scheduler)), **{**READ, **fields})
