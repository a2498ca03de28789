"""What makes a real control plane look wrong: acts between two reads, other and expired credentials."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.cluster import Cluster
from tests.cluster.api import ApiError
from tests.sources.livekit import reply, serve


@contextmanager
def between(cluster: Cluster, folder: Path, part: str, act: Callable[[], None]) -> Iterator[Path]:
    """A kubeconfig by which the API server is asked; `act` is done once, right after the answer about `part`."""
    left = [act]

    def respond(handler: BaseHTTPRequestHandler) -> None:
        try:
            answer = cluster.api.text("GET", handler.path).encode()
            code = 200
        except ApiError as error:
            answer, code = json.dumps({"kind": "Status", "message": str(error), "reason": error.reason,
                                       "details": {"name": "x"}}).encode(), error.status  # fmt: skip
        if part in handler.path and left:
            left.pop()()
        reply(handler, answer, code)

    with serve(None, respond) as server:
        config = yaml.safe_load(cluster.kubeconfig.read_text())
        config["clusters"][0]["cluster"] = {"server": server.url}
        config["users"][0]["user"] = {}
        path = folder / "between.yaml"
        path.write_text(yaml.safe_dump(config))
        yield path
    assert not left


def changed(cluster: Cluster, folder: Path, *, user: dict[str, Any] | None = None, **parts: Any) -> Path:
    """The admin's kubeconfig with another user or other parts of its cluster."""
    config = yaml.safe_load(cluster.kubeconfig.read_text())
    config["clusters"][0]["cluster"] |= parts
    if user is not None:
        config["users"][0]["user"] = user
    path = folder / "changed.yaml"
    path.write_text(yaml.safe_dump(config))
    return path


def expired_user(cluster: Cluster) -> dict[str, str]:
    """A certificate of the cluster's own CA that ended yesterday."""
    authority = cluster.control_plane.authority
    key = ec.generate_private_key(ec.SECP256R1())
    end = datetime.now(UTC) - timedelta(days=1)
    builder = x509.CertificateBuilder(
        issuer_name=x509.load_pem_x509_certificate(authority.certificate.read_bytes()).subject,
        subject_name=x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "late")]),
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=end - timedelta(days=1),
        not_valid_after=end,
    )
    signed = builder.sign(authority._key, hashes.SHA256())  # noqa: SLF001 - no test but this wants such a certificate
    pem = signed.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return {
        "client-certificate-data": base64.b64encode(pem).decode(),
        "client-key-data": base64.b64encode(private).decode(),
    }
