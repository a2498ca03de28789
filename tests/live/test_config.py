"""`whypending config` against the real kube-scheduler: fresh configurations each run, and what a cluster holds."""

from __future__ import annotations

import base64
import http.client
import json
import os
import random
import ssl
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.cluster import Cluster, ClusterUnavailable
from tests.cluster.base import until
from tests.cluster.build import RELEASE
from tests.live.conftest import run
from tests.live.rights import give
from tests.schedulerconfig.generate import generate
from tests.schedulerconfig.real import Outcome, ask
from tests.schedulerconfig.record import binary, minor_of
from whypending.schedulerconfig.plugins import POINTS, defaults

pytestmark = pytest.mark.cluster
MINOR = minor_of(RELEASE)
HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
SEEDS = (2, 7, 8, 12, 13, 14, 15, 21, 28, 35, 49, 489, *random.Random(os.urandom(8)).sample(range(1000, 10**6), 68))  # noqa: S311
"""Those that once showed something, and new ones; a failure names its seed, to be kept here."""


@pytest.fixture(scope="module")
def scheduler() -> Path:
    try:
        return binary(RELEASE)
    except ClusterUnavailable as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"no kube-scheduler: {error}", pytrace=False)
        pytest.skip(f"no kube-scheduler: {error}")


def told(path: Path) -> Outcome:
    """The answer of the command line in the form of the real one."""
    (found,) = json.loads(run("config", str(path), "--release", RELEASE, "-o", "json").stdout)["configurations"]
    profiles = [
        {
            point: [e["name"] + (f":{e['weight']}" if "weight" in e else "") for e in profile["plugins"][point]]
            for point in POINTS
            if profile["plugins"].get(point)
        }
        for profile in found["profiles"]
    ]
    errors = [f["message"] for f in found["findings"] if f["severity"] == "error"]
    return Outcome([] if errors else profiles, " ".join(errors))


def test_as_the_real_scheduler_says(scheduler: Path, tmp_path: Path) -> None:
    accepted = 0
    for seed in SEEDS:
        path = tmp_path / "config.yaml"
        path.write_text(generate(seed, MINOR))
        real = ask(scheduler, path.read_text(), tmp_path)
        mine = told(path)
        assert bool(mine.error) is bool(real.error), (seed, mine.error, real.error)
        assert mine.profiles == real.profiles, seed
        accepted += not real.error
    assert 15 <= accepted <= len(SEEDS) - 15


@pytest.mark.parametrize(
    "gates", ["GenericWorkload=true,TopologyAwareWorkloadScheduling=true", "StorageCapacityScoring=false"]
)
def test_feature_gates(scheduler: Path, tmp_path: Path, gates: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(f"{HEAD}leaderElection: {{resourceName: own}}\n")
    real = ask(scheduler, path.read_text(), tmp_path, f"--feature-gates={gates}")
    (found,) = run("config", str(path), "--feature-gates", gates, "-o", "json").json["configurations"]
    shown = {p: [e["name"] for e in plugins] for p, plugins in found["profiles"][0]["plugins"].items() if plugins}
    assert shown == {p: [name.partition(":")[0] for name in names] for p, names in real.profiles[0].items()}


def test_what_write_config_to_writes_is_clean(scheduler: Path, tmp_path: Path) -> None:
    ask(scheduler, f"{HEAD}leaderElection: {{resourceName: own}}\n", tmp_path)
    ended = run("config", str(tmp_path / "written.yaml"), "-o", "json")
    (found,) = ended.json["configurations"]
    assert (ended.status, found["findings"]) == (0, [])


def config_map(name: str, text: str) -> str:
    return yaml.safe_dump(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"config.yaml": text}}
    )


DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: own}
spec:
  replicas: 2
  selector: {matchLabels: {app: own}}
  template:
    metadata: {labels: {app: own}}
    spec:
      nodeSelector: {never: there}
      containers:
      - name: scheduler
        image: whypending.test/kube-scheduler:1
        command: [kube-scheduler, --config=/etc/own/config.yaml, --kube-api-qps=5]
        volumeMounts: [{name: config, mountPath: /etc/own}]
      volumes: [{name: config, configMap: {name: own}}]
"""


@pytest.fixture(scope="module")
def namespace(control_plane: Cluster) -> Iterator[str]:
    """ConfigMaps of two schedulers, and a Deployment that runs one of them."""
    name = control_plane.namespace("config")
    text = f"{HEAD}leaderElection: {{leaderElect: false}}\nprofiles:\n- schedulerName: own\n"
    control_plane.apply(config_map("own", text), name)
    control_plane.apply(config_map("other", f"{HEAD}profiles:\n- schedulerName: other\n"), name)
    control_plane.apply(config_map("empty", "hello: world\n"), name)
    control_plane.apply(DEPLOYMENT, name)
    yield name
    control_plane.kubectl("delete", "namespace", name, "--wait=false")


def test_a_config_map_with_its_deployment(control_plane: Cluster, namespace: str) -> None:
    ended = run("config", "--configmap", f"{namespace}/own", "-o", "json", kubeconfig=control_plane.kubeconfig)
    (found,) = ended.json["configurations"]
    assert ended.status == 1
    assert [f["rule"] for f in found["findings"]] == ["leader-election-off", "flag-ignored"]
    assert found["runBy"] == [
        {"ref": f"Deployment {namespace}/own", "replicas": 2, "image": "whypending.test/kube-scheduler:1"}
    ]
    assert found["release"] == {"version": f"1.{MINOR}", "from": "the server's version", "pluginsOf": f"1.{MINOR}"}


def test_a_config_map_that_nobody_mounts(control_plane: Cluster, namespace: str) -> None:
    ended = run("config", "--configmap", "other", "-n", namespace, "-o", "json", kubeconfig=control_plane.kubeconfig)
    (found,) = ended.json["configurations"]
    assert [f["rule"] for f in found["findings"]] == ["lease-of-the-default"]
    assert found["runBy"] == []


@pytest.mark.parametrize(
    ("name", "said"), [("empty", "holds no KubeSchedulerConfiguration"), ("gone", "There is no ConfigMap")]
)
def test_a_config_map_that_is_none(control_plane: Cluster, namespace: str, name: str, said: str) -> None:
    ended = run("config", "--configmap", f"{namespace}/{name}", kubeconfig=control_plane.kubeconfig)
    assert ended.status == 3
    assert said in ended.stderr


def test_with_the_right_to_the_config_map_alone(control_plane: Cluster, namespace: str) -> None:
    rule = {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"]}
    give(control_plane, "config-reader", {"kind": "Role", "rules": [rule]}, namespace)
    mine = control_plane.user_kubeconfig("config-reader")
    ended = run("config", "--configmap", f"{namespace}/own", "-o", "json", kubeconfig=mine)
    (found,) = ended.json["configurations"]
    assert (ended.status, found["findings"], found["runBy"]) == (0, [], [])
    assert "not looked at (forbidden)" in ended.stderr
    nobody = control_plane.user_kubeconfig("config-nobody")
    refused = run("config", "--configmap", f"{namespace}/own", kubeconfig=nobody)
    assert (refused.status, refused.stdout) == (3, "")
    assert "forbidden" in refused.stderr


def test_renew_deadline_against_retry_period(control_plane: Cluster, tmp_path: Path) -> None:
    """Refused by client-go, later than --write-config-to shows; nothing else is judged beyond it."""
    text = f"{HEAD}delayCacheUntilActive: true\nleaderElection: {{resourceName: own, retryPeriod: 9s}}\n"
    path = tmp_path / "own.yaml"
    path.write_text(text)
    assert "leader-election-invalid" in run("config", str(path)).stdout
    log = control_plane.logs / "retry.log"
    fields = {"delayCacheUntilActive": True, "leaderElection": {"resourceName": "own", "retryPeriod": "9s"}}
    try:
        control_plane.start_scheduler(name="retry", config=fields)
        assert until(lambda: log.exists() and "renewDeadline must be greater than" in log.read_text(), timeout=30)
    finally:
        control_plane.stop("retry", kill=True)


def configz(cluster: Cluster, name: str) -> str:
    """What a running scheduler serves there."""
    context = ssl._create_unverified_context()  # noqa: S323, SLF001 - its certificate is self-signed
    user = yaml.safe_load(cluster.kubeconfig.read_text())["users"][0]["user"]
    with tempfile.NamedTemporaryFile() as pair:
        pair.write(b"".join(base64.b64decode(user[f"client-{part}-data"]) for part in ("certificate", "key")))
        pair.flush()
        context.load_cert_chain(pair.name)
    connection = http.client.HTTPSConnection("127.0.0.1", cluster.port(name), context=context, timeout=10)
    try:
        connection.request("GET", "/configz")
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def test_the_defaults_are_those_of_configz(control_plane: Cluster) -> None:
    """`/configz` holds the merged profile, before multiPoint is spread."""
    (profile,) = json.loads(configz(control_plane, "kube-scheduler"))["componentconfig"]["profiles"]
    shown = [(p["name"], p["weight"]) for p in profile["plugins"]["multiPoint"]["enabled"]]
    assert shown == [(d.name, d.weight) for d in defaults(MINOR, {})]


def test_configz_can_be_judged_itself(control_plane: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "configz.json"
    path.write_text(configz(control_plane, "kube-scheduler"))
    ended = run("config", str(path), "-o", "json")
    (found,) = ended.json["configurations"]
    assert (ended.status, found["findings"]) == (0, [])
    assert {p for p, plugins in found["profiles"][0]["plugins"].items() if plugins} >= {"queueSort", "filter", "bind"}
