from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.sources.livekit import API, Authority, b64, kubeconfig
from whypending.errors import ConfigurationError
from whypending.sources.live.access import Access
from whypending.sources.live.credentials import Flags, load


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("KUBECONFIG", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"):
        monkeypatch.delenv(name, raising=False)


def loaded(path: Path | None, context: str | None = None, **flags: Any) -> Access:
    return load(str(path) if path else None, context, Flags(**flags))


def refused(path: Path | None, context: str | None = None, **flags: Any) -> ConfigurationError:
    with pytest.raises(ConfigurationError) as caught:
        loaded(path, context, **flags)
    assert caught.value.message.endswith(".")
    assert caught.value.hint
    return caught.value


def test_the_current_context(tmp_path: Path) -> None:
    access = loaded(kubeconfig(tmp_path / "c", context={"namespace": "prod"}))
    assert (access.server, access.context, access.user, access.namespace) == (API, "lab", "lab-user", "prod")
    assert access.authorization == "Bearer s3cret"


def test_a_context_without_namespace_means_default(tmp_path: Path) -> None:
    assert loaded(kubeconfig(tmp_path / "c")).namespace == "default"


def test_the_first_file_of_kubeconfig_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = kubeconfig(tmp_path / "1", "https://one.test", name="one")
    second = kubeconfig(tmp_path / "2", "https://two.test", name="two")
    monkeypatch.setenv("KUBECONFIG", os.pathsep.join([str(tmp_path / "none"), str(first), str(second)]))
    assert loaded(None).server == "https://one.test"
    assert loaded(None, "two").server == "https://two.test"


def test_contexts_clusters_and_users_may_be_in_different_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = json.loads(kubeconfig(tmp_path / "whole").read_text())
    parts = [tmp_path / key for key in ("clusters", "users", "contexts")]
    for part in parts:
        part.write_text(json.dumps({part.name: whole[part.name], "current-context": ""}))
    parts[2].write_text(json.dumps({"contexts": whole["contexts"], "current-context": "lab", "users": None}))
    monkeypatch.setenv("KUBECONFIG", os.pathsep.join(map(str, parts)))
    assert loaded(None).authorization == "Bearer s3cret"


def test_the_file_in_the_home_folder(tmp_path: Path) -> None:
    (tmp_path / "home" / ".kube").mkdir()
    kubeconfig(tmp_path / "home" / ".kube" / "config")
    assert loaded(None).context == "lab"


def test_yaml_as_kubectl_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "c"
    path.write_text(
        "apiVersion: v1\nkind: Config\npreferences: {}\ncurrent-context: a\n"
        "clusters:\n- cluster:\n    server: https://a.test/k8s/clusters/c-1/\n  name: a\n"
        "contexts:\n- context:\n    cluster: a\n    user: ''\n  name: a\nusers: null\n"
    )
    access = loaded(path)
    assert (access.server, access.authorization) == ("https://a.test/k8s/clusters/c-1", "")


def test_no_kubeconfig_at_all() -> None:
    error = refused(None)
    assert error.message.startswith("There is no kubeconfig, and this does not run in a Pod of a cluster")
    assert "--from" in error.hint


def test_a_named_kubeconfig_must_be_there(tmp_path: Path) -> None:
    assert (
        refused(tmp_path / "none").message
        == f"The kubeconfig {tmp_path}/none can't be read: No such file or directory."
    )


def test_an_unknown_context_names_the_near_ones(tmp_path: Path) -> None:
    path = kubeconfig(tmp_path / "c", name="prod-eu")
    error = refused(path, "prod-ue")
    assert error.message == f'There is no context "prod-ue" in {path}.'
    assert error.hint == "Known contexts: prod-eu."


def test_a_context_with_no_kubeconfig_to_look_in() -> None:
    assert refused(None, "x").message == 'There is no context "x" in any kubeconfig.'


def test_no_current_context(tmp_path: Path) -> None:
    path = kubeconfig(tmp_path / "c")
    path.write_text(path.read_text().replace('"current-context": "lab"', '"current-context": ""'))
    error = refused(path)
    assert error.message == f"No current context is set in {path}."
    assert error.hint == "Give --context. Known contexts: lab."


@pytest.mark.parametrize("part", ["clusters", "users"])
def test_a_context_that_points_nowhere(tmp_path: Path, part: str) -> None:
    path = kubeconfig(tmp_path / "c")
    path.write_text(json.dumps({**json.loads(path.read_text()), part: None}))
    assert (
        refused(path).message == f'The context "lab" names the {part[:-1]} "lab-{part[:-1]}", which is not in {path}.'
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("users:\n- name: a\n  user: {token: s3cret\n", "line 4, column 1 is no YAML"),
        ("\tclusters: [s3cret]", "line 1, column 1 is no YAML"),
        ('{"clusters": {"a": 1}}', "Expected `array`, got `object` - at `$.clusters`"),
        ("users: [{name: a, user: {token: 123}}]", "Expected `str`, got `int` - at `$.users[0].user.token`"),
        ("just text", "Expected `object`, got `str`"),
    ],
)
def test_a_broken_kubeconfig_never_shows_what_is_in_it(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "c"
    path.write_text(text)
    error = refused(path)
    assert error.message == f"{path} is not a kubeconfig: {problem}."
    assert "s3cret" not in error.message + error.hint


def test_an_empty_kubeconfig_that_was_named(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("")
    assert refused(tmp_path / "c").message == f"No current context is set in {tmp_path}/c."


@pytest.mark.parametrize("server", ["", "ftp://x", "https://", "https://x:99999", "https://[::1"])
def test_a_server_that_is_none(tmp_path: Path, server: str) -> None:
    assert "server" in refused(kubeconfig(tmp_path / "c", server)).message


def test_user_info_of_the_server_becomes_the_credential_and_is_not_shown(tmp_path: Path) -> None:
    access = loaded(kubeconfig(tmp_path / "c", "https://jane:s3cret@x.test/", user={}))
    assert (access.server, access.authorization) == ("https://x.test", "Basic " + b64(b"jane:s3cret"))


def test_name_and_password(tmp_path: Path) -> None:
    access = loaded(kubeconfig(tmp_path / "c", user={"username": "jane", "password": "pw"}))
    assert access.authorization == "Basic " + b64(b"jane:pw")


def test_a_token_file_is_relative_to_its_kubeconfig_and_wins(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("from-file\n")
    access = loaded(kubeconfig(tmp_path / "c", user={"tokenFile": "token", "token": "old"}))
    assert access.authorization == "Bearer from-file"


def test_a_token_with_a_line_break(tmp_path: Path) -> None:
    error = refused(kubeconfig(tmp_path / "c", user={"token": "s3cret\nX: y"}))
    assert "no header can carry" in error.message
    assert "s3cret" not in error.message


def test_certificates_as_data_and_as_files(tmp_path: Path) -> None:
    pair = Authority().issue()
    (tmp_path / "cert.pem").write_bytes(pair.certificate)
    user = {"client-certificate": "cert.pem", "client-key-data": b64(pair.key)}
    access = loaded(kubeconfig(tmp_path / "c", user=user))
    assert (access.certificate, access.key, access.authorization) == (pair.certificate, pair.key, "")


def test_a_missing_certificate_file(tmp_path: Path) -> None:
    error = refused(kubeconfig(tmp_path / "c", cluster={"certificate-authority": "gone.crt"}))
    assert error.message == f"The kubeconfig names {tmp_path}/gone.crt, which can't be read: No such file or directory."


def test_data_that_is_no_base64(tmp_path: Path) -> None:
    assert "not base64" in refused(kubeconfig(tmp_path / "c", user={"client-key-data": "abc"})).message


def test_an_unverified_server_gets_no_credential(tmp_path: Path) -> None:
    path = kubeconfig(tmp_path / "c", cluster={"insecure-skip-tls-verify": True})
    error = refused(path)
    assert "insecure-skip-tls-verify" in error.message
    assert "--insecure-skip-tls-verify" in error.hint
    assert not loaded(path, allow_insecure=True).verify


def test_plain_http_gets_no_credential(tmp_path: Path) -> None:
    path = kubeconfig(tmp_path / "c", "http://x.test")
    assert "plain http" in refused(path).message
    assert loaded(path, allow_insecure=True).authorization == "Bearer s3cret"


def test_plain_http_without_credential_is_kubectl_proxy(tmp_path: Path) -> None:
    assert loaded(kubeconfig(tmp_path / "c", "http://127.0.0.1:8001", user={})).server == "http://127.0.0.1:8001"


def test_no_credential_is_printed(tmp_path: Path) -> None:
    assert "s3cret" not in repr(loaded(kubeconfig(tmp_path / "c")))


def test_impersonation_by_flag_and_by_kubeconfig(tmp_path: Path) -> None:
    path = kubeconfig(
        tmp_path / "c", user={"as": "ops", "as-groups": ["g"], "as-uid": "7", "as-user-extra": {"Re/Ason": ["x", "y"]}}
    )
    assert loaded(path).headers == (
        ("Impersonate-User", "ops"),
        ("Impersonate-Uid", "7"),
        ("Impersonate-Group", "g"),
        ("Impersonate-Extra-re%2Fason", "x"),
        ("Impersonate-Extra-re%2Fason", "y"),
    )
    assert loaded(path, as_user="jane", as_groups=("a", "b")).headers == (
        ("Impersonate-User", "jane"),
        ("Impersonate-Group", "a"),
        ("Impersonate-Group", "b"),
    )
    assert "without a user" in refused(kubeconfig(tmp_path / "d"), as_groups=("a",)).message


def test_the_oidc_token_is_used_as_it_is_and_other_providers_are_gone(tmp_path: Path) -> None:
    oidc = {"auth-provider": {"name": "oidc", "config": {"id-token": "a.b.c"}}}
    assert loaded(kubeconfig(tmp_path / "c", user=oidc)).authorization == "Bearer a.b.c"
    error = refused(kubeconfig(tmp_path / "d", user={"auth-provider": {"name": "gcp"}}))
    assert 'the auth-provider "gcp"' in error.message


def script(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def plugin(tmp_path: Path, command: str, **spec: Any) -> Path:
    user = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": command, **spec}}
    return kubeconfig(tmp_path / "c", ca=Authority().pem, user=user)


def credential(status: dict[str, str]) -> str:
    return json.dumps({"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": status})


def test_an_exec_plugin_gives_a_token(tmp_path: Path) -> None:
    command = script(tmp_path / "login", f"""test "$1 $REGION" = "get eu" && echo '{credential({"token": "t1"})}'""")
    access = loaded(plugin(tmp_path, command, args=["get"], env=[{"name": "REGION", "value": "eu"}]))
    assert access.authorization == "Bearer t1"
    assert access.credential == f"the plugin {command}"


def test_an_exec_plugin_gives_a_certificate(tmp_path: Path) -> None:
    status = {"clientCertificateData": "CERT", "clientKeyData": "KEY"}
    access = loaded(plugin(tmp_path, script(tmp_path / "login", f"echo '{credential(status)}'")))
    assert (access.certificate, access.key, access.authorization) == (b"CERT", b"KEY", "")


def test_an_exec_plugin_learns_about_the_cluster(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    command = script(
        tmp_path / "login", f"""echo "$KUBERNETES_EXEC_INFO" > {seen}; echo '{credential({"token": "t"})}'"""
    )
    loaded(plugin(tmp_path, command, provideClusterInfo=True))
    cluster = json.loads(seen.read_text())["spec"]["cluster"]
    assert cluster["server"] == API
    assert cluster["certificate-authority-data"]


def test_a_relative_exec_plugin_is_found_beside_its_kubeconfig(tmp_path: Path) -> None:
    script(tmp_path / "login", f"echo '{credential({'token': 't2'})}'")
    assert loaded(plugin(tmp_path, "./login")).authorization == "Bearer t2"


def test_a_missing_exec_plugin(tmp_path: Path) -> None:
    error = refused(plugin(tmp_path, "no-such-login-plugin", installHint="Install it:\n  brew install x"))
    assert error.message == "The credential plugin no-such-login-plugin of the kubeconfig is not installed."
    assert error.hint == "Install it: brew install x"
    assert refused(plugin(tmp_path, "no-such")).hint == "Install no-such or put it into PATH."


def test_a_failing_exec_plugin_shows_its_words_escaped(tmp_path: Path) -> None:
    command = script(tmp_path / "login", "printf 'SSO session \\033[31mexpired\\033[0m' >&2; exit 3")
    error = refused(plugin(tmp_path, command))
    assert error.message == (
        f"The credential plugin {command} failed: process returned 3. SSO session \\x1b[31mexpired\\x1b[0m."
    )


@pytest.mark.parametrize("output", ["nonsense", "{}", '{"apiVersion": "v9", "kind": "x", "status": {}}', "null", "[]"])
def test_an_exec_plugin_that_says_nothing_useful(tmp_path: Path, output: str) -> None:
    assert "credential plugin" in refused(plugin(tmp_path, script(tmp_path / "login", f"echo '{output}'"))).message


def test_an_exec_plugin_that_gives_nothing(tmp_path: Path) -> None:
    assert "no credential" in refused(plugin(tmp_path, script(tmp_path / "login", f"echo '{credential({})}'"))).message


def test_a_hanging_exec_plugin(tmp_path: Path) -> None:
    error = refused(plugin(tmp_path, script(tmp_path / "login", "exec sleep 3")), timeout=0.3)
    assert "did not answer within" in error.message


def test_the_account_of_a_pod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kubernetes.config import incluster_config  # noqa: PLC0415

    (tmp_path / "token").write_text("pod-token\n")
    (tmp_path / "ca.crt").write_text("PEM")
    (tmp_path / "namespace").write_text("team-a")
    monkeypatch.setattr(incluster_config, "SERVICE_TOKEN_FILENAME", str(tmp_path / "token"))
    monkeypatch.setattr(incluster_config, "SERVICE_CERT_FILENAME", str(tmp_path / "ca.crt"))
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    access = loaded(None)
    assert (access.server, access.namespace, access.ca) == ("https://10.96.0.1:443", "team-a", "PEM")
    assert access.authorization == "Bearer pod-token"
