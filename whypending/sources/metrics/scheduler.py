"""A scheduler's own /metrics: by its URL, or by a port-forward to its Pod."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from whypending.evidence import Gap, GapReason, Scrape
from whypending.metrics.exposition import ForeignError, parse
from whypending.sources.live.access import Access
from whypending.sources.live.failures import Failure, plain
from whypending.sources.live.transport import Answer
from whypending.sources.metrics.fetch import Fetcher, access_to, grant_of, unverified
from whypending.sources.metrics.gaps import gap
from whypending.sources.metrics.wanted import Wanted

_OK, _REFUSED = 200, frozenset({401, 403})
_RIGHT = 'the right to get the nonResourceURL "/metrics", for the ServiceAccount of --metrics-serviceaccount'


class Address(NamedTuple):
    """A port of a Pod."""

    namespace: str
    pod: str
    port: int

    @property
    def ref(self) -> str:
        """`Pod kube-system/kube-scheduler-n1, port 10259`."""
        return f"Pod {self.namespace}/{self.pod}, port {self.port}"


def by_url(wanted: Wanted, token: str) -> Scrape | Gap:
    """What `--metrics-url` exposes; token: the ServiceAccount's, empty = without one."""
    access, path = access_to(wanted.url, wanted, f"Bearer {token}" if token else "")
    fetcher = Fetcher(access, wanted)

    def fetch() -> Answer:
        return fetcher.fetch(path or "/metrics", {})

    try:
        return _scrape(fetch, access.host + (path or "/metrics"), "url", unverified(access))
    finally:
        fetcher.close()


def by_port_forward(api: Access, address: Address, wanted: Wanted, token: str) -> Scrape | Gap:
    """What the Pod's port exposes; `api` carries the user's credential to the API server, `token` goes beyond it."""
    from whypending.sources.metrics.forward import fetch_through  # noqa: PLC0415 - websocket costs 60 ms

    def fetch() -> Answer:
        return fetch_through(api, address, wanted, token)

    warnings = (f"The certificate of {address.ref} is not verified.",) if wanted.insecure else ()
    return _scrape(fetch, address.ref, "port-forward", warnings)


def _scrape(fetch: Callable[[], Answer], origin: str, how: str, warnings: tuple[str, ...]) -> Scrape | Gap:
    try:
        answer = fetch()
    except Failure as failure:
        return gap(failure.reason, failure.message, failure.hint or grant_of(failure))
    if answer.status in _REFUSED:
        return gap(GapReason.FORBIDDEN, f"{origin} answered {answer.status}: {_words(answer)}.", _RIGHT)
    if answer.status != _OK:
        return gap(GapReason.MALFORMED, f"{origin} answered {answer.status}: {_words(answer)}.")
    try:
        exposed = parse(answer.body.decode("utf-8", "replace"))
    except ForeignError as error:
        return gap(GapReason.MALFORMED, f"{origin} can't be used: {error}.")
    now = datetime.now(UTC)
    return Scrape(origin=origin, how=how, at=now, samples=exposed.samples, warnings=(*warnings, *exposed.warnings))


def _words(answer: Answer) -> str:
    return plain(answer.problem.message, 200).rstrip(".") or "nothing more"
