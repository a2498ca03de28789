"""Which class a Pod's trouble is in, decided in the order of the design from what was read so far."""

from __future__ import annotations

from datetime import datetime, timedelta

from whypending.diagnosis import Triage
from whypending.evidence import Evidence, seen
from whypending.objects.base import CustomObject
from whypending.objects.cron import due_times, missed
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload

SCHEDULING_LATENCY = timedelta(seconds=20)
"""A healthy scheduler takes milliseconds; a fail-over takes leaseDurationSeconds (15 s) and a retry."""
START_LATENCY = timedelta(seconds=30)
"""What a Pod may take from its bind to Running while nothing has failed."""
DELETION_LATENCY = timedelta(minutes=1)
"""What the kubelet may take after the grace period to report that the containers are gone."""
_DUMP_LASTS = timedelta(minutes=1)
"""Files are saved one after the other: the clock is the newest of them, a Lease may be that much older."""
_NOT_LET_IN = {"Pending", "PreScheduling"}
"""PodGroup phases before scheduling: Volcano (scheduling.volcano.sh) and scheduler-plugins (scheduling.x-k8s.io)."""
BY_AUTOSCALERS = ("karpenter", "cluster-autoscaler")


def triage(evidence: Evidence) -> Triage:
    """The class of this evidence. Pure; called again when more was read."""
    pod = evidence.the_pod
    if pod is None:
        return _of_workload(evidence)
    if is_well(pod) or is_too_young(pod, evidence) or is_ending_in_time(pod, evidence):
        return Triage.NOT_STUCK
    if is_bound(pod):
        return Triage.SCHEDULED_NOT_READY
    if is_held(pod, evidence):
        return Triage.HELD
    if was_refused(pod, evidence) or waits_for_binding(pod, evidence):
        return Triage.NO_SCHEDULER if _scheduler_vanished(pod, evidence) else Triage.UNSCHEDULABLE
    return Triage.NO_SCHEDULER if pod.status.phase else Triage.UNKNOWN


def is_well(pod: Pod) -> bool:
    """Ready, or ended as it should, and not on its way out."""
    ready = pod.condition("Ready")
    well = pod.status.phase == "Succeeded" or (ready is not None and ready.status == "True")
    return well and pod.metadata.deletion_timestamp is None


def is_ending_in_time(pod: Pod, evidence: Evidence) -> bool:
    """Deleted, and its grace period not over, or by less than a minute; never by a clock that may be slow.

    Where nothing runs any more, only a finalizer keeps it: then the minute for the kubelet's report is not given.
    """
    due = pod.metadata.deletion_timestamp
    if due is None or evidence.clock_is_floor:
        return False
    latency = timedelta() if pod.metadata.finalizers and not _runs(pod) else DELETION_LATENCY
    return evidence.now - due <= latency


def _runs(pod: Pod) -> bool:
    """Some container of it still runs, by what its kubelet said last."""
    over = not pod.spec.node_name or pod.status.phase in {"Failed", "Succeeded"}
    statuses = pod.status.init_container_statuses + pod.status.container_statuses
    return not over and any(s.state.running for s in statuses)


def is_bound(pod: Pod) -> bool:
    """It has a node, or the kubelet (or the eviction API) ended it."""
    return bool(pod.spec.node_name) or pod.status.phase in {"Failed", "Running", "Succeeded"}


def is_held(pod: Pod, evidence: Evidence) -> bool:
    """Waiting on purpose: gates, or a queueing system that has not let its group in."""
    scheduled = pod.condition("PodScheduled")
    if pod.spec.scheduling_gates or (scheduled is not None and scheduled.reason == "SchedulingGated"):
        return True
    return scheduled is None and any(str(g.status.get("phase")) in _NOT_LET_IN for g in seen(evidence.pod_groups))


def was_refused(pod: Pod, evidence: Evidence) -> bool:
    """A scheduler took the Pod up and said no: the condition, or a FailedScheduling Event of its life."""
    scheduled = pod.condition("PodScheduled")
    if scheduled is not None and scheduled.status == "False":
        return True
    return any(is_refusal(e) for e in seen(evidence.events))


def waits_for_binding(pod: Pod, evidence: Evidence) -> bool:
    """A scheduler has chosen a node and waits in PreBind, up to ten minutes, in which it writes no condition.

    The marks it leaves before: the selected-node of an unbound claim (VolumeBinding), or a reserved device claim.
    """
    if pod.condition("PodScheduled") is not None:
        return False
    chosen = any(c.status.phase != "Bound" and c.selected_node for c in seen(evidence.claims))
    return chosen or any(is_reserved(claim, pod) for claim in seen(evidence.resource_claims))


def is_reserved(claim: CustomObject, pod: Pod) -> bool:
    """Whether a ResourceClaim is allocated and this Pod is among its consumers."""
    users = claim.status.get("reservedFor")
    names = [u.get("name") for u in users if isinstance(u, dict)] if isinstance(users, list | tuple) else []
    return bool(claim.status.get("allocation")) and pod.name in names


def is_refusal(event: Event) -> bool:
    """FailedScheduling by a scheduler; autoscalers use the same reason for their own opinion."""
    return event.reason == "FailedScheduling" and event.reporter not in BY_AUTOSCALERS


def is_too_young(pod: Pod, evidence: Evidence) -> bool:
    """Younger than normal latency, with nothing that failed yet; never by a clock that may be slow."""
    if evidence.clock_is_floor or pod.metadata.deletion_timestamp or pod.status.phase == "Failed":
        return False
    if pod.spec.node_name:
        return _is_starting(pod, evidence)
    age = age_of(pod.metadata.creation_timestamp, evidence.now)
    return age < SCHEDULING_LATENCY and not is_held(pod, evidence) and not was_refused(pod, evidence)


def _is_starting(pod: Pod, evidence: Evidence) -> bool:
    scheduled = pod.condition("PodScheduled")
    since = (scheduled.last_transition_time if scheduled else None) or pod.status.start_time
    if age_of(since or pod.metadata.creation_timestamp, evidence.now) >= START_LATENCY:
        return False
    statuses = pod.status.init_container_statuses + pod.status.container_statuses
    waiting = {s.state.waiting.reason for s in statuses if s.state.waiting}
    failed = any(s.last_state.terminated or (s.state.terminated and s.state.terminated.exit_code) for s in statuses)
    warned = any(e.type == "Warning" and e.reason != "FailedScheduling" for e in seen(evidence.events))
    return not failed and not warned and waiting <= {"ContainerCreating", "PodInitializing", ""}


def age_of(since: datetime | None, now: datetime) -> timedelta:
    """How long ago; very long where it is not known, never negative."""
    return timedelta.max if since is None else max(now - since, timedelta())


def _scheduler_vanished(pod: Pod, evidence: Evidence) -> bool:
    """The default scheduler's Lease was read and nobody holds it any more: its old verdict can't change now."""
    if pod.scheduler_name != "default-scheduler":
        return False
    leases = [x for x in seen(evidence.leases) if (x.namespace, x.name) == ("kube-system", "kube-scheduler")]
    now = evidence.now - _DUMP_LASTS if evidence.source == "files" else evidence.now
    return bool(leases) and all(not x.spec.holder_identity or not x.alive(now) for x in leases)


def _of_workload(evidence: Evidence) -> Triage:
    workloads = seen(evidence.owners)
    if not workloads:
        return Triage.UNKNOWN
    if any(is_suspended(w) for w in workloads) and workloads[0].failure is None:
        return Triage.HELD
    return Triage.NOT_STUCK if _rests(workloads, evidence) else Triage.NO_POD


def _rests(workloads: tuple[Workload, ...], evidence: Evidence) -> bool:
    """A Job that has completed, or a CronJob of which nothing runs and nothing is due."""
    finished = _is_finished(workloads[-1])
    if workloads[0].kind != "CronJob":
        return finished
    cron, ran = workloads[0], len(workloads) > 1
    if ran and finished and not due_times(cron.spec.schedule, cron.spec.time_zone or "", evidence.now):
        return True
    return (finished or not ran) and _is_between_runs(cron, evidence)


def is_suspended(workload: Workload) -> bool:
    """`spec.suspend` or `spec.paused` is set."""
    return bool(workload.spec.suspend or workload.spec.paused)


def _is_finished(workload: Workload) -> bool:
    return workload.completion is not None


def _is_between_runs(workload: Workload, evidence: Evidence) -> bool:
    """A CronJob that started its last due Job, or was never due yet, and has not failed since."""
    spec, now = workload.spec, evidence.now - START_LATENCY
    last = workload.status.last_schedule_time or workload.metadata.creation_timestamp
    if last is None or not due_times(spec.schedule, spec.time_zone or "", now):
        return False
    if missed(spec.schedule, spec.time_zone or "", last, now):
        return False
    return not any(e.type == "Warning" and e.last_seen > last for e in seen(evidence.owner_events))
