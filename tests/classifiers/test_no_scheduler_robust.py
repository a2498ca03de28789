"""No evidence, however odd, makes a cause of no_scheduler crash; Pods alone prove next to nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import FIXTURES, Case, evidence_of, fixtures
from tests.classifiers.test_no_scheduler_parts import BORN, NOW
from whypending.classifiers import classifiers_of
from whypending.classifiers.cause import Classifier
from whypending.collectors import collect
from whypending.diagnosis import Confidence, Triage
from whypending.engine import diagnose
from whypending.evidence import Evidence, Gap, GapReason, LogLine, Served, Target
from whypending.objects.base import Condition, LabelSelector, ObjectMeta, OwnerReference
from whypending.objects.container import Container
from whypending.objects.event import Event
from whypending.objects.node import Lease, LeaseSpec
from whypending.objects.pod import (
    ContainerState,
    ContainerStatus,
    Pod,
    PodSpec,
    PodStatus,
    PodTemplate,
    StateTerminated,
    StateWaiting,
    Volume,
    VolumeReference,
)
from whypending.objects.policy import ConfigMap, DatedMeta, ManagedFields
from whypending.objects.workload import Workload, WorkloadSpec, WorkloadStatus
from whypending.sources.files import FilesSource

JUDGES = classifiers_of(Triage.NO_SCHEDULER)
GAP = Gap(what="x", reason=GapReason.FORBIDDEN)
NAMES = st.sampled_from(
    [
        "",
        "default-scheduler",
        "my-scheduler",
        "volcano",
        "kube-scheduler",
        "fargate-scheduler",
        "Évé\u202e\x1b[31m",
        "%s {}",
    ]
)
WORDS = st.one_of(
    NAMES,
    st.sampled_from([
        "--config=/c.yaml", "--config", "--scheduler-name=my-scheduler", "--leader-elect=false", "--leader-elect", "--",
        "-", "=", "--scheduler-name", "sh -c 'kube-scheduler --v", "kube-scheduler", "my-scheduler:v1.31.0",
        ":v1.", "/",
    ]),
    st.text(max_size=20),
)  # fmt: skip
TIMES = st.one_of(
    st.none(),
    st.integers(-100, 10_000).map(lambda s: NOW - timedelta(seconds=s)),
    st.sampled_from([datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)]),
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from([
        "kind: KubeSchedulerConfiguration", "KubeSchedulerConfiguration {{",
        "apiVersion: kubescheduler.config.k8s.io/v1beta2\nkind: KubeSchedulerConfiguration",
        "kind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: my-scheduler}, 3]",
        "kind: KubeSchedulerConfiguration\nleaderElection: {resourceName: [a]}", "KubeSchedulerConfiguration: !!int",
    ]),
)  # fmt: skip
FORBIDDEN = (
    'x is forbidden: User "system:serviceaccount:a" cannot get resource "leases" in API group "coordination.k8s.io" '
    'in the namespace "b"'
)
LINES = st.one_of(
    TEXTS,
    st.sampled_from([
        'User "" cannot list resource "" in API group ""', FORBIDDEN, "failed to list *v1.Node: Unauthorized",
        'E9999 99:99:99.9 1 x] "command failed" err="', "panic: ", "F0231 11:11:11.111111 1 x", "Leaderelection lost",
        'no kind "KubeSchedulerConfiguration" is registered for version "/"', "Attempting to acquire leader lease...",
        "Failed to watch: the server could not find the requested resource", "caches did not sync",
        "E1120 09:29:31.1 1 x] " * 50,
    ]),
)  # fmt: skip


def known(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.just(GAP), st.lists(items, max_size=3).map(tuple))


METAS = st.builds(
    ObjectMeta, name=NAMES, namespace=st.sampled_from(["", "kube-system", "a"]), creation_timestamp=TIMES,
    labels=st.sampled_from([{}, {"app": "s"}, {"component": "kube-scheduler"}]),
    owner_references=st.sampled_from([(), (OwnerReference(kind="X", name="x", controller=True),)]),
)  # fmt: skip
CONTAINERS = st.builds(
    Container, name=NAMES, image=WORDS, command=st.lists(WORDS, max_size=4).map(tuple), args=st.just(())
)  # fmt: skip
SPECS = st.builds(
    PodSpec, scheduler_name=NAMES, containers=st.lists(CONTAINERS, max_size=2).map(tuple),
    node_name=st.sampled_from(["", "n"]),
    volumes=st.sampled_from([(), (Volume(config_map=VolumeReference(name="")),)]), service_account_name=NAMES,
    host_network=st.sampled_from([None, True]),
)  # fmt: skip
ENDED = st.builds(StateTerminated, exit_code=st.integers(0, 255), message=TEXTS, finished_at=TIMES)
STATES = st.builds(
    ContainerState,
    waiting=st.one_of(st.none(), st.builds(StateWaiting, reason=st.sampled_from(["", "CrashLoopBackOff"]))),
    terminated=st.one_of(st.none(), ENDED),
)
STATUSES = st.builds(ContainerStatus, name=NAMES, restart_count=st.integers(0, 9), state=STATES, last_state=STATES)
CONDITIONS = st.builds(
    Condition, type=st.sampled_from(["PodScheduled", "Ready"]), status=st.sampled_from(["True", "False", ""]),
    reason=NAMES, message=LINES, last_transition_time=TIMES,
)  # fmt: skip
PODS = st.builds(
    Pod, metadata=METAS, spec=SPECS,
    status=st.builds(
        PodStatus, phase=st.sampled_from(["", "Pending"]), conditions=st.lists(CONDITIONS, max_size=2).map(tuple),
        container_statuses=st.lists(STATUSES, max_size=2).map(tuple),
    ),
)  # fmt: skip
COUNTS = st.sampled_from([None, 0, 1])
WORKLOADS = st.builds(
    Workload, kind=st.sampled_from(["Deployment", "StatefulSet", "Job", "CronJob", ""]), metadata=METAS,
    spec=st.builds(
        WorkloadSpec, replicas=COUNTS, template=st.builds(PodTemplate, spec=SPECS),
        selector=st.sampled_from([None, LabelSelector(), LabelSelector(match_labels={"app": "s"})]),
    ),
    status=st.builds(WorkloadStatus, replicas=COUNTS, available_replicas=COUNTS, observed_generation=COUNTS),
)  # fmt: skip
LEASES = st.builds(
    Lease, metadata=METAS,
    spec=st.builds(
        LeaseSpec, holder_identity=st.one_of(NAMES, st.just("_"), st.just("my-scheduler-a-b_c")), renew_time=TIMES,
        acquire_time=TIMES, lease_duration_seconds=st.sampled_from([None, 0, 15, -1, 2**62]),
    ),
)  # fmt: skip
DATED = st.builds(
    DatedMeta, name=NAMES, namespace=st.sampled_from(["", "kube-system", "a"]),
    managed_fields=st.lists(st.builds(ManagedFields, time=TIMES), max_size=2).map(tuple),
)  # fmt: skip
EVIDENCES = st.builds(
    Evidence, target=st.just(Target(namespace="", name="")), now=st.just(NOW),
    source=st.sampled_from(["files", "live"]),
    pod=st.lists(PODS, min_size=1, max_size=1).map(tuple), events=known(st.builds(Event, reason=NAMES, message=LINES)),
    owners=known(WORKLOADS), leases=known(LEASES), scheduler_pods=known(PODS), scheduler_workloads=known(WORKLOADS),
    scheduler_configs=known(st.builds(ConfigMap, metadata=DATED, data=st.dictionaries(NAMES, TEXTS, max_size=2))),
    served=known(st.builds(Served, scheduler_name=NAMES, pod=NAMES, bound_at=TIMES)), waiting=known(PODS),
    logs=known(st.builds(LogLine, origin=st.sampled_from(["", "scheduler.log", "a/my-scheduler.log", "x:"]),
                         number=st.integers(0, 9), text=LINES)),
)  # fmt: skip


@given(EVIDENCES)
def test_no_evidence_makes_a_classifier_crash_or_speak_without_proof(found: Evidence) -> None:
    for judge in JUDGES:
        for finding in judge.classify(found):
            assert finding.message.endswith((".", "?"))
            assert finding.citations
            assert finding.remedies
            assert all(r.text.endswith(".") for r in finding.remedies)


@pytest.mark.parametrize("judge", JUDGES, ids=lambda c: c.cause.name)
def test_nothing_is_said_without_a_pod(judge: Classifier) -> None:
    assert not list(judge.classify(Evidence(target=Target(namespace="", name=""), now=NOW, pod=())))


def test_a_huge_log_is_read_in_reasonable_time() -> None:
    line = 'E1120 09:29:31.1       1 x.go:1] "Failed to watch" err="failed to list ' + "*v1.N" * 1_000
    logs = tuple(LogLine(origin="scheduler.log", number=n, text=line) for n in range(2_000))
    pod = Pod(metadata=ObjectMeta(name="p", creation_timestamp=BORN), status=PodStatus(phase="Pending"))
    found = Evidence(target=Target(namespace="", name="p"), now=NOW, pod=(pod,), logs=logs)
    cited = sum(len(f.citations) for judge in JUDGES for f in judge.classify(found))
    assert cited < 20


def mine() -> list[Case]:
    return [c for c in fixtures() if c.triage == Triage.NO_SCHEDULER]


@pytest.mark.parametrize("case", mine(), ids=lambda c: c.id)
def test_with_get_pods_alone_nothing_is_proved(case: Case) -> None:
    pod = evidence_of(case).the_pod
    assert pod is not None
    read = {"target", "now", "clock_is_floor", "tally", "as_served", "source", "server_version"}
    fields: dict[str, Any] = {name: GAP for name in Evidence.__struct_fields__ if name not in read}
    fields["pod"] = (pod,)
    alone = Evidence(target=Target(namespace=pod.namespace, name=pod.name), now=case.now, **fields)
    findings = [f for judge in JUDGES for f in judge.classify(alone)]
    assert findings
    assert not [f.name for f in findings if f.confidence is Confidence.PROVED]


def test_with_all_pods_and_nothing_else_nothing_is_proved(tmp_path: Any) -> None:
    text = (FIXTURES / "scheduler-crashloop" / "hit-static-pod" / "objects.yaml").read_text()
    only = [d for d in text.split("---\n") if "\nkind: Pod\n" in d and "config.mirror" not in d]
    (tmp_path / "pods.yaml").write_text("---\n".join(only))
    source = FilesSource.open([str(tmp_path)], now=NOW)
    diagnosis = diagnose(collect(source, "Pod", "shop", "report-7d9c5b6f4-x2k9q"), strict=True)
    assert diagnosis.triage is Triage.NO_SCHEDULER
    assert diagnosis.confidence is not Confidence.PROVED
