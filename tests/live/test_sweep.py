"""A sweep of real stuck Pods: three orphan names, two gates, two refusals, and workloads without Pods."""

from __future__ import annotations

import json
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from fcntl import ioctl
from os import close, read
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from prometheus_client.parser import text_string_to_metric_families
from referencing import Registry, Resource

from tests.cluster import Cluster
from tests.cluster.base import until
from tests.live.conftest import run
from tests.live.scenario import UNSCHEDULABLE, pod, sleeper
from tests.live.stage import dump
from whypending import schema

pytestmark = pytest.mark.cluster
PODS = {
    "typo-1": "  schedulerName: defualt-scheduler\n",
    "typo-2": "  schedulerName: defualt-scheduler\n",
    "gang": "  schedulerName: volcano\n",
    "own": "  schedulerName: my-scheduler\n",
    "gated-1": "  schedulingGates: [{name: example.com/hold}]\n",
    "gated-2": "  schedulingGates: [{name: example.com/hold}]\n",
    "big": "  nodeSelector: {swept: big}\n",
    "picky": "  nodeSelector: {disk: ssd}\n",
}
TOO_MUCH = '    resources: {requests: {cpu: "64"}}\n'
LONELY = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: lonely}
spec:
  serviceName: lonely
  replicas: 2
  selector: {matchLabels: {app: lonely}}
  template:
    metadata: {labels: {app: lonely}}
    spec: {serviceAccountName: absent, containers: [{name: web, image: example.com/web:1}]}
"""
ORPHANS = {"defualt-scheduler": 2, "volcano": 1, "my-scheduler": 1}


@pytest.fixture(scope="module")
def namespace(control_plane: Cluster) -> Iterator[str]:
    control_plane.simulated_node("swept", cpu="2", labels={"swept": "big"})
    name = control_plane.namespace("sweep")
    made = (pod(sleeper(spec, TOO_MUCH if each == "big" else ""), name=each) for each, spec in PODS.items())
    control_plane.apply("---\n".join(made), name)
    control_plane.wait("Pod", name, "big", UNSCHEDULABLE)
    assert until(
        lambda: ask(control_plane, name)["counts"] == {"stuckPods": 8, "workloadsWithoutPods": 0, "tooYoung": 0}, 60
    )
    yield name
    control_plane.kubectl("delete", "namespace", name, "--wait=false")
    control_plane.delete_node("swept")


def ask(cluster: Cluster, namespace: str, *more: str) -> Any:
    ended = run("sweep", "-n", namespace, "-o", "json", *more, kubeconfig=cluster.kubeconfig)
    assert ended.status in {0, 1}, ended.stderr
    return ended.json


def told(document: Any) -> list[tuple[str, str | None, int]]:
    return [(g["name"], g["schedulerName"], g["pods"]) for g in document["groups"]]


def test_it_finds_all_and_orphans_first(control_plane: Cluster, namespace: str) -> None:
    document = ask(control_plane, namespace)
    groups = told(document)
    assert {name: count for cause, name, count in groups[:3]} == ORPHANS
    assert sorted(groups[3:]) == [
        ("insufficient-cpu", None, 1), ("node-selector-mismatch", None, 1), ("scheduling-gate-unresolved", None, 2),
    ]  # fmt: skip
    assert document["groups"][0]["nearestName"] == "default-scheduler"


def test_it_says_what_the_schema_says(control_plane: Cluster, namespace: str) -> None:
    registry: Registry[Any] = Registry().with_resource("v1", Resource.from_contents(json.loads(schema.text())))
    Draft202012Validator({"$ref": "v1#/$defs/sweep"}, registry=registry).validate(ask(control_plane, namespace))


def test_each_diagnosis_is_that_of_pod(control_plane: Cluster, namespace: str) -> None:
    for swept in ask(control_plane, namespace)["pods"]:
        name = swept["target"]["name"]
        alone = run("pod", "-n", namespace, name, "-o", "json", kubeconfig=control_plane.kubeconfig).json
        assert (swept["triage"], swept["confidence"]) == (alone["triage"], alone["confidence"]), name
        assert [f["name"] for f in swept["findings"]] == [f["name"] for f in alone["findings"]]


def test_it_is_one_screen(control_plane: Cluster, namespace: str) -> None:
    rows = screen(control_plane, "-n", namespace).splitlines()
    assert len(rows) <= 24, "\n".join(rows)
    assert max(map(len, rows)) <= 80, "\n".join(rows)
    assert "  defualt-scheduler · 2 Pods" in rows[3]


def screen(cluster: Cluster, *arguments: str) -> str:
    """What a terminal of 80 columns shows, without colour."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "whypending", "sweep", *arguments, f"--kubeconfig={cluster.kubeconfig}"]
    done = subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL)
    close(theirs)
    shown = b""
    try:
        while piece := read(ours, 65536):
            shown += piece
    except OSError:
        pass  # Linux says so that the other end was closed
    close(ours)
    assert done.wait(60) == 1
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).replace("\r\n", "\n")


def test_prometheus(control_plane: Cluster, namespace: str) -> None:
    text = run("sweep", "-n", namespace, "-o", "prometheus", kubeconfig=control_plane.kubeconfig).stdout
    families = {f.name: f for f in text_string_to_metric_families(text)}
    found = {s.labels["scheduler_name"]: s.value for s in families["whypending_orphan_scheduler_pods"].samples}
    assert found == ORPHANS
    assert sum(s.value for s in families["whypending_stuck_pods"].samples) == 8


def test_files_tell_the_same(control_plane: Cluster, namespace: str, tmp_path: Path) -> None:
    live = ask(control_plane, namespace)
    dump(control_plane, namespace, tmp_path)
    saved = run("sweep", "-n", namespace, "-o", "json", "--from", str(tmp_path), "--now", live["observedAt"])
    assert sorted(told(saved.json), key=str) == sorted(told(live), key=str)


def test_with_rights_in_one_namespace(control_plane: Cluster, namespace: str) -> None:
    control_plane.kubectl("create", "rolebinding", "look", "--clusterrole=view", "--user=sweeper", "-n", namespace)
    mine = control_plane.user_kubeconfig("sweeper")
    ended = run("sweep", "-n", namespace, "-o", "json", kubeconfig=mine)
    assert ended.status == 1, ended.stderr
    assert {name: count for _, name, count in told(ended.json)[:3]} == ORPHANS
    assert "forbidden" in {gap["reason"] for gap in ended.json["notEvaluated"]}
    everywhere = run("sweep", "-A", kubeconfig=mine)
    assert (everywhere.status, everywhere.stdout) == (3, "")
    assert "whypending sweep -n NAMESPACE" in everywhere.stderr


def test_workloads_whose_pods_were_never_made(control_plane: Cluster) -> None:
    name = control_plane.namespace("lonely")
    control_plane.apply(LONELY, name)
    assert until(lambda: ask(control_plane, name)["counts"]["workloadsWithoutPods"] == 1, 60)
    (group,) = ask(control_plane, name)["groups"]
    assert (group["triage"], group["name"], group["refinedBy"]) == (
        "no_pod", "pod-creation-rejected", ["service-account-missing"],
    )  # fmt: skip
    control_plane.kubectl("delete", "namespace", name, "--wait=false")
