"""What the tests of the live source share: certificates, a small HTTPS server, kubeconfigs and API answers."""

from __future__ import annotations

import base64
import ipaddress
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from whypending.evidence import Gap, Known
from whypending.objects.kinds import PODS
from whypending.sources.base import Query
from whypending.sources.live import LiveSource
from whypending.sources.live.access import Access

API = "https://api.test:6443"
DATE = "Mon, 02 Mar 2026 03:00:00 GMT"
NOW = datetime(2026, 3, 2, 3, 0, tzinfo=UTC)
POD_URL = f"{API}/api/v1/namespaces/prod/pods/a"
PODS_URL = f"{API}/api/v1/namespaces/prod/pods"
POD = Query(kind=PODS, namespace="prod", name="a", would_decide="everything")
PODS_QUERY = Query(kind=PODS, namespace="prod")
VERSION = {"major": "1", "minor": "37", "gitVersion": "v1.37.2"}


def a_gap(found: Known[Any]) -> Gap:
    assert isinstance(found, Gap)
    return found


def opened(**access: Any) -> Iterator[LiveSource]:
    """A source of the mocked server, used inside the mock."""
    live = LiveSource(Access(**{"server": API, "context": "lab", "user": "jane", **access}), timeout=20)
    yield live
    assert isinstance(live.server_version, str)  # the read beside has ended: nothing outlives the mock
    live.close()


def pod(name: str, namespace: str = "prod", **fields: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "uid": f"u-{name}"},
        **fields,
    }


def items(kind: str, *objects: Mapping[str, Any], more: str = "") -> dict[str, Any]:
    metadata = {"resourceVersion": "7", **({"continue": more} if more else {})}
    return {"apiVersion": "v1", "kind": f"{kind}List", "metadata": metadata, "items": list(objects)}


def status(code: int, reason: str, message: str, **details: Any) -> dict[str, Any]:
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "message": message,
        "reason": reason,
        "details": details,
        "code": code,
    }


def kubeconfig(path: Path, server: str = API, *, name: str = "lab", ca: bytes = b"", **parts: Any) -> Path:
    """A kubeconfig of one context; `cluster`, `user` and `context` add to its parts."""
    cluster = {"server": server, **({"certificate-authority-data": b64(ca)} if ca else {}), **parts.get("cluster", {})}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": name,
        "clusters": [{"name": f"{name}-cluster", "cluster": cluster}],
        "users": [{"name": f"{name}-user", "user": parts.get("user", {"token": "s3cret"})}],
        "contexts": [
            {
                "name": name,
                "context": {"cluster": f"{name}-cluster", "user": f"{name}-user", **parts.get("context", {})},
            }
        ],
    }
    path.write_text(json.dumps(document))
    return path


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def jwt(**claims: Any) -> str:
    return ".".join(b64(json.dumps(x).encode()).rstrip("=") for x in ({"alg": "none"}, claims, "signature"))


@dataclass(frozen=True)
class Pair:
    """A certificate and its key, PEM."""

    certificate: bytes
    key: bytes


class Authority:
    """A certificate authority of the test's own."""

    def __init__(self, name: str = "test-ca") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._certificate = self._sign(self._name, self._key, timedelta(days=2), None)
        self.pem = self._certificate.public_bytes(serialization.Encoding.PEM)

    def issue(self, *names: str, valid: timedelta = timedelta(days=1)) -> Pair:
        """A certificate for these host names or addresses (none: a client's) that ends `valid` from now."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0] if names else "jane")])
        pem = self._sign(subject, key, valid, names).public_bytes(serialization.Encoding.PEM)
        key_pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return Pair(pem, key_pem)

    def _sign(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, valid: timedelta, names: tuple[str, ...] | None
    ) -> x509.Certificate:
        end = datetime.now(UTC) + valid
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(end - timedelta(days=30))
            .not_valid_after(end)
            .add_extension(x509.BasicConstraints(ca=names is None, path_length=None), critical=True)
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName([_general(n) for n in names]), critical=False)
        return builder.sign(self._key, hashes.SHA256())


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


@dataclass
class Server:
    """A running server: its URL and what it was asked."""

    url: str
    requests: list[tuple[str, str]] = field(default_factory=list)
    headers: list[list[tuple[str, str]]] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        """Without /version, which is read beside."""
        return [path for _, path in self.requests if path != "/version"]

    def header(self, name: str) -> set[str]:
        """Every value of a header over all requests."""
        return {v for request in self.headers for k, v in request if k.lower() == name.lower()}


Responder = Callable[[BaseHTTPRequestHandler], None]


def reply(handler: BaseHTTPRequestHandler, body: object, code: int = 200, **headers: str) -> None:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(code)
    given = {key.replace("_", "-"): value for key, value in headers.items()}
    for key, value in {"Content-Type": "application/json", "Content-Length": str(len(raw)), **given}.items():
        handler.send_header(key, value)
    handler.end_headers()
    handler.wfile.write(raw)


def api(handler: BaseHTTPRequestHandler) -> None:
    """An API server with one Pod."""
    if handler.path == "/version":
        reply(handler, VERSION)
    elif handler.path.startswith("/api/v1/namespaces/prod/pods/"):
        reply(handler, pod(handler.path.rpartition("/")[2]))
    else:
        reply(handler, items("Pod", pod("a"), pod("b")))


@contextmanager
def serve(pair: Pair | None, respond: Responder = api, *, client_ca: bytes = b"") -> Iterator[Server]:
    """An HTTPS server (HTTP where `pair` is None) on 127.0.0.1."""
    running = Server("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Quiet."""

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                self.close_connection = True

        def do_GET(self) -> None:
            running.requests.append((self.command, self.path))
            running.headers.append(list(self.headers.items()))
            respond(self)

    httpd = _QuietServer(("127.0.0.1", 0), Handler)
    running.url = f"{'https' if pair else 'http'}://127.0.0.1:{httpd.server_address[1]}"
    if pair:
        httpd.socket = _server_context(pair, client_ca).wrap_socket(
            httpd.socket, server_side=True, do_handshake_on_connect=False
        )
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_: object) -> None:
        """Handshakes that the client ends are what the tests are about."""


def _server_context(pair: Pair, client_ca: bytes) -> ssl.SSLContext:
    import tempfile  # noqa: PLC0415

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(pair.certificate + pair.key)
        file.flush()
        context.load_cert_chain(file.name)
    if client_ca:
        context.verify_mode = ssl.CERT_REQUIRED
        context.maximum_version = ssl.TLSVersion.TLSv1_2  # 1.3 may hang up before its alert is read
        context.load_verify_locations(cadata=client_ca.decode())
    return context


@contextmanager
def connected(path: Path, **flags: Any) -> Iterator[LiveSource]:
    source = LiveSource.connect(kubeconfig=str(path), context=None, **flags)
    try:
        yield source
    finally:
        assert isinstance(source.server_version, str)
        source.close()
