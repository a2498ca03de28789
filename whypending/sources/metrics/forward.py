"""GET /metrics of a Pod's port over a tunnel: TLS to the scheduler inside TLS to the API server."""

from __future__ import annotations

import http.client
import socket
import ssl
import time

from whypending.evidence import GapReason
from whypending.sources.live import failures
from whypending.sources.live.access import Access
from whypending.sources.live.failures import Failure, plain
from whypending.sources.live.tls import context_for
from whypending.sources.live.transport import Answer
from whypending.sources.metrics.fetch import MAX_BODY, UNTRUSTED
from whypending.sources.metrics.scheduler import Address
from whypending.sources.metrics.tunnel import Tunnel
from whypending.sources.metrics.wanted import Wanted

_CHUNK = 1 << 16
_SELF_SIGNED_FOR = "localhost"
"""What the certificate that a scheduler makes for itself is for (kube-scheduler 1.37, options.go)."""


def fetch_through(api: Access, address: Address, wanted: Wanted, token: str) -> Answer:
    """The answer of the Pod's /metrics. Raises Failure: no tunnel, no trusted certificate, or cut in between."""
    deadline = time.monotonic() + min(wanted.timeout, 3 * wanted.request_timeout)
    tunnel = Tunnel(api, address, wanted.request_timeout)
    try:
        with _secured(tunnel.local, wanted) as secured:
            return _get(secured, token, deadline)
    except ssl.SSLCertVerificationError as error:
        why = plain(error.verify_message, 120).rstrip(".")
        text = f"The certificate of {address.ref} is not trusted ({why}), so no token was sent to it."
        raise Failure(text, UNTRUSTED, GapReason.UNREACHABLE) from error
    except TimeoutError as error:
        raise failures.timed_out(address.ref, wanted.request_timeout, "--request-timeout") from error
    except (OSError, http.client.HTTPException) as error:
        raise _cut(address, tunnel.problem or plain(str(error) or type(error).__name__, 120)) from error
    finally:
        tunnel.close()


def _secured(plain_socket: socket.socket, wanted: Wanted) -> ssl.SSLSocket:
    context = context_for(Access(server="https://scheduler", ca=wanted.ca, verify=not wanted.insecure))
    return context.wrap_socket(plain_socket, server_hostname=wanted.server_name or _SELF_SIGNED_FOR)


def _get(secured: ssl.SSLSocket, token: str, deadline: float) -> Answer:
    connection = http.client.HTTPConnection(_SELF_SIGNED_FOR)
    connection.sock = secured
    headers = {"Accept": "text/plain;version=0.0.4", "Connection": "close"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request("GET", "/metrics", headers=headers)
    response = connection.getresponse()
    chunks, size = [], 0
    while chunk := response.read1(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_BODY:
            raise Failure(f"The scheduler's metrics are larger than {MAX_BODY >> 20} MiB.", reason=GapReason.MALFORMED)
        if time.monotonic() > deadline:
            raise TimeoutError
    if response.length:
        raise http.client.IncompleteRead(b"".join(chunks), response.length)
    return Answer(response.status, b"".join(chunks), dict(response.getheaders()))


def _cut(address: Address, why: str) -> Failure:
    return Failure(
        f"The port-forward to {address.ref} was cut: {why.rstrip('.')}.",
        "try again; if it stays, check that the scheduler listens on that port of its Pod's localhost",
    )
