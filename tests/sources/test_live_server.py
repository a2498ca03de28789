"""Against a real HTTPS server: certificates, proxies, broken answers, and what the environment must not change."""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.sources.livekit import (
    POD,
    PODS_QUERY,
    Authority,
    Pair,
    api,
    b64,
    connected,
    items,
    kubeconfig,
    pod,
    reply,
    serve,
)
from whypending.errors import ConfigurationError, SourceError, UnreachableError
from whypending.evidence import Gap, GapReason
from whypending.objects.kinds import NODES
from whypending.sources.base import Query
from whypending.sources.live import LiveSource


def error_of(path: Path, **flags: Any) -> SourceError:
    with connected(path, **flags) as source, pytest.raises(SourceError) as caught:
        source.read(POD)
    assert caught.value.message.endswith(".")
    assert caught.value.hint
    return caught.value


def test_the_clusters_own_ca(tmp_path: Path, authority: Authority, pair: Pair) -> None:
    with serve(pair) as server, connected(kubeconfig(tmp_path / "c", server.url, ca=authority.pem)) as source:
        found = source.read(POD)
        assert not isinstance(found, Gap)
        assert found[0].name == "a"
        assert source.server_version == "v1.37.2"
    assert {method for method, _ in server.requests} == {"GET"}
    assert server.header("Authorization") == {"Bearer s3cret"}


def test_ca_bundles_of_the_environment_change_nothing(
    tmp_path: Path, authority: Authority, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Authority("other")
    (tmp_path / "other.pem").write_bytes(other.pem)
    (tmp_path / "own.pem").write_bytes(authority.pem)
    with serve(pair) as server:
        good = kubeconfig(tmp_path / "good", server.url, ca=authority.pem)
        bad = kubeconfig(tmp_path / "bad", server.url, ca=other.pem)
        for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
            monkeypatch.setenv(name, str(tmp_path / "other.pem"))
            with connected(good) as source:
                assert source.read(POD)
            monkeypatch.setenv(name, str(tmp_path / "own.pem"))
            assert "not signed by the cluster's CA" in error_of(bad).message


def test_without_a_ca_the_systems_are_used(tmp_path: Path, pair: Pair) -> None:
    with serve(pair) as server:
        error = error_of(kubeconfig(tmp_path / "c", server.url))
        assert isinstance(error, ConfigurationError)
        assert server.requests == []


def test_expired_and_early_certificates_of_the_server(tmp_path: Path, authority: Authority) -> None:
    for valid, words in ((timedelta(days=-1), "has expired"), (timedelta(days=40), "is not valid yet")):
        with serve(authority.issue("127.0.0.1", valid=valid)) as server:
            error = error_of(kubeconfig(tmp_path / "c", server.url, ca=authority.pem))
            assert words in error.message
            assert "clock" in error.hint
            assert server.requests == []


def test_the_wrong_name_and_tls_server_name(tmp_path: Path, authority: Authority) -> None:
    with serve(authority.issue("api.internal")) as server:
        error = error_of(kubeconfig(tmp_path / "c", server.url, ca=authority.pem))
        assert "is not for that name" in error.message
        assert "tls-server-name" in error.hint
        named = kubeconfig(tmp_path / "d", server.url, ca=authority.pem, cluster={"tls-server-name": "api.internal"})
        with connected(named) as source:
            assert source.read(POD)


def test_unverified_only_by_the_flag(tmp_path: Path, pair: Pair) -> None:
    with serve(pair) as server:
        path = kubeconfig(tmp_path / "c", server.url, cluster={"insecure-skip-tls-verify": True})
        with pytest.raises(ConfigurationError):
            LiveSource.connect(kubeconfig=str(path), context=None)
        assert server.requests == []
        with connected(path, allow_insecure=True) as source:
            assert source.read(POD)
            assert source.notes == (f"The certificate of {server.url} is not verified.",)


def test_a_client_certificate_leaves_no_file(tmp_path: Path, authority: Authority, pair: Pair) -> None:
    client = authority.issue()
    user = {"client-certificate-data": b64(client.certificate), "client-key-data": b64(client.key)}
    with serve(pair, client_ca=authority.pem) as server:
        path = kubeconfig(tmp_path / "c", server.url, ca=authority.pem, user=user)
        before = set(Path("/tmp").glob("whypending-*"))  # noqa: S108 - where tempfile writes
        with connected(path) as source:
            assert source.read(POD)
            assert set(Path("/tmp").glob("whypending-*")) == before  # noqa: S108


def test_an_expired_client_certificate(tmp_path: Path, authority: Authority, pair: Pair) -> None:
    client = authority.issue(valid=timedelta(hours=-1))
    user = {"client-certificate-data": b64(client.certificate), "client-key-data": b64(client.key)}

    def refuse(handler: BaseHTTPRequestHandler) -> None:
        reply(handler, {"kind": "Status", "message": "Unauthorized"}, 401)

    with serve(pair, client_ca=authority.pem) as server:
        error = error_of(kubeconfig(tmp_path / "c", server.url, ca=authority.pem, user=user))
        assert error.message == f"{server.url} refused the client certificate: it has expired."
    with serve(pair, refuse) as server:
        error = error_of(kubeconfig(tmp_path / "c", server.url, ca=authority.pem, user=user))
        assert error.message.startswith('The client certificate of the user "lab-user" expired at 20')


def test_a_client_certificate_of_another_ca_and_one_without_its_key(
    tmp_path: Path, authority: Authority, pair: Pair
) -> None:
    stranger, client = Authority("other").issue(), authority.issue()
    user = {"client-certificate-data": b64(stranger.certificate), "client-key-data": b64(stranger.key)}
    with serve(pair, client_ca=authority.pem) as server:
        error = error_of(kubeconfig(tmp_path / "c", server.url, ca=authority.pem, user=user))
        assert "refused the client certificate" in error.message
    user["client-key-data"] = b64(client.key)
    with pytest.raises(ConfigurationError, match="can't be used"):
        LiveSource.connect(kubeconfig=str(kubeconfig(tmp_path / "c", user=user)), context=None)


@pytest.mark.parametrize("ca", [b"nonsense", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_a_ca_that_is_none(tmp_path: Path, ca: bytes) -> None:
    with pytest.raises(ConfigurationError, match="no PEM certificate"):
        LiveSource.connect(kubeconfig=str(kubeconfig(tmp_path / "c", ca=ca)), context=None)


def test_a_server_that_speaks_no_tls(tmp_path: Path) -> None:
    with serve(None) as server:
        error = error_of(kubeconfig(tmp_path / "c", server.url.replace("http:", "https:"), ca=Authority().pem))
        assert "does not speak TLS" in error.message


def test_netrc_adds_no_credential(
    tmp_path: Path, authority: Authority, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login jane password s3cret\n")
    (tmp_path / "netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with (
        serve(pair) as server,
        connected(kubeconfig(tmp_path / "c", server.url, ca=authority.pem, user={})) as source,
    ):
        assert source.read(POD)
    assert server.header("Authorization") == set()


def test_redirects_are_not_followed(tmp_path: Path, authority: Authority, pair: Pair) -> None:
    with serve(pair) as other:

        def away(handler: BaseHTTPRequestHandler) -> None:
            reply(handler, b"", 307, Location=other.url + handler.path)

        with serve(pair, away) as server:
            error = error_of(kubeconfig(tmp_path / "c", server.url, ca=authority.pem))
    assert error.message.startswith(f"{server.url} sends on to {other.url}/api/v1/")
    assert other.requests == []


def test_impersonation_headers_repeat(tmp_path: Path, authority: Authority, pair: Pair) -> None:
    with serve(pair) as server:
        path = kubeconfig(tmp_path / "c", server.url, ca=authority.pem)
        with connected(path, as_user="jané", as_groups=("a", "b")) as source:
            source.read(POD)
    sent = [(k, v) for k, v in server.headers[0] if k.startswith("Impersonate")]
    as_utf8 = "jané".encode().decode("latin-1")
    assert sent == [("Impersonate-User", as_utf8), ("Impersonate-Group", "a"), ("Impersonate-Group", "b")]


def tunnel(handler: BaseHTTPRequestHandler, target: str) -> None:
    host, _, port = target.rpartition(":")
    handler.send_response(200)
    handler.end_headers()
    with socket.create_connection((host, int(port))) as far:
        threading.Thread(target=_pump, args=(far, handler.connection), daemon=True).start()
        _pump(handler.connection, far)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(65536):
            target.sendall(chunk)


def proxied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answer CONNECT in the test's servers too; what was asked for."""
    asked: list[str] = []

    def connect(handler: BaseHTTPRequestHandler) -> None:
        asked.append(handler.path)
        tunnel(handler, handler.path)

    monkeypatch.setattr(BaseHTTPRequestHandler, "do_CONNECT", connect, raising=False)
    return asked


def test_proxy_url_and_the_proxies_of_the_environment(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = proxied(monkeypatch)
    monkeypatch.setattr(
        "whypending.sources.live.transport._is_local", lambda _: False
    )  # all that a test can reach is this machine
    with serve(None) as proxy, serve(authority.issue("127.0.0.1")) as server:
        target = server.url.removeprefix("https://")
        path = kubeconfig(tmp_path / "c", server.url, ca=authority.pem, cluster={"proxy-url": proxy.url})
        with connected(path) as source:
            assert source.read(POD)
        assert set(asked) == {target}
        asked.clear()
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        path = kubeconfig(tmp_path / "c", server.url, ca=authority.pem)
        with connected(path) as source:
            assert source.read(POD)
        assert set(asked) == {target}
        asked.clear()
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        with connected(path) as source:
            assert source.read(POD)
        assert asked == []


def test_a_proxy_of_the_environment_is_not_for_this_machine(
    tmp_path: Path, authority: Authority, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    with serve(pair) as server, connected(kubeconfig(tmp_path / "c", server.url, ca=authority.pem)) as source:
        assert source.read(POD)


def test_a_proxy_that_refuses(tmp_path: Path) -> None:
    with serve(None) as proxy:
        cluster = {"proxy-url": proxy.url.replace("//", "//jane:s3cret@")}
        error = error_of(kubeconfig(tmp_path / "c", "https://api.test", cluster=cluster))
    assert error.message.startswith("The proxy on the way to https://api.test refused or did not answer")
    assert "s3cret" not in error.message + error.hint


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_unreachable_servers(tmp_path: Path) -> None:
    refused = f"https://127.0.0.1:{free_port()}"
    error = error_of(kubeconfig(tmp_path / "c", refused))
    assert isinstance(error, UnreachableError)
    assert error.message == f"{refused} refused the connection."
    error = error_of(kubeconfig(tmp_path / "d", "https://no-such-host.invalid"))
    assert error.message == "The name of https://no-such-host.invalid can't be resolved."


def test_a_server_that_goes_away(tmp_path: Path, authority: Authority, pair: Pair) -> None:
    def once(handler: BaseHTTPRequestHandler) -> None:
        if "pods" in handler.path or handler.path == "/version":
            api(handler)
        else:
            handler.close_connection = True

    with serve(pair, once) as server, connected(kubeconfig(tmp_path / "c", server.url, ca=authority.pem)) as source:
        assert source.read(POD)
        found = source.read(Query(kind=NODES))
        assert isinstance(found, Gap)
        assert found.reason is GapReason.UNREACHABLE
    assert server.paths.count("/api/v1/nodes?limit=500") == 2


def test_an_answer_that_is_cut_short(tmp_path: Path, authority: Authority, pair: Pair) -> None:
    def cut(handler: BaseHTTPRequestHandler) -> None:
        reply(handler, json.dumps(pod("a")).encode()[:-10], Content_Length="5000")
        handler.close_connection = True

    with serve(pair, cut) as server:
        error = error_of(kubeconfig(tmp_path / "c", server.url, ca=authority.pem))
    assert error.message == f"The answer of {server.url} can't be read: it was cut short."


def test_compressed_answers(tmp_path: Path, authority: Authority, pair: Pair) -> None:
    def squeezed(handler: BaseHTTPRequestHandler) -> None:
        many = items("Pod", *(pod(f"p{i}") for i in range(2000)))
        reply(handler, gzip.compress(json.dumps(many).encode()), Content_Encoding="gzip")

    with serve(pair, squeezed) as server, connected(kubeconfig(tmp_path / "c", server.url, ca=authority.pem)) as source:
        found = source.read(PODS_QUERY)
        assert not isinstance(found, Gap)
        assert [found[0].name, found[-1].name, len(found)] == ["p0", "p1999", 2000]
    assert any("gzip" in value for value in server.header("Accept-Encoding"))
