"""Helpers of scheduled_not_ready: containers, Events, owners, nodes, and the words of others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from whypending.classifiers.scheduled_not_ready import _ends, _events, _node, _owner, _probes, _volumes
from whypending.classifiers.scheduled_not_ready._containers import members
from whypending.diagnosis import Safety
from whypending.evidence import Evidence, Gap, GapReason, Target
from whypending.objects.base import Condition, ObjectMeta, OwnerReference
from whypending.objects.container import Container, ContainerPort, HTTPGetAction, Probe
from whypending.objects.event import Event, ObjectReference
from whypending.objects.node import Lease, LeaseSpec, Node, NodeStatus
from whypending.objects.pod import (
    ContainerState,
    ContainerStatus,
    Pod,
    PodSpec,
    PodStatus,
    StateRunning,
    StateTerminated,
)
from whypending.objects.workload import Workload

NOW = datetime(2026, 5, 12, 9, 30, tzinfo=UTC)
GAP = Gap(what="x", reason=GapReason.FORBIDDEN)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def pod(owner: OwnerReference | None = None, labels: dict[str, str] | None = None, **status: Any) -> Pod:
    return Pod(
        metadata=ObjectMeta(
            name="p",
            namespace="ns",
            uid="u",
            labels=labels or {},
            creation_timestamp=ago(600),
            owner_references=(owner,) if owner else (),
        ),
        spec=PodSpec(node_name="n1", containers=(Container(name="web"),)),
        status=PodStatus(phase="Pending", **status),
    )


def evidence(of: Pod | None = None, **fields: Any) -> Evidence:
    return Evidence(target=Target(namespace="ns", name="p"), now=NOW, pod=(of or pod(),), **fields)


def event(reason: str, seconds: float, text: str = "", container: str = "") -> Event:
    about = ObjectReference(kind="Pod", namespace="ns", name="p", field_path=f"spec.containers{{{container}}}")
    return Event(reason=reason, message=text, last_timestamp=ago(seconds), involved_object=about)


def test_members_come_in_starting_order_with_their_labels() -> None:
    spec = PodSpec(
        init_containers=(Container(name="db"), Container(name="proxy", restart_policy="Always")),
        containers=(Container(name="web"),),
    )
    found = members(Pod(spec=spec, status=PodStatus(container_statuses=(ContainerStatus(name="ghost"),))))
    labels = [m.label for m in found]
    assert labels == ['Init container "db"', 'Sidecar "proxy"', 'Container "web"', 'Container "ghost"']
    assert found[1].path("state") == "status.initContainerStatuses[name=proxy].state"
    assert found[2].status is None
    assert found[3].status is not None


def test_an_event_stands_until_something_started() -> None:
    failed = event("FailedMount", 100)
    assert _events.standing(evidence(events=(failed,)), "FailedMount") is failed
    assert _events.standing(evidence(events=(failed, event("Started", 50))), "FailedMount") is None
    assert _events.standing(evidence(events=(event("Started", 150), failed)), "FailedMount") is failed


def test_an_event_is_over_when_the_sandbox_is_there() -> None:
    ready = Condition(type="PodReadyToStartContainers", status="True", last_transition_time=ago(10))
    assert (
        _events.standing(evidence(pod(conditions=(ready,)), events=(event("FailedMount", 100),)), "FailedMount") is None
    )


def test_an_event_is_over_when_a_later_run_began() -> None:
    end = StateTerminated(exit_code=1, started_at=ago(50), finished_at=ago(40))
    status = ContainerStatus(name="web", last_state=ContainerState(terminated=end))
    later = evidence(pod(container_statuses=(status,)), events=(event("FailedMount", 100),))
    earlier = evidence(pod(container_statuses=(status,)), events=(event("FailedMount", 30),))
    assert _events.standing(later, "FailedMount") is None
    assert _events.standing(earlier, "FailedMount") is not None


def test_events_of_a_reason_are_added_up_though_their_texts_differ() -> None:
    events = tuple(event("FailedCreatePodSandBox", n, f'sandbox "{n}"') for n in (30, 20, 10))
    assert _events.times(evidence(events=events), events[-1]) == len(events)


def test_a_gap_of_events_proves_nothing() -> None:
    assert _events.standing(evidence(events=GAP), "FailedMount") is None


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ('rpc error: code = Unknown desc = failed to setup network for sandbox "a": x', "x"),
        ("(combined from similar events): Failed to create pod sandbox: boom.", "boom"),
        ('Failed create pod sandbox: NetworkPlugin cni failed to set up pod "p_ns" network: no room', "no room"),
        ('plugin type="aws-cni" name="aws-cni" failed (add): add cmd: no IP', "no IP"),
        ("unmounted volumes=[a], unattached volumes=[], failed to process volumes=[a]: not bound", "not bound"),
        ("mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs\nOutput: mount.nfs: down\n",
         "mount.nfs: down"),
        ("rpc error: code = Unknown desc =", "rpc error: code = Unknown desc ="),
        ("", ""),
    ],
)  # fmt: skip
def test_core_leaves_what_happened(text: str, core: str) -> None:
    assert _events.core(text) == core


def test_short_cuts_at_a_word() -> None:
    text = "word " * 100
    assert _events.short(text).endswith("word …")
    assert len(_events.short(text)) < len(text)


def test_events_of_a_container_are_told_by_their_field_path() -> None:
    mine, other = event("Unhealthy", 10, "Readiness probe failed: x", "web"), event("Unhealthy", 5, "", "web-2")
    assert _events.of_container(evidence(events=(mine, other)), "web", "Unhealthy") is mine


def test_a_deployment_is_told_from_its_replica_set() -> None:
    owner = OwnerReference(api_version="apps/v1", kind="ReplicaSet", name="web-5d8f", controller=True)
    found = _owner.template_owner(evidence(pod(owner, {"pod-template-hash": "5d8f"})))
    assert found is not None
    assert found.ref == "Deployment ns/web"
    kept = _owner.template_owner(evidence(pod(owner, {"pod-template-hash": "other"})))
    assert kept is not None
    assert kept.ref == "ReplicaSet ns/web-5d8f"


def test_the_command_changes_the_owner_of_the_template() -> None:
    meta = ObjectMeta(name="db", namespace="ns", uid="s")
    sts = Workload(api_version="apps/v1", kind="StatefulSet", metadata=meta)
    owner = OwnerReference(api_version="apps/v1", kind="StatefulSet", name="db", uid="s", controller=True)
    remedy = _owner.edit(evidence(pod(owner), owners=(sts,)), "Do it.")
    assert (remedy.command, remedy.safety) == ("kubectl -n ns edit statefulset/db", Safety.CHANGE)


def test_a_bare_pod_is_made_anew() -> None:
    remedy = _owner.edit(evidence(), "Do it.")
    assert remedy.command == ""
    assert remedy.text == "Do it; a Pod's spec is fixed, so delete it and create it anew from a changed manifest."


def test_a_mirror_pod_is_static() -> None:
    node = OwnerReference(kind="Node", name="n1", controller=True)
    assert _owner.is_static(pod(node))
    assert not _owner.is_static(pod())


def lease(seconds: float) -> Lease:
    meta = ObjectMeta(name="n1", namespace="kube-node-lease")
    return Lease(
        metadata=meta, spec=LeaseSpec(holder_identity="n1", lease_duration_seconds=40, renew_time=ago(seconds))
    )


def node(status: str) -> Node:
    return Node(metadata=ObjectMeta(name="n1"), status=NodeStatus(conditions=(Condition(type="Ready", status=status),)))


@pytest.mark.parametrize(
    ("status", "renewed", "silent", "well"),
    [("True", 5, False, True), ("True", 200, True, False), ("Unknown", 5, True, False), ("False", 5, False, False)],
)
def test_a_node_is_silent_or_well(status: str, renewed: float, *, silent: bool, well: bool) -> None:
    found = evidence(node=(node(status),), node_lease=(lease(renewed),))
    assert (_node.is_silent(found), _node.is_well(found)) == (silent, well)


def test_a_node_is_missing_only_if_it_was_looked_up() -> None:
    assert _node.missing(evidence(node=()))
    assert not _node.missing(evidence(node=GAP))


def test_a_lease_between_two_reads_is_not_stale() -> None:
    assert not _node.lease_is_stale(evidence(node_lease=(lease(90),)))


def test_an_end_is_told_with_its_length_and_its_own_words() -> None:
    end = StateTerminated(exit_code=127, started_at=ago(12), finished_at=ago(10), message="sh: serve: not found\n")
    told = "exit code 127 (usually means that the command was not found) after 2 seconds, saying: sh: serve: not found"
    assert _ends.how(end) == told
    assert _ends.how(StateTerminated(exit_code=0)) == "exit code 0 (no error)"


def test_a_long_last_message_keeps_its_end() -> None:
    said = _ends.how(StateTerminated(exit_code=1, message="noise " * 50 + "the reason"))
    assert said.endswith("the reason")
    assert "…" in said


def test_a_probe_is_named_by_what_it_asks() -> None:
    container = Container(name="web", ports=(ContainerPort(name="http", container_port=8080),))
    member = members(Pod(spec=PodSpec(containers=(container,))))[0]
    assert _probes.target(member, Probe(http_get=HTTPGetAction(path="/ok", port="http"))) == "GET :8080/ok"
    assert _probes.target(member, None) == ""


def test_an_unhealthy_event_of_an_earlier_run_is_not_taken() -> None:
    status = ContainerStatus(name="web", state=ContainerState(running=StateRunning(started_at=ago(20))))
    old = event("Unhealthy", 60, "Readiness probe failed: 503", "web")
    found = evidence(pod(container_statuses=(status,)), events=(old,))
    member = next(_probes.unready(found))
    assert _probes.failure(found, member, "Readiness") is None


@pytest.mark.parametrize(
    ("text", "volume", "words"),
    [
        ('MountVolume.SetUp failed for volume "conf" : configmap "a" not found', "conf", 'configmap "a" not found'),
        ('Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) a', "pvc-1",
         "Volume is already used by pod(s) a"),
        ("Unable to attach or mount volumes: unmounted volumes=[a b], unattached volumes=[]: timed out", "a, b", None),
        ("something else", "", "something else"),
    ],
)  # fmt: skip
def test_a_volume_event_is_taken_apart(text: str, volume: str, words: str | None) -> None:
    failed = _volumes.failure(event("FailedMount", 1, text))
    assert failed.volume == volume
    assert words is None or failed.words == words
