"""A port-forward through the API server: one connection to a Pod's port, as a local socket.

Kubernetes' WebSocket protocol `v4.channel.k8s.io` for `pods/portforward`: the first byte of a message is the channel,
0 = data, 1 = error; the first message of each channel is the port, which is not data.
"""

from __future__ import annotations

import json
import socket
import threading
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlsplit

import websocket

from whypending.evidence import GapReason
from whypending.sources.live.access import Access
from whypending.sources.live.failures import Failure, of_exception, plain
from whypending.sources.live.tls import context_for
from whypending.sources.live.transport import environment_proxy
from whypending.sources.metrics.scheduler import Address

_PROTOCOL = "v4.channel.k8s.io"
_DATA, _ERROR = b"\x00", b"\x01"
_CHUNK = 1 << 16
_FORBIDDEN, _NOT_FOUND = 403, 404


class Tunnel:
    """`local` is the socket that leads to the Pod's port; `problem` what the other end says went wrong."""

    def __init__(self, api: Access, address: Address, seconds: float) -> None:
        """Connects within `seconds`, or raises Failure."""
        self._socket = _connect(api, address, seconds)
        self._socket.settimeout(None)  # the one who waits is at the local end
        self.local, self._inner = socket.socketpair()
        self.local.settimeout(seconds)
        self.problem = ""
        for pump in (self._to_local, self._to_pod):
            threading.Thread(target=pump, name="whypending-forward", daemon=True).start()

    def close(self) -> None:
        """End the connection and both pumps."""
        with suppress(OSError, websocket.WebSocketException):
            if self._socket.sock is not None:
                self._socket.sock.shutdown(socket.SHUT_RDWR)
            self._socket.shutdown()  # type: ignore[no-untyped-call]
        for end in (self.local, self._inner):
            with suppress(OSError):
                end.close()

    def _to_local(self) -> None:
        seen: set[int] = set()
        with suppress(OSError, websocket.WebSocketException):
            while True:
                code, frame = self._socket.recv_data()
                if code == websocket.ABNF.OPCODE_CLOSE:
                    break
                channel, data = frame[0] if frame else -1, frame[1:]
                if channel not in seen:
                    seen.add(channel)
                    data = data[2:]
                if channel == _ERROR[0] and data:
                    self.problem = plain(data.decode("utf-8", "replace"), 200)
                    break
                if channel == _DATA[0] and data:
                    self._inner.sendall(data)
        self._hang_up()

    def _to_pod(self) -> None:
        with suppress(OSError, websocket.WebSocketException):
            while data := self._inner.recv(_CHUNK):
                self._socket.send_binary(_DATA + data)

    def _hang_up(self) -> None:
        with suppress(OSError):
            self._inner.shutdown(socket.SHUT_RDWR)


def _connect(api: Access, address: Address, seconds: float) -> websocket.WebSocket:
    parts = urlsplit(api.server)
    scheme = "wss" if parts.scheme == "https" else "ws"
    pod = f"/api/v1/namespaces/{quote(address.namespace, safe='')}/pods/{quote(address.pod, safe='')}"
    url = f"{scheme}://{parts.netloc}{parts.path}{pod}/portforward?ports={address.port}"
    headers = [f"{name}: {value}" for name, value in api.headers]
    if api.authorization:
        headers.append(f"Authorization: {api.authorization}")
    options: dict[str, Any] = {"sslopt": {"context": context_for(api)}, **_proxy(api)}
    if api.tls_server_name:
        options["sslopt"]["server_hostname"] = api.tls_server_name
    try:
        return websocket.create_connection(
            url, timeout=seconds, header=headers, subprotocols=[_PROTOCOL], suppress_origin=True, redirect_limit=0,
            enable_multithread=True, **options,
        )  # fmt: skip
    except websocket.WebSocketBadStatusException as error:
        raise _refused(address, error) from error
    except (websocket.WebSocketException, OSError, ValueError) as error:
        if isinstance(error, OSError) or error.__cause__ is not None:
            raise of_exception(error, api.host, seconds) from error
        raise Failure(f"{api.host} does not forward ports: {plain(str(error), 120)}.") from error


def _proxy(api: Access) -> dict[str, Any]:
    """As the other requests go."""
    proxy = api.proxy or environment_proxy(api.server)
    if not proxy:
        return {"http_no_proxy": ["*"]}
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    login = (parts.username or "", parts.password or "") if parts.username else None
    return {
        "http_proxy_host": parts.hostname,
        "http_proxy_port": parts.port or 80,
        "http_proxy_auth": login,
        "proxy_type": parts.scheme if parts.scheme.startswith("socks") else "http",
    }


def _refused(address: Address, error: websocket.WebSocketBadStatusException) -> Failure:
    words = _message(error.resp_body) or str(error.status_code)
    text = f"No port-forward to {address.ref}: {plain(words, 200).rstrip('.')}."
    if error.status_code == _FORBIDDEN:
        return Failure(text, f'get and create pods/portforward in namespace "{address.namespace}"', GapReason.FORBIDDEN)
    if error.status_code == _NOT_FOUND:
        return Failure(text, reason=GapReason.UNSUPPORTED)
    return Failure(text)


def _message(body: object) -> str:
    """Of a Status object, else the bare text."""
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else str(body or "")
    try:
        told = json.loads(text)
    except ValueError:
        return text
    return str(told.get("message") or text) if isinstance(told, dict) else text
