"""An API server that makes tokens and forwards ports, as far as a test lets it, and a scheduler behind it."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tests.metrics.kit import captured
from tests.sources.livekit import Authority, Pair, reply, serve, status

TOKEN = "the-service-accounts"
_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_AUTHORITY = Authority()
CA = _AUTHORITY.pem.decode()
PAIR: Pair = _AUTHORITY.issue("localhost")


def exposes(text: str = "") -> Callable[[BaseHTTPRequestHandler], None]:
    """A scheduler's /metrics, for the one token."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        if handler.headers.get("Authorization") != f"Bearer {TOKEN}":
            reply(handler, status(403, "Forbidden", "forbidden: cannot get path /metrics"), 403)
            return
        reply(handler, (text or captured("1.37")).encode(), Content_Type="text/plain")

    return respond


@dataclass
class Fake:
    """What was sent to the API server, and how it behaves."""

    url: str = ""
    backend: int = 0
    refuse_token: int = 0
    refuse_forward: int = 0
    error: bytes = b""
    dead: str = ""
    cut_after: int | None = None
    bodies: list[Any] = field(default_factory=list)
    forwards: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def cluster(respond: Callable[[BaseHTTPRequestHandler], None] | None = None, **behaviour: Any) -> Iterator[Fake]:
    """The API server on plain HTTP, in front of a scheduler on TLS."""
    with serve(PAIR, respond or exposes()) as scheduler:
        fake = Fake(backend=urlsplit(scheduler.url).port or 0, **behaviour)
        httpd = ThreadingHTTPServer(("127.0.0.1", 0), _handler(fake))
        httpd.daemon_threads, httpd.block_on_close = True, False
        fake.url = f"http://127.0.0.1:{httpd.server_address[1]}"
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield fake
        finally:
            httpd.shutdown()
            thread.join()
            httpd.server_close()


def _handler(fake: Fake) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Quiet."""

        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            fake.bodies.append(json.loads(self.rfile.read(size)))
            if fake.refuse_token:
                reply(self, status(fake.refuse_token, "Forbidden", "you may not"), fake.refuse_token)
            else:
                reply(self, {"kind": "TokenRequest", "status": {"token": TOKEN}}, 201)

        def do_GET(self) -> None:
            fake.forwards.append({"path": self.path, **{k.lower(): v for k, v in self.headers.items()}})
            if fake.refuse_forward:
                reply(
                    self, status(fake.refuse_forward, "Forbidden", "pods/portforward is forbidden"), fake.refuse_forward
                )
                return
            accept = base64.b64encode(hashlib.sha1((self.headers["Sec-WebSocket-Key"] + _GUID).encode()).digest())  # noqa: S324
            self.send_response(101)
            for name, value in (("Upgrade", "websocket"), ("Connection", "Upgrade"),
                                ("Sec-WebSocket-Accept", accept.decode()),
                                ("Sec-WebSocket-Protocol", "v4.channel.k8s.io")):  # fmt: skip
                self.send_header(name, value)
            self.end_headers()
            self.close_connection = True
            _forward(self.connection, self.rfile.read, fake)

    return Handler


def _forward(client: socket.socket, read: Callable[[int], bytes], fake: Fake) -> None:
    for channel in (b"\x00", b"\x01"):
        _send(client, channel + struct.pack("<H", 10259))
    if fake.error and fake.dead in fake.forwards[-1]["path"]:
        _send(client, b"\x01" + fake.error)
        return
    with socket.create_connection(("127.0.0.1", fake.backend)) as backend:
        back = threading.Thread(target=_back, args=(backend, client, fake), daemon=True)
        back.start()
        with suppress(OSError, ValueError, struct.error):
            while frame := _receive(read):
                backend.sendall(frame[1:])
        with suppress(OSError):
            backend.shutdown(socket.SHUT_RDWR)
        back.join()


def _back(backend: socket.socket, client: socket.socket, fake: Fake) -> None:
    sent = 0
    with suppress(OSError):
        while data := backend.recv(1000):
            sent += len(data)
            if fake.cut_after is not None and sent > fake.cut_after:
                break
            _send(client, b"\x00" + data)
        client.shutdown(socket.SHUT_RDWR)


def _send(client: socket.socket, data: bytes) -> None:
    head = bytes([0x82, len(data)]) if len(data) < 126 else bytes([0x82, 126]) + struct.pack(">H", len(data))
    client.sendall(head + data)


def _receive(read: Callable[[int], bytes]) -> bytes:
    """The payload of one masked frame; empty at the end."""
    first, second = read(2)
    if first & 0x0F == 8:
        return b""
    size = second & 0x7F
    if size == 126:
        (size,) = struct.unpack(">H", read(2))
    mask, data = read(4), read(size)
    return bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
