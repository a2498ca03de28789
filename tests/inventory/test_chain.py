"""The two proof chains: each link seen, missing or not readable."""

from __future__ import annotations

from typing import Any

import pytest

from tests.inventory.world import DEFAULT, NAME, SERVES, about, bound, config, deployment, lease, profile, replica, told
from whypending.diagnosis import Link, LinkState
from whypending.evidence import Evidence, Gap, GapReason, LogLine
from whypending.inventory.chain import ORPHAN, SERVED, links

GAP = Gap(what="Leases", reason=GapReason.FORBIDDEN)
SEEN, MISSING, UNREAD = LinkState.SEEN, LinkState.MISSING, LinkState.NOT_READABLE
BATCH = deployment(NAME, SERVES, "--leader-elect-resource-name=batch", "--leader-elect-resource-namespace=infra")
UP = replica(BATCH, f"{NAME}-6d5f7c9b8-k2x7p")
RUNS: dict[str, Any] = {"scheduler_workloads": (BATCH,), "scheduler_pods": (UP,)}


def link(evidence: Evidence, chain: str, words: str) -> Link:
    (found,) = [x for x in links(evidence) if x.chain == chain and words in x.text]
    return found


def states(evidence: Evidence, chain: str) -> list[str]:
    return [str(x.state) for x in links(evidence) if x.chain == chain]


def test_an_orphan_has_every_link() -> None:
    assert states(about(), ORPHAN) == ["seen"] * 5
    assert states(about(), SERVED) == ["missing"] * 7


def test_with_pods_alone_the_rest_is_not_readable() -> None:
    parts = ("leases", "scheduler_workloads", "scheduler_pods", "scheduler_configs", "served", "scheduling_events")
    fields: dict[str, Any] = dict.fromkeys((*parts, "events", "logs"), GAP)
    assert states(about(**fields), ORPHAN) == ["seen", "seen", "not-readable", "not-readable", "not-readable"]
    assert states(about(**fields), SERVED) == ["not-readable", "missing", "missing", *["not-readable"] * 4]


def test_no_pod_no_chain() -> None:
    assert links(about(pod=())) == ()


def test_a_profile_of_a_running_scheduler() -> None:
    assert link(about(**RUNS), SERVED, "the profile").state is SEEN
    assert link(about(**RUNS), ORPHAN, "the profile").state is MISSING


def test_a_profile_whose_scheduler_is_down() -> None:
    down = about(scheduler_workloads=(BATCH,), scheduler_pods=(replica(BATCH, "x", ready=False),))
    found = link(down, SERVED, "the profile")
    assert (found.state, found.detail) == (MISSING, "Deployment infra/batch-scheduler: no Pod of it is ready")


def test_a_configuration_that_is_not_readable() -> None:
    hidden = deployment("other", "kube-scheduler", "--config=/etc/c.yaml", config="c")
    assert link(about(scheduler_workloads=(hidden,)), ORPHAN, "the profile").state is UNREAD


@pytest.mark.parametrize(
    ("holder", "state"),
    [(f"{UP.name}_1c3e", SEEN), ("ci-runner-7_02f6", MISSING), ("", MISSING)],
)
def test_the_holder_of_the_lease(holder: str, state: LinkState) -> None:
    assert link(about(**RUNS, leases=(lease("batch", "infra", holder),)), SERVED, "Lease").state is state


def test_an_expired_lease_is_held_by_nobody() -> None:
    old = lease("batch", "infra", f"{UP.name}_1c3e", ago=60)
    assert link(about(**RUNS, leases=(old,)), SERVED, "Lease").state is MISSING


def test_with_host_network_the_name_of_the_holder_does_not_tell_but_its_event_does() -> None:
    hosted = replica(BATCH, UP.name, host_network=True)
    held = lease("batch", "infra", "vm_1c3e")
    fields: dict[str, Any] = {"scheduler_workloads": (BATCH,), "scheduler_pods": (hosted,), "leases": (held,)}
    assert link(about(**fields), SERVED, "Lease").state is UNREAD
    led = told("LeaderElection", NAME, 3, "vm_1c3e became leader")
    assert link(about(**fields, scheduling_events=(led,)), SERVED, "Lease").state is SEEN
    other = told("LeaderElection", DEFAULT, 3, "vm_1c3e became leader")
    assert link(about(**fields, scheduling_events=(other,)), SERVED, "Lease").state is MISSING


def test_the_default_schedulers_lease_needs_no_process() -> None:
    assert link(about(scheduler=DEFAULT), SERVED, "Lease").state is SEEN
    assert link(about(scheduler=DEFAULT, leases=(lease(ago=60),)), SERVED, "Lease").state is MISSING


def test_binds_and_events_of_others() -> None:
    assert link(about(served=(bound(NAME),)), SERVED, "bound by").state is SEEN
    found = link(about(scheduling_events=(told("Scheduled", NAME, 1),)), SERVED, "Scheduled Event")
    assert (found.state, found.detail) == (SEEN, "on Pod shop/other")


def test_a_log_that_names_the_pod() -> None:
    line = LogLine(origin="s.log", number=7, text='"Unable to schedule pod" pod="shop/web"')
    assert link(about(logs=(line,)), SERVED, "log").detail == "s.log, line 7"
    assert link(about(logs=(line,)), ORPHAN, "log").state is MISSING


def test_several_documents_templates_and_invalid_yaml_in_configmaps() -> None:
    texts = (
        profile("a") + "---\n" + profile("b"),
        "{{ .Values.x }}KubeSchedulerConfiguration",
        "kind: [KubeSchedulerC",
    )
    mounting = deployment("other", "kube-scheduler", "--config=/etc/c.yaml", config="config")
    for text in texts:
        fields: dict[str, Any] = {"scheduler_workloads": (mounting,), "scheduler_configs": (config(text),)}
        assert link(about(**fields), ORPHAN, "the profile").state is UNREAD
