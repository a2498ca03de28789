"""Causes of scheduled_not_ready: wordings by release and vendor, and what must not be said."""

from __future__ import annotations

from typing import Any

import pytest

from tests.classifiers.test_scheduled_helpers import GAP, ago, event, evidence, node, pod
from whypending.classifiers import scheduled_not_ready as folder
from whypending.diagnosis import Confidence
from whypending.engine import diagnose
from whypending.evidence import Evidence
from whypending.objects.base import Condition, ObjectMeta, OwnerReference
from whypending.objects.container import Container, Resources
from whypending.objects.pod import ContainerState, ContainerStatus, Pod, PodSpec, PodStatus, ReadinessGate, StateWaiting


def names(found: Evidence) -> list[str]:
    return [f.name for f in diagnose(found, strict=True).findings]


def failed(reason: str, message: str = "", **spec: Any) -> Pod:
    meta = ObjectMeta(name="p", namespace="ns", uid="u", creation_timestamp=ago(600))
    return Pod(
        metadata=meta,
        spec=PodSpec(node_name="n1", **spec),
        status=PodStatus(phase="Failed", reason=reason, message=message),
    )


def waiting(reason: str, message: str = "", **spec: Any) -> Pod:
    status = ContainerStatus(name="web", state=ContainerState(waiting=StateWaiting(reason=reason, message=message)))
    base = pod(container_statuses=(status,), start_time=ago(590))
    return Pod(
        metadata=base.metadata,
        spec=PodSpec(node_name="n1", containers=(Container(name="web", image="r/web:1", **spec),)),
        status=base.status,
    )


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        ("NodeAffinity", "Pod Predicate NodeAffinity failed"),
        ("MatchNodeSelector", "Pod Predicate MatchNodeSelector failed"),
        ("NodePorts", "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports"),
        ("SomethingNew", "Pod was rejected: out of luck"),
        (
            "OutOfexample.com/foo",
            "Node didn't have enough resource: example.com/foo, requested: 1, used: 1, capacity: 1",
        ),
    ],
)
def test_refusals_of_all_releases_are_known(reason: str, message: str) -> None:
    assert names(evidence(failed(reason, message)))[0] == "kubelet-admission-rejected"


def test_a_failed_pod_without_an_admission_reason_was_not_refused() -> None:
    assert names(evidence(failed("", ""))) == ["container-failed"]


@pytest.mark.parametrize(
    "message",
    [
        "Pod Allocate failed due to rpc error: code = Unknown desc = no such GPU, which is unexpected",
        "Allocate failed due to device plugin GetPreferredAllocation rpc failed with err: EOF, which is unexpected",
        "Allocate failed due to requested number of devices unavailable for a/b. Requested: 2, Available: 1, which is",
        "Pod was rejected: Allocate failed due to cannot allocate unregistered device a/b, which is unexpected",
    ],
)
def test_device_plugin_texts(message: str) -> None:
    container = Container(name="web", resources=Resources(limits={"a/b": "1"}))
    found = evidence(failed("UnexpectedAdmissionError", message, containers=(container,)))
    assert names(found) == ["kubelet-admission-rejected", "device-plugin-failed"]
    assert "a/b" in diagnose(found).summary


@pytest.mark.parametrize(
    "text",
    [
        "failed to allocate for range 0: no IP addresses available in range set: 10.0.0.1-10.0.0.2",
        "unable to allocate IP via local cilium agent: [POST /ipam][502] postIpamFailure range is full",
        "unable to allocate IP via local cilium agent: No more IPs available",
        "Failed to allocate pool: Failed to delegate: Failed to allocate address: No available addresses",
        "failed to request IPv4 addresses: Assigned 0 out of 1 requested IPv4 addresses; No more free affine blocks",
    ],
)
def test_plugins_words_for_no_address(text: str) -> None:
    full = f'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network: "1": {text}'
    found = evidence(pod(start_time=ago(590)), events=(event("FailedCreatePodSandBox", 5, full),))
    assert names(found) == ["sandbox-creation-failed", "cni-ip-exhausted"]
    assert diagnose(found).confidence is Confidence.PROVED


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("manifest unknown: manifest unknown", "image-not-found"),
        ("Error response from daemon: manifest for r/web:1 not found: manifest unknown", "image-not-found"),
        ("reading manifest 1 in r/web: name unknown", "image-not-found"),
        ("unauthorized: authentication required", "image-auth-denied"),
        ("pull access denied for r/web, repository does not exist or may require 'docker login'",
         "image-auth-denied"),
        ("no basic auth credentials", "image-auth-denied"),
        ("toomanyrequests: You have reached your pull rate limit", "image-rate-limited"),
        ("no matching manifest for linux/arm64/v8 in the manifest list entries", "image-platform-mismatch"),
        ('no image found in manifest list for architecture "arm64", variant "v8", OS linux', "image-platform-mismatch"),
    ],
)  # fmt: skip
def test_registries_words(words: str, cause: str) -> None:
    found = evidence(
        waiting("ImagePullBackOff", 'Back-off pulling image "r/web:1"'),
        events=(event("Failed", 5, f'Failed to pull image "r/web:1": rpc error: code = Unknown desc = {words}'),),
    )
    assert names(found) == ["image-pull-failed", cause]


@pytest.mark.parametrize("words", ["dial tcp: lookup r on 10.0.0.10:53: no such host", "i/o timeout", "EOF"])
def test_other_pull_failures_stay_broad(words: str) -> None:
    found = evidence(waiting("ErrImagePull", f"failed to do request: {words}"))
    assert names(found) == ["image-pull-failed"]


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ('exec: "serve": executable file not found in $PATH: unknown', "serve is not in the image's $PATH"),
        ('exec: "/app": permission denied: unknown', "/app is not executable"),
        ("exec /app/web: exec format error", "/app/web was made for another processor"),
        ('exec: "/nope": stat /nope: no such file or directory: unknown', "/nope is not there"),
    ],
)
def test_commands_that_cannot_be_executed(message: str, says: str) -> None:
    text = f"failed to create containerd task: OCI runtime create failed: unable to start container process: {message}"
    found = evidence(waiting("RunContainerError", text))
    assert names(found) == ["container-create-failed", "container-start-error"]
    assert says in diagnose(found).summary


def test_a_deadline_in_the_mount_is_no_stuck_runtime() -> None:
    text = (
        'MountVolume.SetUp failed for volume "a" : rpc error: code = DeadlineExceeded desc = context deadline exceeded'
    )
    assert names(evidence(pod(start_time=ago(590)), events=(event("FailedMount", 5, text),))) == ["volume-mount-failed"]


def test_mount_noise_on_a_refused_pod_is_left_out() -> None:
    noise = event(
        "FailedMount", 5, 'MountVolume.SetUp failed for volume "k" : object "ns"/"kube-root-ca.crt" not registered'
    )
    assert names(evidence(failed("NodeAffinity"), events=(noise,))) == ["kubelet-admission-rejected"]


def test_what_a_silent_nodes_pod_says_is_a_symptom() -> None:
    crash = waiting("CrashLoopBackOff")
    found = diagnose(evidence(crash, node=(node("Unknown"),)))
    assert [(f.name, str(f.role)) for f in found.findings] == [
        ("node-not-ready-after-bind", "cause"),
        ("container-crashloop", "symptom"),
    ]


def test_a_gap_never_proves_that_a_node_is_missing() -> None:
    scheduled = Condition(type="PodScheduled", status="True", last_transition_time=ago(600))
    found = evidence(pod(conditions=(scheduled,), start_time=ago(590)), node=GAP)
    assert "node-not-found" not in names(found)


@pytest.mark.parametrize("kind", ["DaemonSet", "Node"])
def test_pods_that_are_placed_on_purpose_are_not_preset(kind: str) -> None:
    owner = OwnerReference(kind=kind, name="x", controller=True)
    assert "node-name-preset" not in names(evidence(pod(owner), node=()))


def test_a_scheduled_event_disproves_a_preset_name() -> None:
    assert "node-name-preset" not in names(evidence(pod(), node=(), events=(event("Scheduled", 600),)))


def test_each_gate_is_named() -> None:
    base = pod(
        conditions=(Condition(type="ContainersReady", status="True"), Condition(type="b", status="False", reason="No")),
        start_time=ago(590),
    )
    gates = (ReadinessGate(condition_type="a"), ReadinessGate(condition_type="b"))
    found = evidence(
        Pod(metadata=base.metadata, spec=PodSpec(node_name="n1", readiness_gates=gates), status=base.status)
    )
    messages = [f.message for f in diagnose(found).findings]
    assert "its readiness gate a is not set at all" in messages[0]
    assert "its readiness gate b is False (No)" in messages[1]


def test_every_sentence_is_free_of_capacity_talk() -> None:
    texts = [m.__doc__ or "" for m in folder.MODULES]
    assert not any("raise the priority" in t.lower() or "add nodes" in t.lower() for t in texts)
