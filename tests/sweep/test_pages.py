"""A list that ends after so many pages, whatever they hold."""

from __future__ import annotations

import responses
from responses.matchers import query_param_matcher

from tests.sources.livekit import API, DATE, PODS_URL, VERSION, items, opened, pod
from whypending.objects.kinds import PODS
from whypending.objects.pod import Pod
from whypending.sources.base import Query


def nothing(_: Pod) -> Pod | None:
    return None


def test_a_list_ends_after_so_many_pages() -> None:
    with responses.RequestsMock() as mock:
        mock.get(f"{API}/version", json=VERSION, headers={"Date": DATE})
        mock.get(PODS_URL, json=items("Pod", pod("a"), more="1"), match=[query_param_matcher({"limit": "500"})])
        second = query_param_matcher({"limit": "500", "continue": "1"})
        mock.get(PODS_URL, json=items("Pod", pod("b"), more="2"), match=[second])
        for source in opened():
            assert source.read(Query(kind=PODS, namespace="prod", pages=2, keep=nothing)) == ()
            asked = [call for call in mock.calls if str(call.request.url).startswith(PODS_URL)]
            assert len(asked) == 2
