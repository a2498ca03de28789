from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
import requests
import responses
from responses.matchers import query_param_matcher

from tests.sources.livekit import (
    API,
    DATE,
    NOW,
    POD,
    POD_URL,
    PODS_QUERY,
    PODS_URL,
    a_gap,
    items,
    opened,
    pod,
    status,
)
from whypending.evidence import Gap, GapReason, Known
from whypending.objects.kinds import DEPLOYMENTS, EVENTS, LOCAL_QUEUES, NODES, PODS, Kind
from whypending.objects.pod import Pod
from whypending.sources.base import LogQuery, Query
from whypending.sources.live import LiveSource


def names(found: Known[Pod]) -> list[str]:
    assert not isinstance(found, Gap)
    return [p.name for p in found]


def test_one_object(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(POD_URL, json=pod("a"), headers={"Date": DATE})
    assert names(source.read(POD)) == ["a"]
    assert source.now == NOW
    assert source.server_version == "v1.37.2"
    assert source.details == (("server", API), ("version", "v1.37.2"), ("context", "lab"))
    assert (source.kind, source.notes, source.namespace) == ("live", (), "default")


def test_only_get_is_sent_and_says_who_asks(mock: responses.RequestsMock) -> None:
    for live in opened(authorization="Bearer t"):
        mock.get(POD_URL, json=pod("a"))
        live.read(POD)
        live.log(LogQuery(namespace="prod", pod="a"))
    assert {call.request.method for call in mock.calls} == {"GET"}
    headers = mock.calls[0].request.headers
    assert headers["User-Agent"].startswith("whypending/")
    assert headers["Authorization"] == "Bearer t"
    assert headers["Accept"] == "application/json"


@pytest.mark.parametrize("kind", [Kind("Secret", "secrets", ("v1",), Pod), Kind("Other", "secrets", ("v1",), Pod)])
def test_secrets_are_never_read(source: LiveSource, kind: Kind[Pod], mock: responses.RequestsMock) -> None:
    with pytest.raises(AssertionError):
        source.read(Query(kind=kind, namespace="prod"))
    assert not [call for call in mock.calls if "secrets" in (call.request.url or "")]


def test_a_missing_object_is_an_empty_answer(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(POD_URL, status=404, json=status(404, "NotFound", 'pods "a" not found', name="a", kind="pods"))
    assert source.read(POD) == ()


@pytest.mark.parametrize("name", [".", ".."])
def test_names_that_are_paths_find_nothing(source: LiveSource, name: str) -> None:
    assert source.read(Query(kind=PODS, namespace="prod", name=name)) == ()


def test_names_are_quoted(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(f"{PODS_URL}/a%2F..%2F..%2Fsecrets%3Fx", status=404, json=status(404, "NotFound", "", name="a/../../s"))
    assert source.read(Query(kind=PODS, namespace="prod", name="a/../../secrets?x")) == ()


def test_a_list_in_pages(source: LiveSource, mock: responses.RequestsMock) -> None:
    first = {"limit": "500", "fieldSelector": "status.phase=Pending", "labelSelector": "app=x"}
    mock.get(PODS_URL, json=items("Pod", pod("a"), more="t/1="), match=[query_param_matcher(first)])
    mock.get(PODS_URL, json=items("Pod", pod("b")), match=[query_param_matcher({**first, "continue": "t/1="})])
    query = Query(kind=PODS, namespace="prod", fields="status.phase=Pending", labels="app=x")
    assert names(source.read(query)) == ["a", "b"]


def test_a_name_in_all_namespaces_is_a_list(source: LiveSource, mock: responses.RequestsMock) -> None:
    params = {"limit": "500", "fieldSelector": "metadata.name=a"}
    mock.get(f"{API}/api/v1/pods", json=items("Pod", pod("a", "x"), pod("a", "y")), match=[query_param_matcher(params)])
    found = source.read(Query(kind=PODS, name="a"))
    assert not isinstance(found, Gap)
    assert [p.namespace for p in found] == ["x", "y"]


def test_a_limit_ends_the_list(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(PODS_URL, json=items("Pod", pod("a"), pod("b"), more="t"), match=[query_param_matcher({"limit": "2"})])
    assert names(source.read(Query(kind=PODS, namespace="prod", limit=2))) == ["a", "b"]


def test_keep_reduces_page_by_page_and_counts_for_the_limit(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(PODS_URL, json=items("Pod", pod("a"), pod("b"), more="t"), match=[query_param_matcher({"limit": "500"})])
    second = query_param_matcher({"limit": "500", "continue": "t"})
    mock.get(PODS_URL, json=items("Pod", pod("b"), pod("b"), more="u"), match=[second])
    query = Query(kind=PODS, namespace="prod", limit=2, keep=lambda p: p if p.name == "b" else None)
    assert names(source.read(query)) == ["b", "b"]


def test_an_expired_token_restarts_the_list_once(source: LiveSource, mock: responses.RequestsMock) -> None:
    gone = status(410, "Expired", "The provided continue parameter is too old")
    first, second = query_param_matcher({"limit": "500"}), query_param_matcher({"limit": "500", "continue": "t"})
    mock.get(PODS_URL, json=items("Pod", pod("old"), more="t"), match=[first])
    mock.get(PODS_URL, status=410, json=gone, match=[second])
    mock.get(PODS_URL, json=items("Pod", pod("a"), more="t"), match=[first])
    mock.get(PODS_URL, json=items("Pod", pod("b")), match=[second])
    assert names(source.read(PODS_QUERY)) == ["a", "b"]


def test_a_list_that_expires_twice_is_a_gap(source: LiveSource, mock: responses.RequestsMock) -> None:
    gone = status(410, "Expired", "too old")
    mock.get(PODS_URL, json=items("Pod", pod("a"), more="t"), match=[query_param_matcher({"limit": "500"})])
    mock.get(PODS_URL, status=410, json=gone, match=[query_param_matcher({"limit": "500", "continue": "t"})])
    found = a_gap(source.read(PODS_QUERY))
    assert (found.reason, found.detail) == (GapReason.EXPIRED, "too old")


def test_forbidden_is_a_gap_with_the_rule_to_ask_for(source: LiveSource, mock: responses.RequestsMock) -> None:
    for path in ("namespaces/prod/pods/a", "namespaces/prod/events", "nodes", "nodes/n1", "pods"):
        mock.get(f"{API}/api/v1/{path}", status=403, json=status(403, "Forbidden", f'User "jane" may not: {path}'))
    pod_gap = a_gap(source.read(POD))
    assert (pod_gap.reason, pod_gap.what, pod_gap.would_decide) == (
        GapReason.FORBIDDEN, "the Pod prod/a", "everything",
    )  # fmt: skip
    assert pod_gap.detail == 'User "jane" may not: namespaces/prod/pods/a'
    asked: list[Query[Any]] = [POD, Query(kind=EVENTS, namespace="prod"), Query(kind=NODES)]
    asked += [Query(kind=NODES, name="n1"), Query(kind=PODS)]
    assert [a_gap(source.read(query)).grant for query in asked] == [
        'get pods in namespace "prod"',
        'list events in namespace "prod"',
        "list nodes (cluster-wide)",
        "get nodes (cluster-wide)",
        "list pods (cluster-wide)",
    ]


def test_the_grant_names_the_api_group(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(f"{API}/apis/apps/v1/namespaces/prod/deployments", status=403, json=status(403, "Forbidden", "no"))
    found = a_gap(source.read(Query(kind=DEPLOYMENTS, namespace="prod")))
    assert (found.what, found.grant) == (
        "the Deployments in namespace prod",
        'list deployments.apps in namespace "prod"',
    )


def test_the_next_version_is_tried_and_remembered(source: LiveSource, mock: responses.RequestsMock) -> None:
    new = mock.get(f"{API}/apis/kueue.x-k8s.io/v1beta2/localqueues", status=404, body="404 page not found\n")
    old = mock.get(
        f"{API}/apis/kueue.x-k8s.io/v1beta1/localqueues", json=items("LocalQueue", {"metadata": {"name": "q"}})
    )
    for _ in range(2):
        found = source.read(Query(kind=LOCAL_QUEUES))
        assert not isinstance(found, Gap)
        assert [(q.kind, q.api_version, q.name) for q in found] == [("LocalQueue", "kueue.x-k8s.io/v1beta1", "q")]
    assert (new.call_count, old.call_count) == (1, 2)


def test_a_group_that_the_server_does_not_have(met: LiveSource, mock: responses.RequestsMock) -> None:
    missing = status(404, "NotFound", "the server could not find the requested resource")
    mock.get(f"{API}/apis/kueue.x-k8s.io/v1beta2/localqueues", status=404, body="404 page not found\n")
    mock.get(f"{API}/apis/kueue.x-k8s.io/v1beta1/localqueues", status=404, json=missing)
    found = a_gap(met.read(Query(kind=LOCAL_QUEUES, would_decide="which queue it waits for")))
    assert (found.reason, found.would_decide) == (GapReason.UNSUPPORTED, "which queue it waits for")
    assert found.detail == "this server does not serve localqueues.kueue.x-k8s.io"


def test_a_resource_that_its_group_does_not_have_by_name(met: LiveSource, mock: responses.RequestsMock) -> None:
    missing = status(404, "NotFound", "the server could not find the requested resource")
    for version in LOCAL_QUEUES.versions:
        mock.get(f"{API}/apis/{version}/namespaces/prod/localqueues/q", status=404, json=missing)
    found = a_gap(met.read(Query(kind=LOCAL_QUEUES, namespace="prod", name="q")))
    assert found.reason is GapReason.UNSUPPORTED


def test_an_unsupported_selector_is_a_gap(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(PODS_URL, status=400, json=status(400, "BadRequest", 'field label not supported: "x"'))
    found = a_gap(source.read(Query(kind=PODS, namespace="prod", fields="x=1")))
    assert (found.reason, found.detail) == (GapReason.UNSUPPORTED, '400: field label not supported: "x"')


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_busy_servers_are_asked_again(source: LiveSource, mock: responses.RequestsMock, code: int) -> None:
    mock.get(POD_URL, status=code, json=status(code, "X", "busy"))
    mock.get(POD_URL, json=pod("a"))
    assert names(source.read(POD)) == ["a"]


def test_retry_after_is_obeyed(
    source: LiveSource, mock: responses.RequestsMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    mock.get(POD_URL, status=429, headers={"Retry-After": "7"})
    mock.get(POD_URL, status=503, headers={"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"})
    mock.get(POD_URL, json=pod("a"))
    assert names(source.read(POD)) == ["a"]
    assert slept[0] == 7
    assert 0.1 < slept[1] < 1


def test_a_pause_beyond_the_total_time_is_not_begun(met: LiveSource, mock: responses.RequestsMock) -> None:
    calls = mock.get(POD_URL, status=429, headers={"Retry-After": "3600"}, json=status(429, "TooMany", "slow down"))
    found = a_gap(met.read(POD))
    assert (found.reason, found.detail) == (GapReason.UNREACHABLE, f"{API} answered 429 (slow down).")
    assert calls.call_count == 1


def test_a_server_that_stays_ill(
    met: LiveSource, mock: responses.RequestsMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    calls = mock.get(POD_URL, status=503, body="<html><title>503 Service\nUnavailable</title>")
    found = a_gap(met.read(POD))
    assert (found.reason, found.detail) == (
        GapReason.UNREACHABLE, f"{API} answered 503 (503 Service Unavailable).",
    )  # fmt: skip
    assert calls.call_count == 4


def test_a_broken_connection_is_tried_once_more(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(POD_URL, body=requests.ConnectionError(ConnectionResetError(104, "Connection reset by peer")))
    mock.get(POD_URL, json=pod("a"))
    assert names(source.read(POD)) == ["a"]


def test_a_connection_that_stays_broken(met: LiveSource, mock: responses.RequestsMock) -> None:
    calls = mock.get(POD_URL, body=requests.ConnectionError(ConnectionResetError(104, "Connection reset by peer")))
    found = a_gap(met.read(POD))
    assert (found.reason, found.detail) == (
        GapReason.UNREACHABLE, f"{API} can't be reached: Connection reset by peer.",
    )  # fmt: skip
    assert calls.call_count == 2


def test_a_slow_answer_is_a_gap(met: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(POD_URL, body=requests.ReadTimeout("Read timed out."))
    found = a_gap(met.read(POD))
    assert (found.reason, found.detail) == (GapReason.TIMED_OUT, f"{API} did not answer within 10 s.")


@pytest.mark.parametrize("body", [b'{"kind": "Pod", "metadata": {"na', b"[]", b"", b"ok", b'{"hello": 1}'])
def test_what_can_not_be_decoded(met: LiveSource, mock: responses.RequestsMock, body: bytes) -> None:
    mock.get(POD_URL, body=body)
    mock.get(PODS_URL, body=body)
    for query in (POD, PODS_QUERY):
        found = a_gap(met.read(query))
        assert found.reason is GapReason.MALFORMED
        assert found.detail.startswith(f"The answer of {API} can't be read: ")


def test_odd_fields_are_dropped_and_noted(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(PODS_URL, json=items("Pod", pod("a", spec=None), pod("b", spec={"nodeName": 1}), {"metadata": []}))
    found = source.read(PODS_QUERY)
    assert names(found) == ["a", "b", ""]
    assert any(note.startswith("Pod prod/b: spec.nodeName was ignored") for note in source.notes)


def test_the_version_may_be_forbidden_and_the_date_missing(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.replace("GET", f"{API}/version", status=403, json=status(403, "Forbidden", "no"))
    mock.get(POD_URL, json=pod("a"))
    assert names(source.read(POD)) == ["a"]
    assert source.server_version == ""
    assert abs((source.now - datetime.now(UTC)).total_seconds()) < 5
    assert source.notes == (f"{API} sends no Date: ages are by this machine's clock.",)
    assert source.now == source.now


def test_the_clock_does_not_need_a_read(source: LiveSource) -> None:
    assert source.now == NOW


LOG = LogQuery(namespace="prod", pod="a", container="app", previous=True, tail_lines=3, limit_bytes=9)


def test_a_log(source: LiveSource, mock: responses.RequestsMock) -> None:
    params = {"container": "app", "previous": "true", "tailLines": "3", "limitBytes": "9"}
    mock.get(f"{POD_URL}/log", body=b"one\r\n\xfftwo\n", match=[query_param_matcher(params)])
    assert source.log(LOG) == ("one", "\ufffdtwo")


@pytest.mark.parametrize(
    "answer",
    [
        status(400, "BadRequest", 'previous terminated container "app" in pod "a" not found'),
        status(404, "NotFound", 'pods "a" not found', name="a", kind="pods"),
    ],
)
def test_no_such_log_is_an_empty_one(source: LiveSource, mock: responses.RequestsMock, answer: dict[str, Any]) -> None:
    mock.get(f"{POD_URL}/log", status=answer["code"], json=answer)
    assert source.log(LOG) == ()


def test_a_log_that_may_not_be_read_or_can_not_be_fetched(met: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(f"{POD_URL}/log", status=403, json=status(403, "Forbidden", "no"))
    found = a_gap(met.log(LOG))
    assert (found.what, found.grant) == ("the log of prod/a/app", 'get pods/log in namespace "prod"')
    mock.replace("GET", f"{POD_URL}/log", status=500, json=status(500, "X", "dial tcp 10.0.0.1:10250: i/o timeout"))
    found = a_gap(met.log(LOG))
    assert (found.reason, "10250" in found.detail) == (GapReason.UNREACHABLE, True)
