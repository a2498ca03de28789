"""`whypending schedulers` on files: forms, statuses, what it says and in which order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from tests.cli.conftest import Run
from tests.renderers.documents import published, strict
from whypending.cli import schedulers
from whypending.renderers import yaml_v1
from whypending.renderers.layout import Canvas

AT = "2026-11-30T22:15:00Z"
LEASE = """
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: kube-scheduler, namespace: kube-system}
spec:
  holderIdentity: cp-1_5b0a
  leaseDurationSeconds: 15
  renewTime: "2026-11-30T22:14:58.000000Z"
  leaseTransitions: 3
"""
STATIC = """
apiVersion: v1
kind: Pod
metadata:
  name: kube-scheduler-cp-1
  namespace: kube-system
  labels: {component: kube-scheduler, tier: control-plane}
  annotations: {kubernetes.io/config.mirror: x}
spec:
  nodeName: cp-1
  hostNetwork: true
  containers:
  - name: kube-scheduler
    image: registry.k8s.io/kube-scheduler:v1.37.2
    command: [kube-scheduler, --leader-elect=true]
status:
  phase: Running
  conditions: [{type: Ready, status: "True"}]
  containerStatuses:
  - name: kube-scheduler
    restartCount: 2
    state: {running: {startedAt: "2026-11-30T20:00:00Z"}}
    lastState: {terminated: {exitCode: 1, reason: Error, finishedAt: "2026-11-30T19:59:00Z", message: lost it}}
"""
SECOND = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: gpu-scheduler, namespace: infra}
spec:
  replicas: 2
  selector: {matchLabels: {app: gpu}}
  template:
    metadata: {labels: {app: gpu}}
    spec:
      serviceAccountName: gpu
      containers:
      - {name: s, image: "kube-scheduler:v1.36.0", command: [kube-scheduler, --config=/etc/s/config.yaml]}
      volumes: [{name: c, configMap: {name: gpu-config}}]
status: {replicas: 2, readyReplicas: 1, observedGeneration: 1}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: gpu-config, namespace: infra}
data:
  config.yaml: |
    apiVersion: kubescheduler.config.k8s.io/v1
    kind: KubeSchedulerConfiguration
    leaderElection: {resourceNamespace: infra, resourceName: gpu}
    profiles: [{schedulerName: gpu-scheduler}, {schedulerName: gpu-binpack}]
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: gpu, namespace: infra}
spec: {holderIdentity: gpu-scheduler-0_77aa, leaseDurationSeconds: 15, renewTime: "2026-11-30T22:10:00.000000Z"}
"""
NONE = "apiVersion: v1\nkind: List\nitems: []\n"


def waiting(name: str, scheduler: str, born: str = "2026-11-30T21:15:00Z") -> str:
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: shop, creationTimestamp: "{born}"}}
spec: {{schedulerName: {scheduler}, containers: [{{name: a}}]}}
status: {{phase: Pending}}
"""


def bound(scheduler: str, at: str) -> str:
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: bound-{scheduler}, namespace: shop, creationTimestamp: "{at}"}}
spec: {{schedulerName: {scheduler}, nodeName: n1, containers: [{{name: a}}]}}
status: {{phase: Running, conditions: [{{type: PodScheduled, status: "True", lastTransitionTime: "{at}"}}]}}
"""


@pytest.fixture
def save(tmp_path: Path) -> Any:
    def call(*texts: str) -> str:
        path = tmp_path / "dump.yaml"
        path.write_text("\n---\n".join(texts))
        return str(path)

    return call


GOOD = (STATIC, LEASE, bound("default-scheduler", "2026-11-30T22:14:00Z"))
BAD = (*GOOD, SECOND, waiting("train-1", "gpu-scheduler"), waiting("train-2", "gpu-schedulr"))


def ask(run: Run, path: str, *words: str) -> Any:
    return run("schedulers", "--from", path, "--now", AT, *words)


def test_a_healthy_cluster(run: Run, save: Any) -> None:
    ended = ask(run, save(*GOOD))
    assert ended.status == 0
    first, _, title, serves, bind, process, config, lease, *_ = ended.out.splitlines()
    assert first == "1 of 1 schedulerNames served; no Pod waits for a name that nobody serves."
    assert title == "kube-scheduler"
    assert serves == "  serves    default-scheduler · served (proved): it bound shop/bound-default-scheduler."
    assert bind == "  last bind shop/bound-default-scheduler, 60s ago"
    assert process == (
        "  process   Pod kube-system/kube-scheduler-cp-1, v1.37.2, 1/1 ready, started 2h15m ago, 2 restarts, "
        "last end: Error, exit code 1: lost it"
    ).replace("2h15m", "135m")
    assert config == "  config    --leader-elect=true"
    assert lease.startswith(
        "  lease     kube-system/kube-scheduler, held by cp-1_5b0a (kube-system/kube-scheduler-cp-1"
    )


def test_orphans_first_then_those_without_a_leader(run: Run, save: Any) -> None:
    ended = ask(run, save(*BAD))
    assert ended.status == 1
    heads = [line for line in ended.out.splitlines() if line and not line.startswith(" ")]
    assert heads[:4] == [
        "1 of 4 schedulerNames served; 2 Pods wait for gpu-scheduler, gpu-schedulr.",
        "gpu-schedulr · NOT SERVED (proved): Pod shop/train-2 waits without a PodScheduled condition.",
        "StatefulSet infra/gpu-scheduler",
        "kube-scheduler",
    ]
    assert '  meant     did you mean "gpu-scheduler"?' in ended.out
    assert (
        "  lease     infra/gpu, held by gpu-scheduler-0_77aa (one of its own Pods, likely), renewed 300 s ago, EXPIRED"
        in (ended.out)
    )
    assert "  config    ConfigMap infra/gpu-config, data[config.yaml], v1" in ended.out


def test_exit_zero(run: Run, save: Any) -> None:
    assert ask(run, save(*BAD), "--exit-zero").status == 0


def test_wide_says_more(run: Run, save: Any) -> None:
    out = ask(run, save(*BAD), "-o", "wide").out
    for words in ("known by", "registry.k8s.io/kube-scheduler:v1.37.2", "3 transitions", "ServiceAccount gpu"):
        assert words in out


def test_json_is_what_the_schema_says(run: Run, save: Any) -> None:
    document = json.loads(ask(run, save(*BAD), "-o", "json").out)
    whole = strict(published())
    Draft202012Validator({"$defs": whole["$defs"], **whole["$defs"]["inventory"]}).validate(document)
    names = {n["name"]: n for s in document["schedulers"] for n in s["names"]}
    assert {n: names[n]["state"] for n in names} == {
        "default-scheduler": "served", "gpu-scheduler": "not-served", "gpu-binpack": "not-served",
        "gpu-schedulr": "not-served",
    }  # fmt: skip
    assert names["gpu-scheduler"]["carriedBy"] == ["Pod shop/train-1"]
    assert ask(run, save(*BAD), "-o", "yaml").out == yaml_v1.write(document)


def test_ndjson_is_a_scheduler_a_line(run: Run, save: Any) -> None:
    lines = ask(run, save(*BAD), "-o", "ndjson").out.splitlines()
    assert [json.loads(line)["title"] for line in lines] == [
        "gpu-schedulr", "StatefulSet infra/gpu-scheduler", "kube-scheduler",
    ]  # fmt: skip


def test_pods_that_could_not_be_read(run: Run, save: Any) -> None:
    ended = ask(run, save(LEASE))
    assert (ended.status, ended.out.splitlines()[0]) == (
        3, "1 of 1 schedulerNames served; which Pods wait could not be read.",
    )  # fmt: skip
    assert "\nNot looked at\n" in ended.out


@pytest.mark.parametrize(
    "spec",
    [
        "{}",
        "{holderIdentity: null, renewTime: null}",
        "{holderIdentity: ghost}",
        '{holderIdentity: "", leaseDurationSeconds: 1, renewTime: "2026-11-30T22:14:58.000000Z"}',
        '{holderIdentity: "x_y_z", renewTime: "0001-01-01T00:00:00Z", leaseDurationSeconds: 2147483647}',
    ],
)
def test_strange_leases(run: Run, save: Any, spec: str) -> None:
    strange = (
        f"apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {{name: gpu, namespace: infra}}\nspec: {spec}\n"
    )
    ended = ask(run, save(*GOOD, SECOND.partition("---\napiVersion: coord")[0], strange))
    assert (ended.status, "gpu-scheduler · NOT SERVED" in ended.out) == (0, True)
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    "data",
    [
        "'{{ .Values.config }} KubeSchedulerConfiguration'",
        "'KubeSchedulerConfiguration: [}'",
        "'kind: KubeSchedulerConfiguration'",
    ],
)
def test_configurations_that_are_none(run: Run, save: Any, data: str) -> None:
    head = SECOND.partition("\ndata:")[0]
    ended = ask(run, save(*GOOD, f"{head}\ndata: {{config.yaml: {data}}}\n"))
    assert ended.status == 0
    assert "infra/gpu-scheduler" in ended.out


def test_names_are_shown_with_what_a_terminal_would_act_on_escaped(run: Run, save: Any) -> None:
    evil = yaml.safe_dump({**yaml.safe_load(waiting("x", "y")), "spec": {"schedulerName": "a\x1b[31mb"}})
    for form in ("text", "wide", "json", "yaml", "ndjson"):
        assert "\x1b" not in ask(run, save(*GOOD, evil), "-o", form).out


def test_eighty_columns(run: Run, save: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedulers, "canvas", lambda _: Canvas(80))
    out = ask(run, save(*BAD)).out
    assert max(len(line) for line in out.splitlines() if "/" not in line) <= 80


def test_too_many_arguments(run: Run, save: Any) -> None:
    assert run("schedulers", "x", "--from", save(*GOOD)).status in {2, 3}
