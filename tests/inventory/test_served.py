"""Whether a name is served: which sign decides, and what must not be claimed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.inventory.world import DEFAULT, NAME, SERVES, about, bound, deployment, lease, replica, told, waiting
from whypending.diagnosis import NameState, SchedulerRecord, ServedName
from whypending.evidence import Gap, GapReason
from whypending.inventory.roster import all_served, records
from whypending.objects.pod import NamedReference, PodResourceClaim

GAP = Gap(what="x", reason=GapReason.FORBIDDEN)
SERVED, NOT_SERVED, UNKNOWN = NameState.SERVED, NameState.NOT_SERVED, NameState.UNKNOWN
BATCH = deployment(NAME, SERVES, "--leader-elect-resource-name=batch", "--leader-elect-resource-namespace=infra")
UP = replica(BATCH, f"{NAME}-6d5f7c9b8-k2x7p")
OWN = lease("batch", "infra", f"{UP.name}_1c3e")


def name_in(found: tuple[SchedulerRecord, ...], name: str) -> ServedName:
    (served,) = [n for record in found for n in record.names if n.name == name]
    return served


def judged(name: str, **fields: Any) -> ServedName:
    return name_in(records(about(pod=(), **fields)), name)


def test_a_mistyped_name_is_not_served_and_says_what_was_meant() -> None:
    found = judged("defualt-scheduler", waiting=(waiting("web", "defualt-scheduler"),), served=(bound(DEFAULT),))
    assert (found.state, found.confidence, found.meant) == (NOT_SERVED, "proved", DEFAULT)
    assert (found.waiting, found.untouched, found.pods) == (1, 1, ("shop/web",))


def test_a_bind_of_a_minute_ago_proves_life_without_any_other_right() -> None:
    fields = {"leases": GAP, "scheduler_workloads": GAP, "scheduler_pods": GAP, "served": (bound("own", 1),)}
    found = judged("own", **fields)
    assert (found.state, found.confidence, found.reason) == (SERVED, "proved", "it bound shop/other")


def test_a_refusal_is_a_sign_of_life_too() -> None:
    found = judged("own", waiting=(waiting("big", "own", reason="Unschedulable", ago=2),))
    assert (found.state, found.reason) == (SERVED, "it judged shop/big")


@pytest.mark.parametrize("reason", ["Scheduled", "FailedScheduling"])
def test_an_event_is_a_sign_of_life(reason: str) -> None:
    assert judged("own", scheduling_events=(told(reason, "own", 1),)).state is SERVED


def test_an_autoscalers_opinion_is_none() -> None:
    found = records(about(pod=(), scheduling_events=(told("FailedScheduling", "karpenter", 1),)))
    assert "karpenter" not in {n.name for record in found for n in record.names}


def test_a_bind_before_the_pod_came_does_not_save_a_name() -> None:
    found = judged("own", waiting=(waiting("web", "own", ago=3),), served=(bound("own", 4),))
    assert (found.state, found.confidence) == (NOT_SERVED, "proved")


def test_a_bind_after_the_pod_came_shows_life_but_leaves_a_doubt() -> None:
    found = judged("own", waiting=(waiting("web", "own", ago=3),), served=(bound("own", 1),))
    assert (found.state, found.confidence) == (SERVED, "likely")


def test_a_young_pod_proves_nothing_yet() -> None:
    assert judged("own", waiting=(waiting("web", "own", ago=0.5),)).confidence == "likely"
    assert judged("own", waiting=(waiting("web", "own", ago=0.1),)).untouched == 0


@pytest.mark.parametrize(
    "spec", [{"resource_claims": (PodResourceClaim(name="gpu"),)}, {"scheduling_group": {"podGroupName": "g"}}]
)
def test_pods_that_a_working_scheduler_leaves_in_silence_do_not_count(spec: dict[str, Any]) -> None:
    assert judged(DEFAULT, waiting=(waiting("web", DEFAULT, **spec),)).untouched == 0


def test_a_gated_pod_waits_for_no_scheduler() -> None:
    gated = waiting("web", "own", scheduling_gates=(NamedReference(name="g"),))
    assert all_served(records(about(pod=(), waiting=(gated,))))


def test_volcano_may_keep_a_pod_in_silence() -> None:
    assert judged("volcano", waiting=(waiting("web", "volcano"),)).confidence == "likely"


def test_its_own_lease_renewed() -> None:
    found = judged(NAME, scheduler_workloads=(BATCH,), scheduler_pods=(UP,), leases=(OWN,))
    assert (found.state, found.reason) == (SERVED, "Lease infra/batch is renewed")


def test_its_lease_expired() -> None:
    gone = lease("batch", "infra", f"{UP.name}_1c3e", ago=60)
    found = judged(NAME, scheduler_workloads=(BATCH,), scheduler_pods=(UP,), leases=(gone,))
    assert (found.state, found.confidence, found.reason) == (NOT_SERVED, "proved", "nobody holds Lease infra/batch")


def test_its_lease_held_by_a_stranger() -> None:
    strange = lease("batch", "infra", "ci-runner-7_02f6")
    found = judged(NAME, scheduler_workloads=(BATCH,), scheduler_pods=(UP,), leases=(strange,))
    assert (found.state, found.reason) == (NOT_SERVED, "Lease infra/batch is held by somebody else")


def test_none_of_its_pods_is_ready() -> None:
    down = replica(BATCH, "x", ready=False)
    found = judged(NAME, scheduler_workloads=(BATCH,), scheduler_pods=(down,), leases=())
    assert (found.state, found.reason) == (NOT_SERVED, "no Pod of it is ready")


@pytest.mark.parametrize("part", ["leases", "scheduler_pods", "scheduler_workloads", "served", "scheduling_events"])
def test_what_was_not_read_proves_nothing(part: str) -> None:
    fields: dict[str, Any] = {part: GAP}
    found = records(about(**fields))
    assert all(n.confidence != "proved" or n.untouched for record in found for n in record.names)


def test_everything_forbidden() -> None:
    parts = ("leases", "scheduler_pods", "scheduler_workloads", "scheduler_configs", "served", "waiting")
    fields: dict[str, Any] = dict.fromkeys(parts, GAP)
    assert records(about(pod=GAP, **fields)) == ()


def test_all_served_only_counts_names_that_pods_wait_for() -> None:
    assert all_served(records(about(pod=(), served=(bound("own", 600),))))
    assert not all_served(records(about(pod=(), waiting=(waiting("web", "own"),))))


def test_an_unknown_state_of_a_name_that_is_waited_for_is_not_served() -> None:
    young = waiting("web", "volcano", ago=0.1)
    assert judged("volcano", waiting=(young,)).state is UNKNOWN
    assert not all_served(records(about(pod=(), waiting=(young,))))


def test_a_full_sample_says_at_least() -> None:
    many = tuple(waiting(f"web-{i}", "own") for i in range(500))
    found = judged("own", waiting=many)
    assert (found.waiting, found.at_least, len(found.pods)) == (500, True, 5)
