"""What the joint evidence proves, and which part of it is needed for that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from tests.inventory.world import (
    DEFAULT,
    NAME,
    READ,
    SERVES,
    about,
    bound,
    config,
    deployment,
    lease,
    minutes,
    profile,
    replica,
    told,
    waiting,
    written,
)
from whypending.classifiers.no_scheduler import (
    default_scheduler_not_running,
    scheduler_lease_expired,
    scheduler_name_unknown,
    scheduler_not_leading,
    scheduler_profile_missing,
    scheduler_shares_lease,
)
from whypending.diagnosis import Confidence, Finding
from whypending.evidence import Gap, GapReason
from whypending.objects.base import ObjectMeta
from whypending.objects.container import Container
from whypending.objects.pod import PodSpec, PodTemplate
from whypending.objects.workload import Workload, WorkloadSpec

GAP = Gap(what="x", reason=GapReason.FORBIDDEN)
CONFIGURED = deployment(NAME, "kube-scheduler", "--config=/etc/c.yaml", config="config", host_network=True)
UP = replica(CONFIGURED, "p", host_network=True, ago=60)
TEXT = profile(NAME, "second", rest="leaderElection: {resourceNamespace: infra, resourceName: batch}")
SHARED = profile(NAME, rest="leaderElection: {leaderElect: true}")


def only(findings: Iterable[Finding]) -> Finding:
    (finding,) = findings
    return finding


def runs(text: str, *, changed: float | None = None, **fields: Any) -> dict[str, Any]:
    """The configured scheduler with this ConfigMap, changed so many minutes ago; its process began an hour ago."""
    found = config(text)
    configs = (found if changed is None else written(found, changed),)
    return {"scheduler_workloads": (CONFIGURED,), "scheduler_pods": (UP,), "scheduler_configs": configs, **fields}


def test_a_name_is_proved_to_be_unknown_when_everything_was_read() -> None:
    assert only(scheduler_name_unknown.classify(about())).confidence is Confidence.PROVED


@pytest.mark.parametrize("part", [p for p, known in READ.items() if known == () and p not in {"waiting", "logs"}])
def test_each_part_is_needed_for_that(part: str) -> None:
    fields: dict[str, Any] = {part: GAP}
    assert only(scheduler_name_unknown.classify(about(**fields))).confidence is not Confidence.PROVED


@pytest.mark.parametrize(
    "fields",
    [
        {"as_served": False},
        {"partly": (GAP,)},
        {"leases": ()},
        {"leases": (lease(ago=60),)},
        {"leases": (lease(), lease(NAME, "infra"))},
        {"scheduler_workloads": (deployment("x", "kube-scheduler", "--config=/c.yaml", config="c"),)},
    ],
    ids=["files", "a part", "no leader", "dead leader", "a Lease of that name", "an unread configuration"],
)
def test_what_leaves_a_doubt(fields: dict[str, Any]) -> None:
    assert only(scheduler_name_unknown.classify(about(**fields))).confidence is Confidence.LIKELY


def owner(name: str) -> Workload:
    spec = PodSpec(scheduler_name=name, containers=(Container(name="web"),))
    return Workload(
        kind="Deployment", metadata=ObjectMeta(name="web", namespace="shop"),
        spec=WorkloadSpec(template=PodTemplate(spec=spec)),
    )  # fmt: skip


def test_the_object_that_carries_the_name_is_cited() -> None:
    finding = only(scheduler_name_unknown.classify(about(owners=(owner(NAME),))))
    assert ("Deployment shop/web", NAME) in {(c.object, c.value) for c in finding.citations}


def test_a_name_that_the_template_does_not_have_came_from_admission() -> None:
    finding = only(scheduler_name_unknown.classify(about(owners=(owner(""),))))
    (value,) = [c.value for c in finding.citations if c.object == "Deployment shop/web"]
    assert value.startswith("unset, which is default-scheduler: the Pod's name was put there")
    assert finding.remedies[0].command.startswith("kubectl get mutatingwebhookconfigurations")


def test_a_profile_that_was_added_after_the_process_began() -> None:
    finding = only(scheduler_profile_missing.classify(about(**runs(TEXT, changed=10))))
    assert (finding.confidence, finding.remedies[0].command) == (
        Confidence.LIKELY, "kubectl -n infra rollout restart deployment/batch-scheduler",
    )  # fmt: skip


@pytest.mark.parametrize(
    "fields",
    [
        {"served": (bound("second", 1),)},
        {
            "leases": (lease("batch", "infra", "vm_1"),),
            "scheduling_events": (told("LeaderElection", NAME, 50, "vm_1 became leader"),),
        },
    ],
    ids=["it works on another name", "it leads"],
)
def test_and_it_is_proved_where_the_process_works_meanwhile(fields: dict[str, Any]) -> None:
    finding = only(scheduler_profile_missing.classify(about(**runs(TEXT, changed=10, **fields))))
    assert finding.confidence is Confidence.PROVED


@pytest.mark.parametrize("changed", [None, 120])
def test_a_profile_that_was_loaded_is_not_missing(changed: float | None) -> None:
    assert list(scheduler_profile_missing.classify(about(**runs(TEXT, changed=changed)))) == []


def test_nor_one_whose_name_bound_a_pod_since() -> None:
    assert list(scheduler_profile_missing.classify(about(**runs(TEXT, changed=10, served=(bound(NAME, 1),))))) == []


LED = told("LeaderElection", DEFAULT, 200, "cp-1_5b0a became leader")


def test_a_shared_lease_is_proved_by_the_loaded_configuration_and_the_leaders_event() -> None:
    finding = only(scheduler_shares_lease.classify(about(**runs(SHARED, changed=120, scheduling_events=(LED,)))))
    assert finding.confidence is Confidence.PROVED


def test_a_shared_lease_is_proved_where_it_was_taken_before_the_process_began() -> None:
    held = lease(acquire_time=UP.status.container_statuses[0].state.running.started_at - minutes(5))  # type: ignore[union-attr,operator]
    finding = only(scheduler_shares_lease.classify(about(**runs(SHARED, changed=120, leases=(held,)))))
    assert finding.confidence is Confidence.PROVED


@pytest.mark.parametrize(("changed", "events"), [(None, (LED,)), (10, (LED,)), (120, ())])
def test_a_shared_lease_is_likely_otherwise(changed: float | None, events: tuple[Any, ...]) -> None:
    finding = only(scheduler_shares_lease.classify(about(**runs(SHARED, changed=changed, scheduling_events=events))))
    assert finding.confidence is Confidence.LIKELY


def test_nothing_is_said_of_the_one_that_holds_the_lease_itself() -> None:
    own = told("LeaderElection", NAME, 50, "cp-1_5b0a became leader")
    evidence = about(**runs(SHARED, changed=120, scheduling_events=(own,)))
    assert list(scheduler_shares_lease.classify(evidence)) == []
    assert list(scheduler_not_leading.classify(evidence)) == []


def test_a_lease_that_is_not_there_is_proved_where_all_were_read() -> None:
    finding = only(scheduler_not_leading.classify(about(**runs(TEXT, changed=120))))
    assert (finding.confidence, "does not exist" in finding.message) == (Confidence.PROVED, True)
    seen = only(scheduler_not_leading.classify(about(**runs(TEXT, changed=10))))
    assert seen.confidence is Confidence.LIKELY


def test_an_expired_lease_of_a_loaded_configuration_is_proved() -> None:
    gone = (lease("batch", "infra", "vm_1", ago=90),)
    finding = only(scheduler_lease_expired.classify(about(**runs(TEXT, changed=120, leases=gone))))
    assert finding.confidence is Confidence.PROVED
    finding = only(scheduler_lease_expired.classify(about(**runs(TEXT, leases=gone))))
    assert finding.confidence is Confidence.LIKELY


def test_a_holder_that_is_gone_is_called_so() -> None:
    plain = deployment(NAME, SERVES, "--leader-elect-resource-name=b", "--leader-elect-resource-namespace=infra")
    fields: dict[str, Any] = {
        "scheduler_workloads": (plain,),
        "scheduler_pods": (replica(plain, f"{NAME}-6d5f7c9b8-aaaaa"),),
    }
    held = lease("b", "infra", f"{NAME}-6d5f7c9b8-zzzzz_1c3e", ago=90)
    finding = only(scheduler_lease_expired.classify(about(**fields, leases=(held,))))
    assert f"{NAME}-6d5f7c9b8-zzzzz_1c3e, a Pod that is gone, last renewed it" in finding.message


TWO = (waiting("a", DEFAULT, ago=15), waiting("b", DEFAULT, ago=5))


def test_a_default_scheduler_that_leads_and_looks_at_nothing_is_proved() -> None:
    finding = only(default_scheduler_not_running.classify(about(scheduler=DEFAULT, waiting=TWO)))
    assert (finding.confidence, "2 other Pods wait" in finding.message) == (Confidence.PROVED, True)


@pytest.mark.parametrize(
    "fields",
    [{"served": GAP}, {"scheduling_events": GAP}, {"waiting": ()}, {"as_served": False}],
    ids=["binds", "events", "others", "files"],
)
def test_each_part_is_needed_for_the_silence(fields: dict[str, Any]) -> None:
    evidence = replace(about(scheduler=DEFAULT, waiting=TWO), **fields)
    assert only(default_scheduler_not_running.classify(evidence)).confidence is not Confidence.PROVED


@pytest.mark.parametrize(
    "fields",
    [{"served": (bound(DEFAULT, 1),)}, {"scheduling_events": (told("FailedScheduling", DEFAULT, 1),)}],
    ids=["bound", "refused"],
)
def test_a_default_scheduler_that_did_something_since_is_not_silent(fields: dict[str, Any]) -> None:
    assert list(default_scheduler_not_running.classify(about(scheduler=DEFAULT, waiting=TWO, **fields))) == []
