"""The first contact: when nothing can be read at all, and why."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
import responses

from tests.sources.livekit import API, DATE, POD, POD_URL, a_gap, jwt, opened, pod, status
from whypending.errors import ConfigurationError, ForbiddenError, SourceError, UnreachableError
from whypending.evidence import GapReason
from whypending.sources.base import Query
from whypending.sources.live import LiveSource


def error_of(source: LiveSource, query: Query[Any] = POD) -> SourceError:
    with pytest.raises(SourceError) as caught:
        source.read(query)
    assert caught.value.message.endswith(".")
    return caught.value


def test_unauthorized(mock: responses.RequestsMock) -> None:
    mock.get(POD_URL, status=401, json=status(401, "Unauthorized", "Unauthorized"), headers={"Date": DATE})
    expired = jwt(exp=datetime(2026, 3, 1, tzinfo=UTC).timestamp())
    cases = {
        "Bearer opaque": f'{API} does not accept the credential of the user "jane" (a token).',
        f"Bearer {expired}": 'The token of the user "jane" expired at 2026-03-01T00:00:00Z.',
        "": f'The context "lab" has no credential, and {API} wants one.',
    }
    for authorization, sentence in cases.items():
        for live in opened(authorization=authorization, credential="a token" if authorization else ""):
            error = error_of(live)
            assert isinstance(error, ConfigurationError)
            assert error.message == sentence
            assert "Log in again" in error.hint


def test_a_later_401_is_a_gap(met: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(POD_URL, status=401, json=status(401, "Unauthorized", "Unauthorized"))
    assert a_gap(met.read(POD)).reason is GapReason.FORBIDDEN


def test_as_nobody(source: LiveSource, mock: responses.RequestsMock) -> None:
    message = 'pods "a" is forbidden: User "system:anonymous" cannot get resource "pods"'
    mock.get(POD_URL, status=403, json=status(403, "Forbidden", message))
    assert error_of(source).message == f'The context "lab" has no credential, and {API} wants one.'


def test_when_acting_as_somebody_is_forbidden(source: LiveSource, mock: responses.RequestsMock) -> None:
    message = 'users "bob" is forbidden: User "jane" cannot impersonate resource "users" in API group "" at the cluster'
    mock.get(POD_URL, status=403, json=status(403, "Forbidden", message))
    error = error_of(source)
    assert isinstance(error, ForbiddenError)
    assert "--as" in error.hint


def test_web_page(source: LiveSource, mock: responses.RequestsMock) -> None:
    page = "<!DOCTYPE html><html><title>Sign in &amp; go \x1b[31m</title><body>…</body></html>"
    mock.get(POD_URL, body=page, content_type="text/html")
    error = error_of(source)
    assert isinstance(error, UnreachableError)
    assert error.message == (
        f'{API} answered with a web page called "Sign in & go \\x1b[31m" instead of the Kubernetes API.'
    )


def test_redirect_is_not_followed(mock: responses.RequestsMock) -> None:
    portal = mock.get("https://portal.test/login", body="<html>")
    mock.get(POD_URL, status=302, headers={"Location": "https://portal.test/login?token=x"})
    for live in opened(authorization="Bearer t"):
        assert error_of(live).message == f"{API} sends on to https://portal.test/login instead of answering."
    assert portal.call_count == 0


def test_truncated(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(POD_URL, body=json.dumps(pod("a"))[:-20])
    error = error_of(source)
    assert isinstance(error, UnreachableError)
    assert "truncated" in error.message


def test_with_something_else(source: LiveSource, mock: responses.RequestsMock) -> None:
    mock.get(POD_URL, status=404, body="404 page not found")
    assert error_of(source).message == (
        f"{API} is not a Kubernetes API server: it knows no /api/v1/namespaces/prod/pods/a."
    )
