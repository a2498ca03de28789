"""The parts that no_scheduler's causes are made of: processes, configurations, Leases, logs, remedies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from whypending.classifiers.no_scheduler import _logs, _refusals, _rename
from whypending.diagnosis import Confidence, Safety
from whypending.evidence import Evidence, LogLine, Target
from whypending.inventory import configuration as _config
from whypending.inventory import leases as _lease
from whypending.inventory.found import Scheduler, known_names, schedulers_in, serving
from whypending.inventory.names import near_name
from whypending.inventory.process import flags_of, is_akin, is_scheduler
from whypending.objects.base import LabelSelector, ObjectMeta, OwnerReference
from whypending.objects.container import Container
from whypending.objects.node import Lease, LeaseSpec
from whypending.objects.pod import Pod, PodSpec, PodStatus, PodTemplate, Volume, VolumeReference
from whypending.objects.policy import ConfigMap, DatedMeta
from whypending.objects.workload import Workload, WorkloadSpec
from whypending.patterns import Pattern

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
BORN = NOW - timedelta(minutes=20)


def pod(name: str = "web", namespace: str = "shop", scheduler: str = "batch-scheduler", **spec: Any) -> Pod:
    meta = ObjectMeta(name=name, namespace=namespace, creation_timestamp=BORN)
    return Pod(
        kind="Pod", metadata=meta, spec=PodSpec(scheduler_name=scheduler, **spec), status=PodStatus(phase="Pending")
    )


def deployment(name: str, *args: str, image: str = "kube-scheduler:v1.37.2", config: str = "", **spec: Any) -> Workload:
    volumes = (Volume(name="config", config_map=VolumeReference(name=config)),) if config else ()
    template = PodSpec(containers=(Container(name=name, image=image, command=args),), volumes=volumes, **spec)
    selector = LabelSelector(match_labels={"app": name})
    return Workload(
        api_version="apps/v1", kind="Deployment", metadata=ObjectMeta(name=name, namespace="infra"),
        spec=WorkloadSpec(selector=selector, template=PodTemplate(spec=template)),
    )  # fmt: skip


def config(text: str, name: str = "config", key: str = "c.yaml") -> ConfigMap:
    return ConfigMap(metadata=DatedMeta(name=name, namespace="infra"), data={key: text})


def profile(*names: str, version: str = "v1", rest: str = "") -> str:
    profiles = "".join(f"- schedulerName: {n}\n" for n in names)
    head = f"apiVersion: kubescheduler.config.k8s.io/{version}\nkind: KubeSchedulerConfiguration\n{rest}\n"
    return f"{head}profiles:\n{profiles}" if names else head


def lease(name: str = "s", holder: str = "h_1", *, ago: float = 2, duration: int | None = 15) -> Lease:
    spec = LeaseSpec(
        holder_identity=holder, renew_time=NOW - timedelta(seconds=ago), lease_duration_seconds=duration
    )  # fmt: skip
    return Lease(kind="Lease", metadata=ObjectMeta(name=name, namespace="infra"), spec=spec)


def evidence(*pods: Pod, **fields: Any) -> Evidence:
    return Evidence(target=Target(namespace="shop", name="web"), now=NOW, pod=pods or (pod(),), **fields)


def only(**fields: Any) -> Scheduler:
    (found,) = schedulers_in(evidence(**fields))
    return found


@pytest.mark.parametrize(
    ("container", "expected"),
    [
        (Container(name="x", image="registry.k8s.io/kube-scheduler:v1.37.2"), True),
        (Container(name="x", image="localhost:5000/vc-scheduler@sha256:00"), True),
        (Container(name="x", image="apache/yunikorn:scheduler-1.7"), True),
        (Container(name="gpu-scheduler", image="registry/own"), True),
        (Container(name="x", image="own", command=("/bin/my-scheduler",)), True),
        (Container(name="descheduler", image="descheduler"), False),
        (Container(name="vgpu-scheduler-extender", image="hami", command=("scheduler",)), False),
        (Container(name="scheduler-plugins-controller", image="scheduler-plugins/controller"), False),
        (Container(name="scheduler", image="apache/airflow:3"), False),
        (Container(name="web", image="scheduler.example.com/web"), False),
    ],
)
def test_what_is_a_scheduler(container: Container, expected: bool) -> None:
    assert is_scheduler(container) is expected


def test_flags_are_read_with_equals_with_a_space_and_inside_a_shell() -> None:
    words = ("sh", "-c", "kube-scheduler --config=/c.yaml --leader-elect-resource-name 'mine' --v 2 --leader-elect")
    found = flags_of(PodSpec(containers=(Container(name="scheduler", command=words),)))
    assert found["config"] == ("/c.yaml",)
    assert found["leader-elect-resource-name"] == ("mine",)
    assert found["leader-elect"] == ("",)


@pytest.mark.parametrize(
    ("owner", "name", "expected"),
    [
        ("volcano-scheduler", "volcano", True),
        ("kai-scheduler-default", "kai-scheduler", True),
        ("release-gpu-scheduler", "gpu-scheduler", True),
        ("stork-scheduler", "stork", True),
        ("gpu-scheduler2", "gpu-scheduler", False),
        ("kube-scheduler-cp-1", "scheduler", False),
        ("my-scheduler", "scheduler", False),
        ("volcano-scheduler", "v", False),
    ],
)
def test_names_that_belong_together(owner: str, name: str, expected: bool) -> None:
    assert is_akin(owner, name) is expected


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("defualt-scheduler", "default-scheduler"),
        ("default-schedular", "default-scheduler"),
        ("gpu-schedulr", "gpu-scheduler"),
        ("batch-scheduler", ""),
        ("-scheduler", ""),
        ("x" * 9_000, ""),
    ],
)
def test_a_slip_is_told_from_another_name(name: str, near: str) -> None:
    assert near_name(name, {"default-scheduler", "gpu-scheduler", ""}) == near


def test_a_configuration_gives_names_and_lease() -> None:
    rest = "leaderElection:\n  resourceName: mine"
    found = only(
        scheduler_workloads=(deployment("s-scheduler", "kube-scheduler", "--config=/c.yaml", config="config"),),
        scheduler_configs=(config(profile("a", "b", rest=rest)),),
    )
    assert (found.names, found.lease) == (frozenset({"a", "b"}), ("kube-system", "mine"))


def test_flags_of_leader_election_hold_beside_a_configuration() -> None:
    flags = ("--config=/c.yaml", "--leader-elect-resource-name=other", "--leader-elect-resource-namespace=infra")
    workload = deployment("s-scheduler", "kube-scheduler", *flags, config="config")
    configs = (config(profile("a")),)
    assert only(scheduler_workloads=(workload,), scheduler_configs=configs).lease == ("infra", "other")
    off = deployment("s-scheduler", "kube-scheduler", "--config=/c.yaml", "--leader-elect=false", config="config")
    assert only(scheduler_workloads=(off,), scheduler_configs=configs).lease is None


def test_of_two_configurations_the_one_that_the_flag_names() -> None:
    workload = deployment("s-scheduler", "kube-scheduler", "--config=/etc/b.yaml", config="config")
    maps = (ConfigMap(metadata=config("").metadata, data={"a.yaml": profile("a"), "b.yaml": profile("b")}),)
    assert only(scheduler_workloads=(workload,), scheduler_configs=maps).names == frozenset({"b"})
    unclear = deployment("s-scheduler", "kube-scheduler", "--config=/etc/c.yaml", config="config")
    assert only(scheduler_workloads=(unclear,), scheduler_configs=maps).names is None


def test_a_static_pod_does_not_get_the_configuration_of_a_neighbour() -> None:
    static = Pod(
        kind="Pod",
        metadata=ObjectMeta(
            name="kube-scheduler-n1", namespace="infra", labels={"component": "kube-scheduler"},
            annotations={"kubernetes.io/config.mirror": "x"},
        ),
        spec=PodSpec(containers=(Container(name="kube-scheduler", command=("kube-scheduler", "--config=/c.yaml")),)),
    )  # fmt: skip
    found = only(scheduler_pods=(static,), scheduler_configs=(config(profile("a")),))
    assert found.names is None
    assert found.may_serve("default-scheduler")
    assert not found.may_serve("a")


@pytest.mark.parametrize(
    ("workload", "names", "path"),
    [
        (deployment("volcano-scheduler", image="vc-scheduler"), {"volcano"}, ("volcano-system", "volcano")),
        (
            deployment("v", "vc-scheduler", "--scheduler-name=a", "--scheduler-name=b", image="vc-scheduler"),
            {"a", "b"},
            ("volcano-system", "volcano"),
        ),
        (deployment("yunikorn-scheduler", image="apache/yunikorn:scheduler-1.7"), {"yunikorn"}, None),
        (deployment("kai", "--scheduler-name=kai-scheduler", image="kai-scheduler/scheduler"), {"kai-scheduler"}, None),
        (
            deployment("x", "kube-scheduler", "--leader-elect=true"),
            {"default-scheduler"},
            ("kube-system", "kube-scheduler"),
        ),
        (deployment("x-scheduler"), None, None),
        (deployment("job-scheduler", "run", "--port=80", image="job-scheduler"), None, None),
    ],
)
def test_schedulers_without_a_configuration(workload: Workload, names: Any, path: Any) -> None:
    found = only(scheduler_workloads=(workload,))
    assert (found.names, found.lease) == (names, path)


def test_who_is_called_so_counts_only_where_nobody_is_known_to_serve_the_name() -> None:
    named = deployment("batch-scheduler-old", image="my-scheduler")
    known = deployment("other", "--scheduler-name=batch-scheduler", image="my-scheduler")
    assert [s.owner.name for s in serving(evidence(scheduler_workloads=(named,)), "batch-scheduler")] == [named.name]
    assert [s.owner.name for s in serving(evidence(scheduler_workloads=(named, known)), "batch-scheduler")] == ["other"]


def test_a_workload_that_schedules_no_pods_serves_nobody() -> None:
    airflow = deployment("airflow-scheduler", "scheduler", "--num-runs=5", image="apache/airflow:3")
    assert known_names(evidence(scheduler_workloads=(airflow,))) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "kind: KubeSchedulerConfiguration: {{ .Values }}",
        "{kind: KubeSchedulerConfiguration, profiles: 7, leaderElection: [1], apiVersion: {a: b}}",
        "kind: KubeSchedulerConfiguration\nprofiles: [null, 3, {schedulerName: [x]}]",
        "kind: KubeSchedulerConfiguration\nx: !!python/object/apply:os.system [id]",
        "kind: KubeSchedulerConfiguration\nx: !!timestamp no\ny: !!int ''\nz: 2026-13-45",
        "# KubeSchedulerConfiguration\n" + "[" * 5_000,
        "# KubeSchedulerConfiguration\na: &a [x,x]\n" + "".join(f"b{i}: &b{i} [*a,*a]\n" for i in range(50)),
        "# KubeSchedulerConfiguration " + "x" * (2 << 20),
        "KubeSchedulerConfiguration \ud800 \x00",
    ],
)
def test_hostile_configurations_break_nothing(text: str) -> None:
    found = _config.configurations_in((config(text),))
    assert all(isinstance(n, str) for c in found for n in c.names)


def test_the_versions_of_the_configuration_follow_one_another() -> None:
    assert all(first < gone for first, gone in _config.KNOWN.values())
    assert _config.KNOWN["v1beta1"][1] == (1, 23)


@pytest.mark.parametrize(
    ("this", "others", "source", "expected"),
    [
        (lease(ago=100), (), "live", Confidence.PROVED),
        (lease(ago=100), (), "files", Confidence.LIKELY),
        (lease(ago=100), (lease("o", ago=3),), "files", Confidence.PROVED),
        (lease(ago=100), (lease("o", ago=90),), "files", Confidence.LIKELY),
        (lease(holder=""), (), "files", Confidence.PROVED),
    ],
)
def test_a_files_clock_alone_does_not_prove_that_a_lease_has_ended(
    this: Lease, others: tuple[Lease, ...], source: str, expected: Confidence
) -> None:
    found = evidence(leases=(this, *others), source=source)
    assert not _lease.is_held(found, this)
    assert _lease.certainty(found, this) is expected


def test_absurd_durations_are_no_overflow() -> None:
    assert _lease.is_held(evidence(), lease(duration=2**62))


@pytest.mark.parametrize(
    ("holder", "expected"),
    [
        ("batch-scheduler-6d5f7c9b8-k2x7p_0c1", True),
        ("batch-scheduler-5c9b7bd8f4-zzzzz_0c1", True),
        ("batch-scheduler-two-6d5f7c9b8-k2x7p_0c1", False),
        ("cp-1_0c1", False),
        ("", False),
    ],
)
def test_the_holder_is_one_of_its_pods(holder: str, expected: bool) -> None:
    owner = deployment("batch-scheduler", "--scheduler-name=x")
    scheduler = Scheduler(owner, (pod("batch-scheduler-6d5f7c9b8-k2x7p", "infra"),), None, None, None)
    assert _lease.holds(scheduler, lease(holder=holder)) is expected


def test_with_the_hosts_network_a_holder_tells_nothing() -> None:
    owner = deployment("batch-scheduler", "--scheduler-name=x", host_network=True)
    assert _lease.holds(Scheduler(owner, (), None, None, None), lease(holder="cp-1_0c1")) is None


def lines(*texts: str, origin: str = "scheduler.log") -> tuple[LogLine, ...]:
    return tuple(LogLine(origin=origin, number=n, text=t) for n, t in enumerate(texts, 1))


@pytest.mark.parametrize(
    ("origin", "scheduler", "expected"),
    [
        ("/saved/kube-scheduler-cp-1.log", "default-scheduler", [True]),
        ("/saved/kube-scheduler.log", "batch-scheduler", []),
        ("/saved/batch-scheduler-6d5f.log", "batch-scheduler", [True]),
        ("/saved/batch-scheduler-6d5f.log", "default-scheduler", []),
        ("b.tar.gz:pods/batch-scheduler/current.log", "batch-scheduler", [True]),
        ("/saved/cluster-autoscaler.log", "batch-scheduler", []),
        ("/saved/scheduler.log", "batch-scheduler", [False]),
    ],
)
def test_whose_log_it_is(origin: str, scheduler: str, expected: list[bool]) -> None:
    workload = deployment("batch-scheduler", "--scheduler-name=batch-scheduler", image="my-scheduler")
    found = evidence(pod(scheduler=scheduler), scheduler_workloads=(workload,), logs=lines("x", origin=origin))
    assert [log.is_sure for log in _logs.logs_of(found)] == expected


def test_what_a_later_line_has_mended_is_left_out() -> None:
    bad, good = (
        '"Failed to watch" err="failed to list *v1.Node: Unauthorized"',
        '"Attempting to acquire leader lease..."',
    )
    pattern = Pattern("Unauthorized")
    assert len(_logs.hits(evidence(logs=lines(bad, good, bad)), pattern, _logs.BEGUN, "Un")) == 1
    assert not _logs.hits(evidence(logs=lines(bad, good)), pattern, _logs.BEGUN, "Un")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E1120 09:29:31.812345       1 reflector.go:227] x", NOW - timedelta(seconds=29)),
        ("2026-11-20T09:29:31.4Z stderr F E1120 09:29:31.812345       1 x.go:1] x", NOW - timedelta(seconds=29)),
        ("E1345 99:29:31.812345       1 reflector.go:227] x", None),
        ("nothing", None),
    ],
)
def test_klog_times(text: str, expected: datetime | None) -> None:
    assert _logs.time_of(lines(text)[0], NOW) == expected


def test_a_refusal_is_read_with_plain_and_escaped_quotes() -> None:
    plain = (
        'leases.coordination.k8s.io "mine" is forbidden: User "system:serviceaccount:a:b" cannot get resource "leases" '
        'in API group "coordination.k8s.io" in the namespace "a"'
    )
    for text in (plain, plain.replace('"', '\\"')):
        match = _refusals.FORBIDDEN.search(text)
        assert match is not None
        assert match.group("user", "namespace") == ("system:serviceaccount:a:b", "a")
        assert _refusals.named(match) == "mine"


def test_subjects_as_kubectl_takes_them() -> None:
    assert _refusals.User("system:serviceaccount:a:b").subject == "--serviceaccount=a:b"
    assert _refusals.User("o'brien").subject == "--user='o'\"'\"'brien'"


def owner(kind: str, api: str = "apps/v1") -> Workload:
    return Workload(api_version=api, kind=kind, metadata=ObjectMeta(name="web", namespace="shop"))


@pytest.mark.parametrize(
    ("kind", "safeties", "command"),
    [
        ("Deployment", [Safety.CHANGE], '-p \'{"spec":{"template":{"spec":{"schedulerName":"b"}}}}\''),
        ("StatefulSet", [Safety.CHANGE, Safety.DESTRUCTIVE], "--type=merge"),
        ("CronJob", [Safety.CHANGE], '{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"schedulerName":"b"}}}}}}'),
        ("Job", [Safety.DESTRUCTIVE], ""),
    ],
)
def test_renaming_follows_what_the_kind_allows(kind: str, safeties: list[Safety], command: str) -> None:
    found = list(_rename.rename(evidence(owners=(owner(kind),)), pod(), "b"))
    assert [r.safety for r in found] == safeties
    assert command in found[0].command


def test_renaming_a_bare_pod_and_one_of_a_custom_controller() -> None:
    (bare,) = _rename.rename(evidence(), pod(), "default-scheduler")
    assert bare.command.endswith("replace --force -f -")
    assert bare.safety is Safety.DESTRUCTIVE
    (odd,) = _rename.rename(evidence(), pod(), "a/b; rm -rf ~")
    assert not odd.command
    reference = OwnerReference(api_version="ray.io/v1", kind="RayCluster", name="r", controller=True)
    mine = Pod(kind="Pod", metadata=ObjectMeta(name="web", namespace="shop", owner_references=(reference,)))
    (custom,) = _rename.rename(evidence(mine), mine, "b")
    assert "RayCluster shop/r" in custom.text


def test_the_deployment_behind_a_replica_set_that_was_not_read() -> None:
    reference = OwnerReference(api_version="apps/v1", kind="ReplicaSet", name="web-7d9c5b6f4", controller=True)
    meta = ObjectMeta(name="web-7d9c5b6f4-x", namespace="shop", owner_references=(reference,))
    plain = Pod(kind="Pod", metadata=meta)
    assert "ReplicaSet shop/web-7d9c5b6f4" in next(_rename.rename(evidence(plain), plain, "b")).text
    hashed = replace(meta, labels={"pod-template-hash": "7d9c5b6f4"})
    known = Pod(kind="Pod", metadata=hashed)
    assert "patch deployment/web --type=merge" in next(_rename.rename(evidence(known), known, "b")).command
