"""A proxy in front of an API server that writes down every request of one user."""

from __future__ import annotations

import base64
import http.client
import ssl
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import yaml

_DROPPED = {"connection", "transfer-encoding", "content-length", "host"}


class Request(NamedTuple):
    """One request and the status of its answer."""

    method: str
    path: str
    status: int


class Recorder(NamedTuple):
    """The proxy's own kubeconfig, which holds no credential, and what went through so far."""

    kubeconfig: Path
    requests: list[Request]


@contextmanager
def recording(kubeconfig: Path, folder: Path) -> Iterator[Recorder]:
    """A proxy that adds the credential of `kubeconfig`, on a free port of 127.0.0.1."""
    config = yaml.safe_load(kubeconfig.read_text())
    requests: list[Request] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(config, requests))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    config["clusters"][0]["cluster"] = {"server": f"http://127.0.0.1:{server.server_port}"}
    config["users"][0]["user"] = {}
    path = folder / "recorded.yaml"
    path.write_text(yaml.safe_dump(config))
    try:
        yield Recorder(path, requests)
    finally:
        server.shutdown()
        server.server_close()


def _handler(config: dict[str, Any], requests: list[Request]) -> type[BaseHTTPRequestHandler]:
    address = urlsplit(config["clusters"][0]["cluster"]["server"]).netloc
    tls = _tls(config)

    class Handler(BaseHTTPRequestHandler):
        def _pass_on(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            headers = {k: v for k, v in self.headers.items() if k.lower() not in _DROPPED}
            connection = http.client.HTTPSConnection(address, context=tls, timeout=30)
            try:
                connection.request(self.command, self.path, self.rfile.read(size), headers)
                answer = connection.getresponse()
                body = answer.read()
            finally:
                connection.close()
            requests.append(Request(self.command, self.path, answer.status))
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in _DROPPED:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _pass_on  # noqa: N815 - http.server calls them so

        def log_message(self, *_: object) -> None:
            """The requests are in the list."""

    return Handler


def _tls(config: dict[str, Any]) -> ssl.SSLContext:
    user = config["users"][0]["user"]
    context = ssl.create_default_context(
        cadata=base64.b64decode(config["clusters"][0]["cluster"]["certificate-authority-data"]).decode()
    )
    with tempfile.NamedTemporaryFile() as pair:
        pair.write(base64.b64decode(user["client-certificate-data"]) + base64.b64decode(user["client-key-data"]))
        pair.flush()
        context.load_cert_chain(pair.name)
    return context
