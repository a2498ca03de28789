"""The scheduler itself: a token of a ServiceAccount, a port-forward, and everything that can go wrong on the way."""

from __future__ import annotations

import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.metrics.fake_forward import CA, PAIR, TOKEN, Fake, cluster, exposes
from tests.sources.livekit import reply, serve
from whypending.evidence import Gap, GapReason, Scrape
from whypending.sources.live.access import Access
from whypending.sources.metrics import Wanted
from whypending.sources.metrics.scheduler import Address, by_port_forward, by_url
from whypending.sources.metrics.token import request_token

ADDRESS = Address("kube-system", "kube-scheduler-n1", 10259)
MINE = "Bearer the-users-own"


def access(fake: Fake) -> Access:
    return Access(server=fake.url, authorization=MINE, headers=(("Impersonate-User", "jane"),), credential="a token")


def wanted(**more: Any) -> Wanted:
    return Wanted(**{"service_account": "ops/reader", "ca": CA, "timeout": 5, "request_timeout": 2, **more})


def forward(fake: Fake, token: str = TOKEN, **more: Any) -> Scrape | Gap:
    return by_port_forward(access(fake), ADDRESS, wanted(**more), token)


def failed(found: Scrape | Gap) -> Gap:
    assert isinstance(found, Gap), found
    return found


def test_a_token_of_ten_minutes() -> None:
    with cluster() as fake:
        assert request_token(access(fake), wanted()) == TOKEN
    assert [body["spec"] for body in fake.bodies] == [{"expirationSeconds": 600}]


@pytest.mark.parametrize(
    ("code", "reason", "grant"),
    [
        (403, GapReason.FORBIDDEN, 'create serviceaccounts/token in namespace "ops"'),
        (404, GapReason.NOT_GIVEN, "name one that exists"),
        (400, GapReason.UNSUPPORTED, ""),
        (503, GapReason.UNREACHABLE, ""),
    ],
)
def test_a_token_that_is_refused(code: int, reason: GapReason, grant: str) -> None:
    with cluster(refuse_token=code) as fake:
        found = request_token(access(fake), wanted())
    assert isinstance(found, Gap)
    assert (found.reason, found.grant) == (reason, grant)


def test_by_port_forward() -> None:
    with cluster() as fake:
        found = forward(fake)
    assert isinstance(found, Scrape), found
    assert (found.how, found.origin, found.warnings) == (
        "port-forward", "Pod kube-system/kube-scheduler-n1, port 10259", (),
    )  # fmt: skip
    assert len(found.samples) > 100


def test_each_credential_goes_to_its_own_server() -> None:
    seen: list[str] = []

    def respond(handler: BaseHTTPRequestHandler) -> None:
        seen.append(str(handler.headers))
        exposes()(handler)

    with cluster(respond) as fake:
        assert isinstance(forward(fake), Scrape)
    (asked,) = fake.forwards
    assert asked["path"] == "/api/v1/namespaces/kube-system/pods/kube-scheduler-n1/portforward?ports=10259"
    assert (asked["authorization"], asked["impersonate-user"]) == (MINE, "jane")
    assert TOKEN not in str(asked)
    assert (TOKEN in seen[0], MINE in seen[0], "jane" in seen[0]) == (True, False, False)


def test_no_token_goes_to_a_certificate_that_is_not_trusted() -> None:
    seen: list[str] = []
    with cluster(lambda handler: seen.append(str(handler.headers))) as fake:
        gap = failed(forward(fake, ca=""))
        other = failed(forward(fake, server_name="somebody.else"))
    assert seen == []
    assert "is not trusted" in gap.detail
    assert "is not trusted" in other.detail
    assert gap.grant == "name its CA with --metrics-ca FILE, or accept the risk with --metrics-insecure"


def test_insecure_says_so() -> None:
    with cluster() as fake:
        found = forward(fake, ca="", insecure=True)
    assert isinstance(found, Scrape)
    assert found.warnings == ("The certificate of Pod kube-system/kube-scheduler-n1, port 10259 is not verified.",)


def test_a_service_account_that_may_not_read_metrics() -> None:
    with cluster() as fake:
        gap = failed(forward(fake, "another"))
    assert gap.reason is GapReason.FORBIDDEN
    assert "answered 403: forbidden: cannot get path /metrics" in gap.detail
    assert "nonResourceURL" in gap.grant


@pytest.mark.parametrize(
    ("code", "reason", "grant"),
    [
        (403, GapReason.FORBIDDEN, 'get and create pods/portforward in namespace "kube-system"'),
        (404, GapReason.UNSUPPORTED, ""),
        (500, GapReason.UNREACHABLE, ""),
    ],
)
def test_a_port_forward_that_is_refused(code: int, reason: GapReason, grant: str) -> None:
    with cluster(refuse_forward=code) as fake:
        gap = failed(forward(fake))
    assert (gap.reason, gap.grant) == (reason, grant)
    assert "No port-forward to Pod kube-system/kube-scheduler-n1, port 10259: pods/portforward" in gap.detail


def test_nothing_listens_on_the_port() -> None:
    with cluster(error=b"dial tcp4 127.0.0.1:10259: connect: connection refused") as fake:
        gap = failed(forward(fake))
    assert gap.reason is GapReason.UNREACHABLE
    assert "was cut: dial tcp4 127.0.0.1:10259: connect: connection refused." in gap.detail


@pytest.mark.parametrize("after", [0, 2000, 8000])
def test_a_port_forward_that_is_cut(after: int) -> None:
    with cluster(cut_after=after) as fake:
        gap = failed(forward(fake))
    assert gap.reason is GapReason.UNREACHABLE
    assert "The port-forward to Pod kube-system/kube-scheduler-n1, port 10259 was cut: " in gap.detail
    assert "try again" in gap.grant


def test_a_scheduler_that_is_slow() -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(3)
        exposes()(handler)

    began = time.monotonic()
    with cluster(respond) as fake:
        gap = failed(forward(fake, request_timeout=0.5))
        assert time.monotonic() - began < 2.5
    assert (gap.reason, "did not answer within 0.5 s" in gap.detail) == (GapReason.TIMED_OUT, True)


def test_a_scheduler_that_drips() -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b"scheduler_pending_pods 1\n")
            time.sleep(0.1)

    began = time.monotonic()
    with cluster(respond) as fake:
        gap = failed(forward(fake, request_timeout=0.4))
        assert time.monotonic() - began < 4
    assert gap.reason is GapReason.TIMED_OUT


def test_a_payload_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whypending.sources.metrics.forward.MAX_BODY", 10_000)
    with cluster() as fake:
        gap = failed(forward(fake))
    assert (gap.reason, "larger than" in gap.detail) == (GapReason.MALFORMED, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [("<html>login</html>", "it is a web page"), ("kubelet_running_pods 3\n", "of a kubelet"), ("\n", "it is empty")],
)
def test_a_foreign_payload(text: str, says: str) -> None:
    with cluster(exposes(text)) as fake:
        gap = failed(forward(fake))
    assert (gap.reason, says in gap.detail) == (GapReason.MALFORMED, True)


def test_no_api_server_answers() -> None:
    gap = failed(forward(Fake(url="http://127.0.0.1:9")))
    assert (gap.reason, "refused the connection" in gap.detail) == (GapReason.UNREACHABLE, True)


def test_by_url_with_a_token() -> None:
    with serve(PAIR, exposes()) as server:
        url = server.url.replace("127.0.0.1", "localhost")
        found = by_url(wanted(url=f"{url}/metrics"), TOKEN)
        assert isinstance(found, Scrape), found
        assert (found.how, found.origin) == ("url", f"{url}/metrics")
        assert server.header("Authorization") == {f"Bearer {TOKEN}"}
        server.headers.clear()
        untrusted = failed(by_url(wanted(url=url, ca=""), TOKEN))
        assert server.headers == []
        insecure = by_url(wanted(url=url, ca="", insecure=True), TOKEN)
    assert "is not signed by a CA that is trusted here" in untrusted.detail
    assert untrusted.grant == "name its CA with --metrics-ca FILE, or accept the risk with --metrics-insecure"
    assert isinstance(insecure, Scrape)
    assert insecure.warnings == (f"The certificate of {url} is not verified.",)


@pytest.mark.parametrize("code", [500, 404])
def test_by_url_an_error(code: int) -> None:
    with serve(None, lambda handler: reply(handler, b"oh no", code)) as server:
        gap = failed(by_url(wanted(url=server.url, timeout=1), ""))
    assert str(code) in gap.detail
    assert "oh no" in gap.detail


def test_by_url_nobody_listens() -> None:
    gap = failed(by_url(wanted(url="http://127.0.0.1:9/metrics", timeout=1), ""))
    assert (gap.reason, "refused the connection" in gap.detail) == (GapReason.UNREACHABLE, True)
