"""Fixtures of the live source's tests: a mocked API server at `livekit.API`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import responses

from tests.sources.livekit import API, DATE, VERSION, Authority, Pair, items, opened
from whypending.objects.kinds import NODES
from whypending.sources.base import Query
from whypending.sources.live import LiveSource


@pytest.fixture
def mock() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mocked:
        mocked.get(f"{API}/version", json=VERSION, headers={"Date": DATE})
        yield mocked


@pytest.fixture
def source(mock: responses.RequestsMock) -> Iterator[LiveSource]:
    del mock
    yield from opened()


@pytest.fixture
def met(source: LiveSource, mock: responses.RequestsMock) -> LiveSource:
    """A source that has had contact: what fails from now on is a Gap."""
    mock.get(f"{API}/api/v1/nodes", json=items("Node"))
    assert source.read(Query(kind=NODES)) == ()
    return source


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


@pytest.fixture(scope="module")
def pair(authority: Authority) -> Pair:
    return authority.issue("127.0.0.1", "localhost")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
