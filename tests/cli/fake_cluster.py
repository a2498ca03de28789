"""A small HTTPS server that answers as a cluster with one refused Pod, and ways in which a server can go wrong."""

from __future__ import annotations

import json
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.cli.conftest import Ended, Run
from tests.sources.livekit import VERSION, Authority, Pair, Responder, items, kubeconfig, pod, reply, serve, status

AUTHORITY = Authority()
PAIR: Pair = AUTHORITY.issue("127.0.0.1")
REFUSED: dict[str, Any] = {
    "spec": {"schedulerName": "default-scheduler", "containers": [{"name": "app", "image": "app:1"}]},
    "status": {
        "phase": "Pending",
        "conditions": [
            {
                "type": "PodScheduled",
                "status": "False",
                "reason": "Unschedulable",
                "message": "0/3 nodes are available: 3 Insufficient cpu.",
                "lastTransitionTime": "2026-03-02T02:00:00Z",
            }
        ],
    },
}


def refused_pod(name: str = "api-1", **metadata: Any) -> dict[str, Any]:
    whole = pod(name, **json.loads(json.dumps(REFUSED)))
    whole["metadata"] |= {"creationTimestamp": "2026-03-02T02:00:00Z", **metadata}
    return whole


def path_of(handler: BaseHTTPRequestHandler) -> str:
    return urlsplit(handler.path).path


def asked(handler: BaseHTTPRequestHandler, name: str) -> str:
    """A parameter of the request."""
    return parse_qs(urlsplit(handler.path).query).get(name, [""])[0]


def cluster(**objects: Any) -> Responder:
    """Objects by their path's end (`pods/api-1`), Lists likewise (`nodes`); nothing else is there."""
    known: dict[str, Any] = {"pods/api-1": refused_pod(), **{k.replace("__", "/"): v for k, v in objects.items()}}

    def respond(handler: BaseHTTPRequestHandler) -> None:
        path = path_of(handler)
        if path == "/version":
            reply(handler, VERSION)
            return
        found = next((v for end, v in known.items() if path.endswith(f"/{end}")), None)
        if callable(found):
            found(handler)
        elif found is not None:
            reply(handler, found)
        elif any(group in path for group in ("kueue", "volcano", "karpenter", "scheduling.x-k8s.io")):
            reply(handler, b"404 page not found\n", 404, Content_Type="text/plain")
        else:
            nothing(handler)

    return respond


def nothing(handler: BaseHTTPRequestHandler) -> None:
    """There is no such object, and the List is empty."""
    *_, kind, name = path_of(handler).split("/")
    if name.islower() and name.endswith("s") and "-" not in name:
        reply(handler, items(name))
    else:
        reply(handler, status(404, "NotFound", f'{kind} "{name}" not found', name=name, kind=kind), 404)


def failing(code: int, reason: str = "X", words: str = "", **headers: str) -> Responder:
    """A Status of that code."""
    return lambda handler: reply(handler, status(code, reason, words or f"no luck ({code})"), code, **headers)


def saying(body: bytes, code: int = 200, kind: str = "text/html") -> Responder:
    return lambda handler: reply(handler, body, code, Content_Type=kind)


def cut_off(handler: BaseHTTPRequestHandler) -> None:
    reply(handler, b'{"kind": "List", "metadata": {"na')


def hangs(handler: BaseHTTPRequestHandler) -> None:
    del handler
    time.sleep(20)


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


def drips(handler: BaseHTTPRequestHandler) -> None:
    """A body that comes byte by byte and never ends."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.2)


def all_but_the_pod(then: Responder, name: str = "api-1") -> Responder:
    """The Pod can be read; every other read goes wrong."""
    whole = cluster()

    def respond(handler: BaseHTTPRequestHandler) -> None:
        own = path_of(handler).endswith(f"/pods/{name}") or path_of(handler) == "/version"
        (whole if own else then)(handler)

    return respond


def ask(process: Run, folder: Path, respond: Responder, *words: str, **parts: Any) -> Ended:
    """`whypending pod` against such a server, as a process; no credential may ever show."""
    with serve(PAIR, respond) as server:
        path = kubeconfig(folder / "config", parts.pop("server", server.url), ca=AUTHORITY.pem, **parts)
        ended = process("pod", "-n", "prod", *(words or ("api-1",)), "--kubeconfig", str(path))
    assert "s3cret" not in ended.out + ended.err
    assert "Traceback" not in ended.out + ended.err
    return ended


def sentence(ended: Ended) -> tuple[str, str]:
    """The error and the next step of a run that could not look."""
    assert (ended.status, ended.out) == (3, ""), ended
    error, following = ended.err.splitlines()
    assert error.startswith("error: ")
    assert error.endswith(".")
    assert following.startswith("next: ")
    return error.removeprefix("error: "), following.removeprefix("next: ")
