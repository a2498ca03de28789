"""Prometheus' HTTP API against documented payloads: what it knows, what it refuses, who may ask, what is not it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
import responses

from tests.metrics.kit import NOW, PENDING, error, series, vector
from whypending.evidence import Gap, GapReason, Known, Scrape
from whypending.metrics import promql
from whypending.sources.metrics import Wanted, prometheus

URL = "https://prometheus.test:9090"
QUERY = f"{URL}/api/v1/query"
SECRETS: dict[str, Any] = {"token": "t0ken", "password": "p4ss"}
ACTIVE = series("3", **PENDING, queue="active")
LEADER = series("1", **{**PENDING, "__name__": "leader_election_master_status"}, name="kube-scheduler")


@pytest.fixture(autouse=True)
def mock(monkeypatch: pytest.MonkeyPatch) -> Iterator[responses.RequestsMock]:
    for name in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mocked:
        yield mocked


def read(at: Any = None, **wanted: Any) -> Known[Scrape]:
    return prometheus.read(Wanted(**{"prometheus": URL, "request_timeout": 2, **wanted}), at)


def a_gap(found: Known[Scrape]) -> Gap:
    assert isinstance(found, Gap)
    assert found.what == "the scheduler's metrics"
    return found


def scrapes(found: Known[Scrape]) -> tuple[Scrape, ...]:
    assert not isinstance(found, Gap), found
    return found


def asked(mock: responses.RequestsMock) -> list[dict[str, list[str]]]:
    return [parse_qs(urlsplit(str(call.request.url)).query) for call in mock.calls]


def test_one_scheduler_with_what_else_its_process_exposes(mock: responses.RequestsMock) -> None:
    mock.get(QUERY, json=vector(ACTIVE))
    mock.get(QUERY, json=vector(LEADER, series("1.7e9", **{**PENDING, "__name__": "process_start_time_seconds"})))
    (found,) = scrapes(read())
    assert (found.how, found.warnings) == ("prometheus", ())
    assert found.origin == f"Prometheus {URL} · job kube-scheduler · instance 10.0.0.1:10259"
    assert found.at is not None
    assert found.at.isoformat() == "2026-12-01T12:11:00.500000+00:00"
    assert [(s.name, s.labels, s.value) for s in found.samples] == [
        ("scheduler_pending_pods", (("queue", "active"),), 3),
        ("leader_election_master_status", (("name", "kube-scheduler"),), 1),
        ("process_start_time_seconds", (), 1.7e9),
    ]
    first, second = asked(mock)
    assert first == {"query": [promql.OF_SCHEDULERS], "limit": [str(promql.MAX_SERIES)]}
    assert 'job=~"kube-scheduler",instance=~"10\\\\.0\\\\.0\\\\.1:10259"' in second["query"][0]


def test_two_schedulers_are_told_apart(mock: responses.RequestsMock) -> None:
    other = {**PENDING, "instance": "10.0.0.2:10259"}
    mock.get(QUERY, json=vector(ACTIVE, series("5", **other, queue="active"), series("1", **other, queue="gated")))
    mock.get(QUERY, json=vector())
    found = scrapes(read())
    assert [(s.origin.rpartition(" ")[2], len(s.samples)) for s in found] == [
        ("10.0.0.1:10259", 1), ("10.0.0.2:10259", 2),
    ]  # fmt: skip


def test_the_autoscalers_scheduler_is_none(mock: responses.RequestsMock) -> None:
    other = {"job": "cluster-autoscaler", "instance": "10.0.0.9:8085"}
    mock.get(QUERY, json=vector(
        series(__name__="scheduler_pending_pods", queue="active", **other),
        series(__name__="cluster_autoscaler_nodes_count", **other),
    ))  # fmt: skip
    assert "has no series of a scheduler" in a_gap(read()).detail


def test_series_without_job_and_instance(mock: responses.RequestsMock) -> None:
    mock.get(QUERY, json=vector(series(__name__="scheduler_pending_pods", queue="active")))
    (found,) = scrapes(read())
    assert found.origin == f"Prometheus {URL}"
    assert len(mock.calls) == 1


def test_a_profile_that_all_series_share_stays(mock: responses.RequestsMock) -> None:
    name = {**PENDING, "__name__": "scheduler_schedule_attempts_total"}
    mock.get(QUERY, json=vector(series("2", **name, profile="p", result="scheduled", cluster="eu")))
    mock.get(QUERY, json=vector())
    (found,) = scrapes(read())
    assert found.samples[0].labels == (("profile", "p"), ("result", "scheduled"))
    assert "cluster eu" in found.origin


def test_files_are_asked_for_as_of_their_clock(mock: responses.RequestsMock) -> None:
    mock.get(QUERY, json=vector(ACTIVE))
    read(NOW)
    assert {query["time"][0] for query in asked(mock)} == {f"{NOW.timestamp():.3f}"}


def test_warnings_of_a_partial_answer_are_shown(mock: responses.RequestsMock) -> None:
    mock.get(QUERY, json=vector(ACTIVE, warnings=["a store is down: partial response"], infos=["not a counter"]))
    mock.get(QUERY, json=vector(LEADER))
    (found,) = scrapes(read())
    assert found.warnings == ("a store is down: partial response",)


def test_a_second_query_that_fails_is_a_warning(mock: responses.RequestsMock) -> None:
    mock.get(QUERY, json=vector(ACTIVE))
    mock.get(QUERY, json=error("execution", "query processing would load too many samples"), status=422)
    (found,) = scrapes(read())
    assert found.warnings[0].startswith("What else these processes expose could not be read: ")
    assert "too many samples" in found.warnings[0]


def test_nothing_is_scraped(mock: responses.RequestsMock) -> None:
    mock.get(QUERY, json=vector(warnings=["partial"]))
    gap = a_gap(read())
    assert gap.reason is GapReason.UNSUPPORTED
    assert "It warns: partial" in gap.detail


@pytest.mark.parametrize(
    ("status", "kind", "reason"),
    [(400, "bad_data", "not supported by this server"), (422, "execution", "malformed"), (503, "timeout", "timed out")],
)
def test_refusals_of_a_query(mock: responses.RequestsMock, status: int, kind: str, reason: str) -> None:
    mock.get(QUERY, json=error(kind, "it went wrong"), status=status)
    gap = a_gap(read(timeout=1))
    if status == 503:
        assert "answered 503" in gap.detail
        return
    assert (gap.reason, gap.detail) == (reason, f"{URL} answered {status}: {kind}: it went wrong.")


@pytest.mark.parametrize("status", [401, 403])
def test_who_may_not_ask(mock: responses.RequestsMock, status: int) -> None:
    mock.get(QUERY, body="Unauthorized\n", status=status)
    gap = a_gap(read())
    assert gap.reason is GapReason.FORBIDDEN
    assert gap.detail == f"{URL} answered {status} (Unauthorized)."
    assert "--prometheus-token-file" in gap.grant


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"<!doctype html><title>Sign in</title>", 'a web page called "Sign in", not with metrics'),
        (b"hello", "no answer of Prometheus' HTTP API"),
        (b"", "no answer of Prometheus' HTTP API"),
        (b"{}", "no answer of Prometheus' HTTP API"),
        (b'{"status":"success"}', "no answer of Prometheus' HTTP API"),
        (b"[1]", "no answer of Prometheus' HTTP API"),
        (json.dumps({"kind": "Status", "status": "Failure", "code": 403}).encode(), "no answer"),
        (json.dumps({"status": "success", "data": {"resultType": "matrix", "result": []}}).encode(), "is a matrix"),
        (json.dumps({"status": "success", "data": {"resultType": "vector", "result": 7}}).encode(), "no answer"),
        (json.dumps(vector(ACTIVE)).encode()[:-20], "no answer of Prometheus' HTTP API"),
    ],
)
def test_what_is_no_prometheus(mock: responses.RequestsMock, body: bytes, says: str) -> None:
    mock.get(QUERY, body=body)
    gap = a_gap(read())
    assert (gap.reason, says in gap.detail) == (GapReason.MALFORMED, True), gap.detail


def test_an_address_without_the_api(mock: responses.RequestsMock) -> None:
    mock.get(f"{URL}/grafana/api/v1/query", body="404 page not found", status=404)
    gap = a_gap(read(prometheus=f"{URL}/grafana/"))
    assert "has no /api/v1/query" in gap.detail
    assert "--prometheus" in gap.grant


def test_a_redirect_is_not_followed(mock: responses.RequestsMock) -> None:
    mock.get(QUERY, status=302, headers={"Location": "https://login.test/?token=1"})
    assert a_gap(read(**SECRETS)).detail == f"{URL} sends on to https://login.test/ instead of answering."
    assert len(mock.calls) == 1


@pytest.mark.parametrize("error_", [requests.ConnectTimeout("slow"), requests.ConnectionError("refused")])
def test_no_answer(mock: responses.RequestsMock, error_: Exception) -> None:
    mock.get(QUERY, body=error_)
    gap = a_gap(read(timeout=3))
    assert gap.reason in {GapReason.TIMED_OUT, GapReason.UNREACHABLE}
    assert "kubeconfig" not in gap.detail + gap.grant


def test_an_answer_that_is_too_large(mock: responses.RequestsMock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whypending.sources.metrics.fetch.MAX_BODY", 1 << 20)
    mock.get(QUERY, body=b" " * (2 << 20))
    gap = a_gap(read())
    assert (gap.reason, "larger than 1 MB" in gap.detail) == (GapReason.MALFORMED, True)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"token": "t0ken"}, "Bearer t0ken"),
        ({"user": "jane", "password": "p:w"}, "Basic " + base64.b64encode(b"jane:p:w").decode()),
        ({"prometheus": "https://jane:p%40w@prometheus.test:9090"}, "Basic " + base64.b64encode(b"jane:p@w").decode()),
        ({}, None),
    ],
)
def test_the_login(mock: responses.RequestsMock, wanted: dict[str, str], expected: str | None) -> None:
    mock.get(QUERY, json=vector(ACTIVE))
    (found,) = scrapes(read(**wanted))
    assert {call.request.headers.get("Authorization") for call in mock.calls} == {expected}
    assert "jane" not in found.origin


def test_further_headers(mock: responses.RequestsMock) -> None:
    mock.get(QUERY, json=vector(ACTIVE))
    read(headers=(("X-Scope-OrgID", "team-a"),))
    assert {call.request.headers["X-Scope-OrgID"] for call in mock.calls} == {"team-a"}


def test_the_credential_is_never_shown() -> None:
    wanted = Wanted(prometheus=URL, headers=(("Cookie", "c00kie"),), **SECRETS)
    assert not {"t0ken", "p4ss", "c00kie"} & set(repr(wanted).replace("'", " ").split())


def test_native_histograms_and_values_that_are_none(mock: responses.RequestsMock) -> None:
    name = {**PENDING, "__name__": "scheduler_scheduling_attempt_duration_seconds"}
    native = {
        "metric": {**name, "result": "scheduled"},
        "histogram": [1.7e9, {"count": "4", "sum": "2", "buckets": []}],
    }
    mock.get(QUERY, json=vector(native, series("NaN", **PENDING), series("+Inf", **PENDING), series("x", **PENDING)))
    mock.get(QUERY, json=vector())
    (found,) = scrapes(read())
    assert [(s.name.rpartition("_")[2], s.value) for s in found.samples] == [("count", 4), ("sum", 2)]


def test_names_in_a_query_are_quoted() -> None:
    query = promql.of_processes([('a"b\\c', "10.0.0.1:1"), ("x|y", "[::1]:1")])
    assert 'job=~"a\\"b\\\\\\\\c|x\\\\|y"' in query
    assert 'instance=~"10\\\\.0\\\\.0\\\\.1:1|\\\\[::1\\\\]:1"' in query
