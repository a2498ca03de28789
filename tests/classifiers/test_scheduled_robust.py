"""No object, however odd, makes a cause of scheduled_not_ready crash, or speak without proof; a well Pod gets none."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.classifiers.test_scheduled_helpers import GAP, NOW, ago, evidence, node, pod
from whypending.classifiers import classifiers_of
from whypending.classifiers.cause import Classifier
from whypending.diagnosis import Triage
from whypending.evidence import Evidence, Known, Target
from whypending.objects.base import Condition, ObjectMeta
from whypending.objects.container import Container
from whypending.objects.event import Event, ObjectReference
from whypending.objects.node import Lease, Node
from whypending.objects.pod import (
    ContainerState,
    ContainerStatus,
    Pod,
    PodSpec,
    PodStatus,
    ReadinessGate,
    StateRunning,
    StateTerminated,
    StateWaiting,
)

WORDS = st.sampled_from(
    ["", "x", "Ready", "False", "Unknown", "Évé\u202e", '"', "[", "rpc error: code =", "None", "%s {}"]
)
REASONS = st.sampled_from(
    ["", "FailedMount", "FailedCreatePodSandBox", "FailedAttachVolume", "Failed", "Killing",
     "Unhealthy", "NetworkNotReady",
     "FailedPrepareDynamicResources", "FailedToRetrieveImagePullSecret", "Pulling", "Started", "ProviderCreateFailed"]
)  # fmt: skip
STATES = st.sampled_from(
    ["", "CrashLoopBackOff", "ImagePullBackOff", "CreateContainerConfigError",
     "CreateContainerError", "RunContainerError",
     "InvalidImageName", "ErrImageNeverPull", "PostStartHookError", "ContainerCreating"]
)  # fmt: skip
TEXTS = st.one_of(
    WORDS,
    st.sampled_from([
        'for volume "', 'for volume "a" : ', "couldn't find key  in Secret a/b", 'secret "" not found',
        "unmounted volumes=[",
        "unmounted volumes=[]", 'Failed to pull image "": ', "is reserved for", "Readiness probe failed: ",
        "Mounting command: ",
        "Unable to retrieve some image pull secrets (); x", "DRA driver  is not registered",
        "Mounting command: a Output: ",
        "Node didn't have enough resource: cpu, requested: 1, used: 2, capacity: 3", 'exec: "": permission denied',
    ]),
    st.text(max_size=30),
)  # fmt: skip
TIMES = st.one_of(st.none(), st.integers(-100, 10_000).map(ago))


@st.composite
def statuses(draw: st.DrawFn, name: str) -> ContainerStatus:
    run = draw(TIMES)
    end = StateTerminated(exit_code=draw(st.integers(0, 255)), reason=draw(WORDS), message=draw(TEXTS), started_at=run)
    state = draw(
        st.sampled_from(
            [
                ContainerState(),
                ContainerState(running=StateRunning(started_at=run)),
                ContainerState(terminated=end),
                ContainerState(waiting=StateWaiting(reason=draw(STATES), message=draw(TEXTS))),
            ]
        )
    )
    last = draw(st.sampled_from([ContainerState(), ContainerState(terminated=end)]))
    started = draw(st.sampled_from([None, True, False]))
    return ContainerStatus(
        name=name,
        state=state,
        last_state=last,
        restart_count=draw(st.integers(0, 3)),
        started=started,
        ready=draw(st.booleans()),
    )


@st.composite
def pods(draw: st.DrawFn) -> Pod:
    conditions = tuple(
        Condition(type=t, status=draw(WORDS), reason=draw(WORDS), message=draw(TEXTS), last_transition_time=draw(TIMES))
        for t in draw(
            st.lists(st.sampled_from(["Ready", "ContainersReady", "PodScheduled", "PodResizePending", "gate"]))
        )
    )
    meta = ObjectMeta(
        name=draw(WORDS),
        namespace=draw(WORDS),
        deletion_timestamp=draw(TIMES),
        finalizers=tuple(draw(st.lists(WORDS, max_size=2))),
    )
    spec = PodSpec(
        node_name=draw(st.sampled_from(["", "n1"])),
        containers=(Container(name="web", image=draw(WORDS)),),
        init_containers=draw(
            st.sampled_from([(), (Container(name="i"),), (Container(name="i", restart_policy="Always"),)])
        ),
        readiness_gates=draw(st.sampled_from([(), (ReadinessGate(condition_type="gate"),)])),
        restart_policy=draw(st.sampled_from(["", "Never", "Always"])),
    )
    status = PodStatus(
        phase=draw(st.sampled_from(["", "Pending", "Running", "Failed", "Succeeded", "Unknown"])),
        reason=draw(
            st.sampled_from(["", "Evicted", "OutOfcpu", "UnexpectedAdmissionError", "Terminated", "ProviderFailed"])
        ),
        message=draw(TEXTS),
        conditions=conditions,
        container_statuses=draw(st.sampled_from([(), (draw(statuses("web")),)])),
        init_container_statuses=draw(st.sampled_from([(), (draw(statuses("i")),)])),
        start_time=draw(TIMES),
    )
    return Pod(metadata=meta, spec=spec, status=status)


@st.composite
def everything(draw: st.DrawFn) -> Evidence:
    about = ObjectReference(
        kind="Pod", field_path=draw(st.sampled_from(["", "spec.containers{web}", "spec.containers{"]))
    )
    events = tuple(
        Event(reason=r, message=draw(TEXTS), last_timestamp=draw(TIMES), involved_object=about)
        for r in draw(st.lists(REASONS, max_size=3))
    )
    nodes: list[Known[Node]] = [GAP, (), (Node(),), (node("False"),), (node("True"),)]
    known: list[Known[Event]] = [GAP, events]
    leases: list[Known[Lease]] = [GAP, (), (Lease(),)]
    return Evidence(
        target=Target(namespace="", name=""),
        now=NOW,
        pod=(draw(pods()),),
        events=draw(st.sampled_from(known)),
        node=draw(st.sampled_from(nodes)),
        node_lease=draw(st.sampled_from(leases)),
        owners=GAP,
        siblings=GAP,
    )


@given(everything())
def test_no_object_makes_a_classifier_crash_or_speak_without_proof(found: Evidence) -> None:
    for classifier in classifiers_of(Triage.SCHEDULED_NOT_READY):
        for finding in classifier.classify(found):
            assert finding.message.endswith(".")
            assert finding.citations
            assert finding.remedies


@pytest.mark.parametrize("judge", classifiers_of(Triage.SCHEDULED_NOT_READY), ids=lambda c: c.cause.name)
def test_nothing_is_said_of_a_well_pod(judge: Classifier) -> None:
    status = ContainerStatus(
        name="web",
        ready=True,
        started=True,
        state=ContainerState(running=StateRunning(started_at=NOW - timedelta(hours=1))),
    )
    conditions = tuple(
        Condition(type=t, status="True", last_transition_time=ago(3600))
        for t in ("PodScheduled", "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady")
    )
    well = pod(conditions=conditions, container_statuses=(status,), start_time=ago(3600))
    assert not list(judge.classify(evidence(well, events=(), node=(node("True"),), node_lease=())))
