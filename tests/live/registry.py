"""A registry on this machine that refuses each image in its own way; the real containerd asks it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.cluster import Cluster
from tests.live.scenario import BUSYBOX, Scenario, pod, sleeper, waiting

PORT = 28999
_INDEX = "application/vnd.oci.image.index.v1+json"
_OTHER_PLATFORM = {
    "mediaType": "application/vnd.oci.image.manifest.v1+json",
    "digest": "sha256:" + "1" * 64,
    "size": 500,
    "platform": {"os": "linux", "architecture": "s390x"},
}
_ERRORS = {
    "shop/no-such-tag": (404, "MANIFEST_UNKNOWN", "manifest unknown"),
    "shop/private": (401, "UNAUTHORIZED", "authentication required"),
    "shop/limited": (429, "TOOMANYREQUESTS", "You have reached your unauthenticated pull rate limit."),
}


class _Registry(ThreadingHTTPServer):
    allow_reuse_port = True  # two runs of the tests answer alike
    daemon_threads = True


class _Handler(BaseHTTPRequestHandler):
    """The distribution API, as far as a pull goes that fails."""

    default_request_version = "HTTP/1.0"  # with a status line even to TLS, after which containerd tries plain HTTP

    def do_GET(self) -> None:
        name = self.path.removeprefix("/v2/").partition("/manifests/")[0]
        if name in _ERRORS:
            status, code, message = _ERRORS[name]
            self._answer(status, "application/json", {"errors": [{"code": code, "message": message}]})
        elif name == "shop/mainframe":
            index = {"schemaVersion": 2, "mediaType": _INDEX, "manifests": [_OTHER_PLATFORM]}
            self._answer(200, _INDEX, index)
        else:
            self._answer(200, "application/json", {})

    do_HEAD = do_GET  # noqa: N815 - http.server calls them so

    def _answer(self, status: int, media_type: str, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="shop"')
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@contextmanager
def serving(_: Cluster) -> Iterator[None]:
    """A registry on 127.0.0.1 that refuses."""
    server = _Registry(("127.0.0.1", PORT), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def _refused(cause: str, slug: str, confidence: str = "proved") -> Scenario:
    return Scenario(
        cause,
        slug,
        "scheduled_not_ready",
        ("image-pull-failed", cause),
        pod(sleeper().replace(BUSYBOX, f"127.0.0.1:{PORT}/shop/{slug}:1")),
        reached=waiting("ImagePullBackOff"),
        fault=serving,
        confidence=confidence,
    )


SCENARIOS = (
    _refused("image-not-found", "no-such-tag"),
    _refused("image-auth-denied", "private", "likely"),
)
SLOW = (
    _refused("image-rate-limited", "limited"),
    _refused("image-platform-mismatch", "mainframe"),
)
