"""Against a real HTTPS server: how long anything may take, what runs at the same time, and Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.sources.livekit import POD, PODS_QUERY, Authority, Pair, api, connected, kubeconfig, serve
from whypending.errors import UnreachableError
from whypending.evidence import Gap, GapReason
from whypending.sources.live import LiveSource


def silent(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(3)
    handler.close_connection = True


def drip(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    with contextlib.suppress(OSError):
        for _ in range(60):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)
    handler.close_connection = True


@pytest.mark.parametrize("respond", [silent, drip])
def test_nothing_waits_longer_than_the_total(tmp_path: Path, authority: Authority, pair: Pair, respond: Any) -> None:
    with serve(pair, respond) as server:
        path = kubeconfig(tmp_path / "c", server.url, ca=authority.pem)
        source = LiveSource.connect(kubeconfig=str(path), context=None, timeout=0.6, request_timeout=0.4)
        begin = time.monotonic()
        with pytest.raises(UnreachableError, match=r"did not answer within"):
            source.read(POD)
        assert time.monotonic() - begin < 1.2
        with pytest.raises(UnreachableError):
            source.gather([lambda: source.read(POD)])
        assert time.monotonic() - begin < 1.4
        assert source.server_version == ""
        source.close()


def test_after_the_total_time_reads_are_gaps(tmp_path: Path, authority: Authority, pair: Pair) -> None:
    with serve(pair) as server:
        path = kubeconfig(tmp_path / "c", server.url, ca=authority.pem)
        with connected(path, timeout=0.5) as source:
            assert source.read(POD)
            time.sleep(0.6)
            found = source.read(PODS_QUERY)
            assert isinstance(found, Gap)
            assert found.reason is GapReason.TIMED_OUT


def test_reads_run_at_the_same_time(tmp_path: Path, authority: Authority, pair: Pair) -> None:
    together = threading.Barrier(4, timeout=5)

    def wait(handler: BaseHTTPRequestHandler) -> None:
        if handler.path != "/version":
            together.wait()
        api(handler)

    with serve(pair, wait) as server, connected(kubeconfig(tmp_path / "c", server.url, ca=authority.pem)) as source:
        found = source.gather([lambda: source.read(PODS_QUERY)] * 4)
    assert [len(pods) for pods in found] == [2] * 4


CTRL_C = """
import sys, threading
from whypending.objects.kinds import PODS
from whypending.sources.base import Query
from whypending.sources.live import LiveSource
source = LiveSource.connect(kubeconfig=sys.argv[1], context=None)
read = lambda: source.read(Query(kind=PODS, namespace="prod"))
try:
    source.gather([read] * 12) if sys.argv[2] == "gather" else read()
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("how", ["gather", "read"])
def test_ctrl_c_ends_at_once(tmp_path: Path, authority: Authority, pair: Pair, how: str) -> None:
    asked = threading.Event()

    def hang(handler: BaseHTTPRequestHandler) -> None:
        asked.set()
        silent(handler)

    with serve(pair, hang) as server:
        path = kubeconfig(tmp_path / "c", server.url, ca=authority.pem)
        with subprocess.Popen([sys.executable, "-c", CTRL_C, str(path), how], env=dict(os.environ)) as process:
            assert asked.wait(20)
            time.sleep(0.1)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.wait(5) == 130
            assert time.monotonic() - begin < 1
