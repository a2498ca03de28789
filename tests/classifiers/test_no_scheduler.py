"""Causes of no_scheduler: what is proved, what is only likely, and what must not be said."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from tests.classifiers.test_no_scheduler_parts import (
    BORN,
    NOW,
    config,
    deployment,
    evidence,
    lease,
    lines,
    pod,
    profile,
)
from whypending.classifiers.no_scheduler import (
    _old_verdict,
    default_scheduler_not_running,
    scheduler_crashloop,
    scheduler_lease_expired,
    scheduler_name_unknown,
    scheduler_not_leading,
    scheduler_profile_missing,
    scheduler_scaled_to_zero,
    scheduler_self_dependency,
    scheduler_shares_lease,
)
from whypending.diagnosis import Confidence, Finding, Role
from whypending.engine import diagnose
from whypending.evidence import Evidence, Gap, GapReason, Served
from whypending.objects.base import Condition, ObjectMeta
from whypending.objects.container import Container
from whypending.objects.node import Lease, LeaseSpec
from whypending.objects.pod import (
    ContainerState,
    ContainerStatus,
    Pod,
    PodResourceClaim,
    PodSpec,
    PodStatus,
    StateTerminated,
    StateWaiting,
)
from whypending.objects.workload import Workload, WorkloadStatus

GAP = Gap(what="x", reason=GapReason.FORBIDDEN)
DEFAULT = "default-scheduler"
READ: dict[str, Any] = {"scheduler_pods": (), "scheduler_workloads": (), "scheduler_configs": (), "served": ()}
SOON = BORN + timedelta(minutes=1)


def only(findings: Iterable[Finding]) -> Finding:
    (finding,) = findings
    return finding


def kube_lease(holder: str = "cp-1_5b0a", ago: float = 2) -> Lease:
    spec = LeaseSpec(holder_identity=holder, renew_time=NOW - timedelta(seconds=ago), lease_duration_seconds=15)
    return Lease(kind="Lease", metadata=ObjectMeta(name="kube-scheduler", namespace="kube-system"), spec=spec)


def about_default(*leases: Lease, **fields: Any) -> Evidence:
    return evidence(pod(scheduler=DEFAULT), leases=leases, source="live", **READ | fields)


def bound(name: str, at: Any = SOON) -> Served:
    return Served(scheduler_name=name, pod="shop/other", bound_at=at)


def with_status(workload: Workload, replicas: int | None, available: int | None, wanted: int = 1) -> Workload:
    status = WorkloadStatus(observed_generation=1, replicas=replicas, available_replicas=available)
    return replace(workload, spec=replace(workload.spec, replicas=wanted), status=status)


def of_workload(workload: Workload, *, ready: bool = True, **status: Any) -> Pod:
    condition = Condition(type="Ready", status=str(ready))
    return Pod(
        kind="Pod",
        metadata=ObjectMeta(name=f"{workload.name}-6d5f7c9b8-k2x7p", namespace="infra", labels={"app": workload.name}),
        spec=workload.spec.template.spec,
        status=PodStatus(phase="Running", conditions=(condition,), **status),
    )


BATCH = deployment("batch-scheduler", "--scheduler-name=batch-scheduler", image="my-scheduler")
FLAGS = ("kube-scheduler", "--scheduler-name=batch-scheduler", "--leader-elect=true")
OLD = deployment("batch-scheduler", *FLAGS, image="kube-scheduler:v1.21.14")


# default-scheduler-not-running, scheduler-lease-expired


def test_a_dead_lease_proves_that_kube_scheduler_does_not_work() -> None:
    found = only(default_scheduler_not_running.classify(about_default(kube_lease(ago=60))))
    assert found.confidence is Confidence.PROVED
    assert "nobody renews its Lease" in found.message


def test_a_bind_after_the_end_of_the_lease_refutes_it() -> None:
    dead = about_default(kube_lease(ago=600), served=(bound(DEFAULT, NOW - timedelta(seconds=30)),))
    assert not list(default_scheduler_not_running.classify(dead))
    assert not list(scheduler_lease_expired.classify(dead))


def test_a_bind_before_the_end_of_the_lease_does_not() -> None:
    dead = about_default(kube_lease(ago=600), served=(bound(DEFAULT),))
    assert only(default_scheduler_not_running.classify(dead)).confidence is Confidence.PROVED


def test_where_binds_could_not_be_read_a_dead_lease_is_only_likely() -> None:
    dead = about_default(kube_lease(ago=600), served=GAP)
    assert only(default_scheduler_not_running.classify(dead)).confidence is Confidence.LIKELY


@pytest.mark.parametrize(
    ("claims", "waiting", "expected"),
    [
        ((), (), Confidence.POSSIBLE),
        ((), (pod("other", scheduler=DEFAULT),), Confidence.LIKELY),
        ((PodResourceClaim(name="gpu"),), (), Confidence.POSSIBLE),
    ],
)
def test_with_a_live_lease_it_is_never_proved(claims: Any, waiting: Any, expected: Confidence) -> None:
    mine = pod(scheduler=DEFAULT, resource_claims=claims)
    found = evidence(mine, **READ | {"leases": (kube_lease(),), "waiting": waiting})
    assert only(default_scheduler_not_running.classify(found)).confidence is expected


def test_a_scheduler_without_leader_election_has_no_lease_to_lose() -> None:
    command = ("kube-scheduler", "--kubeconfig=/c", "--leader-elect=false")
    static = Pod(
        kind="Pod",
        metadata=ObjectMeta(name="kube-scheduler-n1", namespace="kube-system", labels={"component": "kube-scheduler"}),
        spec=PodSpec(containers=(Container(name="kube-scheduler", command=command),)),
    )
    found = about_default(kube_lease(ago=6_000), scheduler_pods=(static,))
    assert not list(scheduler_lease_expired.classify(found))
    assert only(default_scheduler_not_running.classify(found)).confidence is Confidence.LIKELY


def test_a_lease_that_was_given_back_is_told_as_such() -> None:
    found = only(scheduler_lease_expired.classify(about_default(kube_lease(holder="", ago=60))))
    assert "was given back 1 minute ago" in found.message
    assert found.confidence is Confidence.PROVED


# scheduler-name-unknown, scheduler-profile-missing


def test_an_unknown_name_is_never_proved_as_not_every_kind_is_read() -> None:
    assert only(scheduler_name_unknown.classify(evidence(leases=(), events=(), **READ))).confidence is Confidence.LIKELY


def test_a_name_that_bound_a_pod_is_known() -> None:
    assert not list(scheduler_name_unknown.classify(evidence(**READ | {"served": (bound("batch-scheduler", BORN),)})))


def test_where_nothing_was_looked_up_only_a_slip_is_likely() -> None:
    slip = evidence(pod(scheduler="defualt-scheduler"), scheduler_workloads=GAP)
    assert only(scheduler_name_unknown.classify(slip)).confidence is Confidence.LIKELY
    other = only(scheduler_name_unknown.classify(evidence(scheduler_workloads=GAP)))
    assert other.confidence is Confidence.POSSIBLE
    assert "could not be looked up" in other.message


def test_a_known_project_is_named_with_where_it_usually_is() -> None:
    found = only(scheduler_name_unknown.classify(evidence(pod(scheduler="volcano"), **READ)))
    assert "(Volcano)" in found.message
    assert found.remedies[0].command == "kubectl -n volcano-system get deployment/volcano-scheduler"


def test_a_profile_that_is_missing_refines_the_unknown_name() -> None:
    workload = deployment("batch-scheduler", "kube-scheduler", "--config=/c.yaml", config="config")
    found = evidence(scheduler_workloads=(workload,), scheduler_configs=(config(profile("other")),))
    assert "it has no profile" in only(scheduler_profile_missing.classify(found)).message
    assert only(scheduler_name_unknown.classify(found)).confidence is Confidence.LIKELY


def test_a_workload_that_is_called_otherwise_lacks_no_profile() -> None:
    workload = deployment("gpu-scheduler", "kube-scheduler", "--config=/c.yaml", config="config")
    found = evidence(scheduler_workloads=(workload,), scheduler_configs=(config(profile("other")),))
    assert not list(scheduler_profile_missing.classify(found))


# scheduler-shares-lease, scheduler-not-leading


def shared(**fields: Any) -> Evidence:
    return evidence(**READ | {"scheduler_workloads": (OLD,), "leases": (kube_lease(),)} | fields)


def test_a_shared_lease_by_flags_is_proved_where_its_pods_were_read() -> None:
    found = only(scheduler_shares_lease.classify(shared(scheduler_pods=(of_workload(OLD),))))
    assert found.confidence is Confidence.PROVED
    assert only(scheduler_shares_lease.classify(shared())).confidence is Confidence.LIKELY


def test_a_configmap_may_not_be_what_the_process_has_read() -> None:
    workload = deployment("batch-scheduler", "kube-scheduler", "--config=/c.yaml", config="config")
    found = shared(
        scheduler_workloads=(workload,),
        scheduler_pods=(of_workload(workload),),
        scheduler_configs=(config(profile("batch-scheduler")),),
    )
    assert only(scheduler_shares_lease.classify(found)).confidence is Confidence.LIKELY


def test_with_the_hosts_network_a_shared_lease_is_only_likely() -> None:
    workload = deployment("batch-scheduler", *FLAGS, host_network=True)
    found = shared(scheduler_workloads=(workload,), scheduler_pods=(of_workload(workload),))
    assert only(scheduler_shares_lease.classify(found)).confidence is Confidence.LIKELY


@pytest.mark.parametrize("module", [scheduler_shares_lease, scheduler_not_leading])
def test_a_scheduler_that_bound_a_pod_since_does_lead(module: Any) -> None:
    assert not list(module.classify(shared(served=(bound("batch-scheduler"),))))


@pytest.mark.parametrize("module", [scheduler_shares_lease, scheduler_not_leading])
def test_a_replica_of_a_moment_ago_is_its_own(module: Any) -> None:
    assert not list(module.classify(shared(leases=(kube_lease("batch-scheduler-5c9b7bd8f4-zzzzz_1"),))))


def test_a_lease_that_does_not_exist_beside_others_is_said() -> None:
    other = lease("other")
    workload = deployment("batch-scheduler", *FLAGS, "--leader-elect-resource-namespace=infra")
    found = only(scheduler_not_leading.classify(shared(scheduler_workloads=(workload,), leases=(other,))))
    assert "infra/kube-scheduler, does not exist" in found.message


def test_without_leases_it_is_one_possibility_of_a_scheduler_that_is_up() -> None:
    up = with_status(OLD, 1, 1)
    found = only(scheduler_not_leading.classify(shared(scheduler_workloads=(up,), leases=GAP)))
    assert found.confidence is Confidence.POSSIBLE
    down = with_status(OLD, 1, None)
    assert not list(scheduler_not_leading.classify(shared(scheduler_workloads=(down,), leases=GAP)))


# scheduler-scaled-to-zero, scheduler-crashloop, scheduler-self-dependency


def test_zero_replicas_prove_it_only_where_nobody_else_serves_the_name() -> None:
    zero = with_status(BATCH, None, None, wanted=0)
    alone = evidence(**READ | {"scheduler_workloads": (zero,)})
    assert only(scheduler_scaled_to_zero.classify(alone)).confidence is Confidence.PROVED
    served = evidence(**READ | {"scheduler_workloads": (zero,), "served": (bound("batch-scheduler"),)})
    assert only(scheduler_scaled_to_zero.classify(served)).confidence is Confidence.LIKELY
    second = deployment("second", "--scheduler-name=batch-scheduler", image="my-scheduler")
    both = evidence(**READ | {"scheduler_workloads": (zero, with_status(second, 1, 1))})
    assert not list(scheduler_scaled_to_zero.classify(both))


def test_a_status_without_replicas_is_none_available() -> None:
    found = evidence(**READ | {"scheduler_workloads": (with_status(BATCH, None, None),)})
    assert "no available replica" in only(scheduler_scaled_to_zero.classify(found)).message
    assert not list(scheduler_scaled_to_zero.classify(evidence(**READ | {"scheduler_workloads": (BATCH,)})))


def crashing(restarts: int, *, waits: bool, ended_ago: float) -> ContainerStatus:
    ended = StateTerminated(exit_code=2, message="a\nb failed", finished_at=NOW - timedelta(seconds=ended_ago))
    state = ContainerState(waiting=StateWaiting(reason="CrashLoopBackOff")) if waits else ContainerState()
    last = ContainerState(terminated=ended)
    return ContainerStatus(name="batch-scheduler", restart_count=restarts, state=state, last_state=last)


def crashed(status: ContainerStatus, *, ready: bool = False) -> Evidence:
    process = of_workload(BATCH, ready=ready, container_statuses=(status,))
    return evidence(**READ | {"scheduler_workloads": (BATCH,), "scheduler_pods": (process,)})


def test_a_crash_loop_is_proved_where_no_replica_is_ready() -> None:
    found = only(scheduler_crashloop.classify(crashed(crashing(7, waits=True, ended_ago=60))))
    assert found.confidence is Confidence.PROVED
    assert "7 restarts, last with exit code 2 (b failed)" in found.message


def test_between_two_crashes_it_is_likely() -> None:
    found = only(scheduler_crashloop.classify(crashed(crashing(7, waits=False, ended_ago=60), ready=True)))
    assert found.confidence is Confidence.LIKELY


@pytest.mark.parametrize(("restarts", "ago"), [(1, 60), (7, 86_400)])
def test_a_restart_is_no_crash_loop(restarts: int, ago: float) -> None:
    assert not list(scheduler_crashloop.classify(crashed(crashing(restarts, waits=False, ended_ago=ago), ready=True)))


def test_a_log_that_ends_once_is_no_crash_loop() -> None:
    fatal = "F1120 09:28:02.551200       1 server.go:90] leaderelection lost"
    once, twice = lines(fatal), lines(fatal, "x", fatal)
    assert not list(scheduler_crashloop.classify(evidence(logs=once)))
    assert "2 times in its log" in only(scheduler_crashloop.classify(evidence(logs=twice))).message


def test_the_scheduler_that_waits_for_itself() -> None:
    spec = OLD.spec.template.spec
    mine = Pod(
        kind="Pod",
        metadata=ObjectMeta(name="batch-scheduler-1-x", namespace="infra", creation_timestamp=BORN),
        spec=PodSpec(scheduler_name="batch-scheduler", containers=spec.containers),
        status=PodStatus(phase="Pending"),
    )
    assert only(scheduler_self_dependency.classify(evidence(mine, **READ))).confidence is Confidence.PROVED
    assert only(scheduler_self_dependency.classify(evidence(mine))).confidence is Confidence.LIKELY
    assert not list(scheduler_self_dependency.classify(evidence(pod(), **READ)))


# the old verdict


def refused(message: str) -> Pod:
    condition = Condition(type="PodScheduled", status="False", reason="Unschedulable", message=message,
                          last_transition_time=BORN)  # fmt: skip
    mine = pod(scheduler=DEFAULT)
    return replace(mine, status=PodStatus(phase="Pending", conditions=(condition,)))


def judged(message: str) -> list[Finding]:
    found = evidence(refused(message), source="live", **READ | {"leases": (kube_lease(ago=600),)})
    return list(diagnose(found, strict=True).findings)


def test_each_cause_of_the_old_verdict_contributes_under_its_own_name() -> None:
    found = judged("0/3 nodes are available: 2 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector.")
    assert [f.name for f in found] == [
        "default-scheduler-not-running", "scheduler-lease-expired", "insufficient-cpu", "node-selector-mismatch",
    ]  # fmt: skip
    assert {f.role for f in found[2:]} == {Role.CONTRIBUTING}
    assert "stands" in found[0].message
    assert "20 minutes ago on 2 of 3 nodes: Insufficient cpu." in found[2].message


def test_an_old_verdict_that_nobody_understands_is_quoted_whole() -> None:
    found = judged("the moon is in the wrong phase")
    assert found[-1].name == "unrecognised-message"
    assert found[-1].message.endswith("20 minutes ago: the moon is in the wrong phase.")


def test_a_pod_without_a_verdict_has_no_old_one() -> None:
    assert not list(_old_verdict.classify(about_default(kube_lease(ago=600))))
