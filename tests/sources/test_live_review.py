"""SubjectAccessReview: the one POST, sent as it is asked for and never again."""

from __future__ import annotations

import json

import pytest
import requests
import responses

from tests.sources.livekit import API, a_gap, status
from whypending.evidence import GapReason
from whypending.sources.base import Review
from whypending.sources.live import LiveSource

URL = f"{API}/apis/authorization.k8s.io/v1/subjectaccessreviews"
GROUPS = ("system:serviceaccounts", "system:authenticated")
BIND = Review(user="system:serviceaccount:a:b", groups=GROUPS, verb="create", group="", resource="pods/binding")
LEASE = Review(user="u", verb="update", group="coordination.k8s.io", resource="leases", namespace="n", name="x")


def answered(allowed: object) -> dict[str, object]:
    return {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "status": {"allowed": allowed}}


@pytest.mark.parametrize("allowed", [True, False])
def test_the_servers_answer(met: LiveSource, mock: responses.RequestsMock, allowed: bool) -> None:
    mock.post(URL, json=answered(allowed), status=201)
    assert met.review(BIND) == (allowed,)
    sent = mock.calls[-1].request
    assert sent.headers["Content-Type"] == "application/json"
    assert json.loads(sent.body or b"") == {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {
            "user": "system:serviceaccount:a:b",
            "groups": list(GROUPS),
            "resourceAttributes": {"verb": "create", "resource": "pods", "subresource": "binding"},
        },
    }


def test_one_object_in_one_namespace(met: LiveSource, mock: responses.RequestsMock) -> None:
    mock.post(URL, json=answered(allowed=True), status=201)
    met.review(LEASE)
    asked = json.loads(mock.calls[-1].request.body or b"")["spec"]["resourceAttributes"]
    assert asked == {
        "verb": "update",
        "group": "coordination.k8s.io",
        "resource": "leases",
        "namespace": "n",
        "name": "x",
    }


def test_who_may_not_ask_learns_what_to_ask_for(met: LiveSource, mock: responses.RequestsMock) -> None:
    mock.post(URL, status=403, json=status(403, "Forbidden", "no"))
    gap = a_gap(met.review(BIND))
    assert gap.reason is GapReason.FORBIDDEN
    assert gap.grant == "create subjectaccessreviews.authorization.k8s.io (cluster-wide)"


@pytest.mark.parametrize("code", [404, 422])
def test_a_server_that_does_not_know_it(met: LiveSource, mock: responses.RequestsMock, code: int) -> None:
    mock.post(URL, status=code, json=status(code, "X", "no"))
    assert a_gap(met.review(BIND)).reason is GapReason.UNSUPPORTED


@pytest.mark.parametrize("code", [429, 500, 503])
def test_it_is_not_sent_again(met: LiveSource, mock: responses.RequestsMock, code: int) -> None:
    mock.post(URL, status=code, json=status(code, "X", "no"))
    assert a_gap(met.review(BIND)).reason is GapReason.UNREACHABLE
    assert sum(call.request.method == "POST" for call in mock.calls) == 1


@pytest.mark.parametrize("body", [b"{}", b"", b'{"status":{"allowed":"yes"}}', b"<html><title>Log in</title>"])
def test_what_is_no_answer_is_a_gap(met: LiveSource, mock: responses.RequestsMock, body: bytes) -> None:
    mock.post(URL, body=body, status=201)
    assert a_gap(met.review(BIND)).reason is GapReason.MALFORMED


def test_a_broken_connection_is_a_gap(met: LiveSource, mock: responses.RequestsMock) -> None:
    mock.post(URL, body=requests.ConnectionError("reset"))
    assert a_gap(met.review(BIND)).reason is GapReason.UNREACHABLE
