"""`whypending config` as people call it: files, stdin, ConfigMaps, formats, exit statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Run, process, run
from tests.schedulerconfig.test_rules import HEAD
from tests.schedulerconfig.test_text import CONFIG_MAP

__all__ = ["process", "run"]
OWN = f"{HEAD}leaderElection: {{resourceName: own}}\nprofiles:\n- schedulerName: own\n"
DEPLOYMENT = """---
apiVersion: apps/v1
kind: Deployment
metadata: {name: own, namespace: kube-system}
spec:
  replicas: 2
  selector: {matchLabels: {app: own}}
  template:
    metadata: {labels: {app: own}}
    spec:
      containers:
      - name: scheduler
        image: registry.k8s.io/kube-scheduler:v1.30.2
        command: [kube-scheduler]
        args: [--config=/etc/own/config.yaml, --kubeconfig=/a, "--leader-elect=false"]
        volumeMounts: [{name: config, mountPath: /etc/own}]
      volumes: [{name: config, configMap: {name: own}}]
"""


def config_map(text: str, name: str = "own") -> str:
    found = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "kube-system"}}
    return str(yaml.safe_dump({**found, "data": {"config.yaml": text}}))


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "own.yaml"
    path.write_text(OWN)
    return str(path)


def test_clean_is_0(run: Run, own: str) -> None:
    ended = run("config", own)
    assert (ended.status, ended.err) == (0, "")
    assert 'Profile "own" (line 5) runs' in ended.out
    assert "score " in ended.out


def test_findings_are_1_with_file_and_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(f"{OWN}parallelism: 0\n")
    ended = run("config", str(path))
    assert ended.status == 1
    assert f"error {path}:6  value-out-of-range" in ended.out
    assert "Fix: " in ended.out
    assert run("config", str(path), "--exit-zero").status == 0


def test_wide_shows_what_enables_and_empty_points(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(f"{OWN}  plugins: {{score: {{enabled: [{{name: ImageLocality, weight: 7}}]}}}}\n")
    shown = run("config", str(path), "-o", "wide").out
    assert "ImageLocality 7 [explicit]" in shown
    assert "permit              -" in shown


@pytest.mark.parametrize("form", ["json", "yaml", "ndjson"])
def test_data(run: Run, own: str, form: str) -> None:
    shown = run("config", own, "-o", form, "--release", "v1.30.1").out
    found = yaml.safe_load(shown) if form == "yaml" else json.loads(shown)
    (first,) = [found] if form == "ndjson" else found["configurations"]
    assert first["release"] == {"version": "1.30", "from": "--release", "pluginsOf": "1.30"}
    assert (first["starts"], first["findings"]) == (True, [])
    (profile,) = first["profiles"]
    assert profile["plugins"]["bind"] == [{"name": "DefaultBinder", "by": "default", "inTree": True}]
    assert profile["plugins"]["score"][0] == {"name": "TaintToleration", "weight": 3, "by": "default", "inTree": True}


def test_gates_change_the_defaults(run: Run, own: str) -> None:
    shown = run("config", own, "--feature-gates", "GenericWorkload=true").out
    assert "permit              GangScheduling" in shown


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ((), 2, "nothing to look at"),
        (("FILE", "--release", "2.0"), 2, "no release"),
        (("FILE", "--feature-gates", "A"), 2, "--feature-gates"),
        (("FILE", "--configmap", "A B", "--from", "FILE"), 2, "can't be a ConfigMap"),
        (("nowhere.yaml",), 3, "nowhere.yaml: no such file"),
        (("--configmap", "a/b", "--from", "DUMP"), 3, "ConfigMap a/b"),
    ],
)
def test_what_can_not_be_done(run: Run, own: str, arguments: tuple[str, ...], status: int, said: str) -> None:
    dump = Path(own).with_name("dump.yaml")
    dump.write_text(config_map(OWN))
    places = {"FILE": own, "DUMP": str(dump)}
    ended = run("config", *(places.get(a, a) for a in arguments))
    assert (ended.status, ended.out) == (status, "")
    assert said in ended.err
    assert "next: " in ended.err


def test_no_utf_8(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    assert "it is not UTF-8 text" in run("config", str(path)).err


def test_what_a_terminal_would_act_on_is_escaped(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(f'{HEAD}profiles: [{{schedulerName: "a\\e[31mb\\u202e"}}]\n')
    for form in ("text", "json", "yaml"):
        assert not {"\x1b", "\u202e"} & set(run("config", str(path), "-o", form).out)


def test_a_config_map_and_the_deployment_that_mounts_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "dump.yaml"
    path.write_text(config_map(OWN) + DEPLOYMENT)
    ended = run("config", "--configmap", "kube-system/own", "--from", str(path), "-o", "json")
    (found,) = json.loads(ended.out)["configurations"]
    assert found["release"] == {
        "version": "1.30", "from": "the image of Deployment kube-system/own", "pluginsOf": "1.30",
    }  # fmt: skip
    assert {f["rule"] for f in found["findings"]} == {"flag-ignored", "leader-election-off"}
    assert [user["replicas"] for user in found["runBy"]] == [2]


def test_two_config_maps_with_one_lease(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "dump.yaml"
    second = tmp_path / "second.yaml"
    path.write_text(config_map(OWN))
    second.write_text(config_map(OWN, "other"))
    arguments = ("--configmap", "kube-system/own", "--configmap", "kube-system/other")
    shown = run("config", *arguments, "--from", str(path), str(second), "-o", "json").out
    first, second = json.loads(shown)["configurations"]
    assert first["findings"] == []
    assert [f["rule"] for f in second["findings"]] == ["lease-shared"]


def test_a_config_map_without_a_configuration(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "dump.yaml"
    path.write_text(config_map("hello: world"))
    ended = run("config", "--configmap", "kube-system/own", "--from", str(path))
    assert ended.status == 3
    assert "ConfigMap kube-system/own holds no KubeSchedulerConfiguration." in ended.err


@pytest.mark.parametrize("text", [f"{HEAD}a: {{{{ .b }}}}\n", f"{HEAD}a: [\n"])
def test_a_config_map_that_can_not_be_read(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "dump.yaml"
    path.write_text(config_map(text))
    ended = run("config", "--configmap", "kube-system/own", "--from", str(path))
    assert ended.status == 3
    assert "ConfigMap kube-system/own:config.yaml, line " in ended.err


def test_notes_are_quiet_on_demand(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(CONFIG_MAP)
    assert "note: " in run("config", str(path)).err
    assert run("config", str(path), "--quiet").err == ""


def test_a_key_that_nobody_reads(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "dump.yaml"
    found = yaml.safe_load(config_map(OWN))
    found["data"]["old.yaml"] = OWN
    path.write_text(yaml.safe_dump(found) + DEPLOYMENT)
    ended = run("config", "--configmap", "kube-system/own", "--from", str(path), "-o", "json")
    read, old = json.loads(ended.out)["configurations"]
    assert [len(c["runBy"]) for c in (read, old)] == [1, 0]
    assert old["findings"] == []
    assert "Deployment kube-system/own reads another key than old.yaml, which is judged by itself." in ended.err


def test_a_file_without_end(run: Run) -> None:
    assert "longer than" in run("config", "/dev/zero").err


def test_stdin(process: Run) -> None:
    ended = process("config", "-", stdin=f"{OWN}parallelism: 0\n")
    assert ended.status == 1
    assert "stdin:6  value-out-of-range" in ended.out


def test_a_release_outside_of_what_is_known(run: Run, own: str) -> None:
    assert "shown are those of 1.37, the newest known" in run("config", own, "--release", "1.99").out
    assert "shown are those of 1.25, the oldest known" in run("config", own, "--release", "1.20").out
