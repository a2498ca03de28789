"""What owns Pods: Deployment, ReplicaSet, StatefulSet, DaemonSet (apps/v1), Job and CronJob (batch/v1)."""

from __future__ import annotations

import msgspec

from whypending.objects.base import Base, Condition, KubeObject, LabelSelector, ObjectMeta, Time
from whypending.objects.pod import PodTemplate


class Ordinals(Base, frozen=True):
    """`spec.ordinals` of a StatefulSet: the number of its first Pod."""

    start: int = 0


class RollingUpdate(Base, frozen=True):
    """`spec.updateStrategy.rollingUpdate` of a StatefulSet: Pods below the ordinal `partition` keep their template."""

    partition: int | None = None


class UpdateStrategy(Base, frozen=True):
    """`spec.updateStrategy` of a StatefulSet or DaemonSet: RollingUpdate (the default) or OnDelete."""

    type: str = ""
    rolling_update: RollingUpdate | None = None


class WorkloadSpec(Base, frozen=True):
    """`spec` of any of them: each kind sets the fields that it has."""

    replicas: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplate = msgspec.field(default_factory=PodTemplate)
    paused: bool = False
    suspend: bool | None = None
    parallelism: int | None = None
    completions: int | None = None
    active_deadline_seconds: int | None = None
    backoff_limit: int | None = None
    min_ready_seconds: int = 0
    progress_deadline_seconds: int | None = None
    pod_management_policy: str = ""
    service_name: str = ""
    ordinals: Ordinals | None = None
    update_strategy: UpdateStrategy | None = None
    schedule: str = ""
    time_zone: str | None = None
    starting_deadline_seconds: int | None = None
    concurrency_policy: str = ""
    managed_by: str | None = None


class WorkloadStatus(Base, frozen=True):
    """`status` of any of them; counts are None where the kind has no such field."""

    observed_generation: int | None = None
    replicas: int | None = None
    ready_replicas: int | None = None
    available_replicas: int | None = None
    updated_replicas: int | None = None
    unavailable_replicas: int | None = None
    current_replicas: int | None = None
    desired_number_scheduled: int | None = None
    current_number_scheduled: int | None = None
    number_ready: int | None = None
    number_unavailable: int | None = None
    number_misscheduled: int | None = None
    active: int | tuple[ActiveJob, ...] | None = None
    succeeded: int | None = None
    failed: int | None = None
    ready: int | None = None
    start_time: Time | None = None
    completion_time: Time | None = None
    last_schedule_time: Time | None = None
    last_successful_time: Time | None = None
    current_revision: str = ""
    update_revision: str = ""
    conditions: tuple[Condition, ...] = ()


class ActiveJob(Base, frozen=True):
    """`status.active[]` of a CronJob."""

    name: str = ""


class Workload(KubeObject, frozen=True):
    """A controller of Pods; `kind` says which."""

    spec: WorkloadSpec = msgspec.field(default_factory=WorkloadSpec)
    status: WorkloadStatus = msgspec.field(default_factory=WorkloadStatus)

    def condition(self, type_: str) -> Condition | None:
        """The workload's condition of that type."""
        return next((c for c in self.status.conditions if c.type == type_), None)

    @property
    def failure(self) -> Condition | None:
        """Why a Job has given up: its condition Failed or, while its last Pods end, FailureTarget; None if it has not.

        Source: batch/v1 status.conditions; FailureTarget since 1.27.
        """
        found = (self.condition(kind) for kind in ("Failed", "FailureTarget") if self.kind == "Job")
        return next((c for c in found if c is not None and c.status == "True"), None)

    @property
    def completion(self) -> Condition | None:
        """A Job's condition Complete or, before it, SuccessCriteriaMet; None if it has not completed."""
        found = (self.condition(kind) for kind in ("Complete", "SuccessCriteriaMet") if self.kind == "Job")
        return next((c for c in found if c is not None and c.status == "True"), None)

    @property
    def keeps_pods(self) -> str:
        """Why a changed template does not replace a Pod that is not Ready, as a sentence ends; "" if it does.

        Source: pkg/controller/statefulset/stateful_set_control.go, pkg/controller/daemon/update.go (v1.37).
        """
        strategy = self.spec.update_strategy
        if self.kind in {"StatefulSet", "DaemonSet"} and strategy is not None and strategy.type == "OnDelete":
            return f"{self.kind} {self.name} (updateStrategy OnDelete) replaces no Pod by itself"
        if self.kind == "StatefulSet" and self.spec.pod_management_policy != "Parallel":
            return f"{self.kind} {self.name} (OrderedReady) does not replace a Pod that is not Ready"
        return ""

    @property
    def wanted(self) -> int | None:
        """How many Pods it asks for, None where that is not a number of its spec (DaemonSet, CronJob)."""
        if self.kind in {"Deployment", "ReplicaSet", "StatefulSet"}:
            return 1 if self.spec.replicas is None else self.spec.replicas
        if self.kind == "Job":
            return 1 if self.spec.parallelism is None else self.spec.parallelism
        return self.status.desired_number_scheduled if self.kind == "DaemonSet" else None


__all__ = ["ActiveJob", "ObjectMeta", "Workload", "WorkloadSpec", "WorkloadStatus"]
