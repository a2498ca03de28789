"""Bad kubeconfigs, contexts, namespaces and credential plugins, by the command line: nothing is sent."""

from __future__ import annotations

import stat
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.fake_cluster import AUTHORITY, sentence
from tests.sources.livekit import kubeconfig

PLUGIN_API = "client.authentication.k8s.io/v1"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("KUBECONFIG", "KUBERNETES_SERVICE_HOST", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def test_no_kubeconfig(process: Run) -> None:
    error, following = sentence(process("pod", "api-1"))
    assert error.startswith("There is no kubeconfig, and this does not run in a Pod of a cluster")
    assert "--kubeconfig" in following
    assert "--from" in following


def test_kubeconfig_of_the_environment_that_is_not_there(process: Run, tmp_path: Path) -> None:
    error, following = sentence(process("pod", "api-1", env={"KUBECONFIG": str(tmp_path / "gone")}))
    assert error == f"KUBECONFIG names {tmp_path}/gone, and there is no such file."
    assert following.startswith("Correct KUBECONFIG, or unset it")


def test_in_a_pod_such_a_kubeconfig_changes_nothing(process: Run, tmp_path: Path) -> None:
    env = {"KUBECONFIG": str(tmp_path / "gone"), "KUBERNETES_SERVICE_HOST": "10.0.0.1"}
    assert sentence(process("pod", "api-1", env=env))[0].startswith("There is no kubeconfig, and this does not run")


def test_unknown_context(process: Run, tmp_path: Path) -> None:
    path = kubeconfig(tmp_path / "config", name="prod-eu")
    error, following = sentence(process("pod", "api-1", "--context", "prod-ue", env={"KUBECONFIG": str(path)}))
    assert error == f'There is no context "prod-ue" in {path}.'
    assert following == "Known contexts: prod-eu."


@pytest.mark.parametrize("namespace", ["a/../b", "Prod", "x" * 64, "a b", "\x1b[31m"])
def test_what_can_not_be_a_namespace(process: Run, tmp_path: Path, namespace: str) -> None:
    ended = process("pod", "api-1", "-n", namespace, "--kubeconfig", str(kubeconfig(tmp_path / "config")))
    assert (ended.status, ended.out) == (2, "")
    assert "can't be the name of a namespace." in ended.err
    assert "\x1b" not in ended.err


def with_plugin(folder: Path, command: str, **spec: Any) -> dict[str, str]:
    user = {"exec": {"apiVersion": PLUGIN_API, "command": command, **spec}}
    return {"KUBECONFIG": str(kubeconfig(folder / "config", ca=AUTHORITY.pem, user=user))}


def script(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_exec_plugin_that_is_missing(process: Run, tmp_path: Path) -> None:
    env = with_plugin(tmp_path, "no-such-login", installHint="Install it with: brew install no-such-login")
    assert sentence(process("pod", "api-1", env=env)) == (
        "The credential plugin no-such-login of the kubeconfig is not installed.",
        "Install it with: brew install no-such-login",
    )


def test_exec_plugin_that_fails(process: Run, tmp_path: Path) -> None:
    command = script(tmp_path / "login", r"printf 'session \033[31mover\033[0m\n' >&2; exit 1")
    error, following = sentence(process("pod", "api-1", env=with_plugin(tmp_path, command)))
    assert error == (f"The credential plugin {command} failed: process returned 1. session \\x1b[31mover\\x1b[0m.")
    assert following == f"Run {command} by hand, or log in again."


def test_exec_plugin_that_hangs(process: Run, tmp_path: Path) -> None:
    command = script(tmp_path / "login", "exec sleep 5")
    start = time.monotonic()
    error, _ = sentence(process("pod", "api-1", "--timeout", "1", env=with_plugin(tmp_path, command)))
    assert error == f"The credential plugin {command} did not answer within 1 s."
    assert time.monotonic() - start < 4
