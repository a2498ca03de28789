"""GET of metrics: bounded, verified, never redirected; on `Transport`, so with its proxies, retries and deadlines."""

from __future__ import annotations

import time
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit, urlunsplit

from whypending.evidence import GapReason
from whypending.sources.live import failures
from whypending.sources.live.access import Access
from whypending.sources.live.failures import Failure
from whypending.sources.live.transport import Answer, Transport
from whypending.sources.metrics.wanted import Wanted

MAX_BODY = 64 << 20
"""Bytes of one answer."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
UNTRUSTED = "name its CA with --metrics-ca FILE, or accept the risk with --metrics-insecure"


class Fetcher(Transport):
    """One endpoint. Raises Failure as Transport does, in words that fit any server."""

    def __init__(self, access: Access, wanted: Wanted) -> None:
        super().__init__(access, time.monotonic() + wanted.timeout, wanted.timeout, wanted.request_timeout)
        self.max_body = MAX_BODY
        self._session.headers["Accept"] = "application/json, text/plain;version=0.0.4;q=0.9"

    def send_also(self, headers: tuple[tuple[str, str], ...]) -> None:
        """Headers with every request."""
        self._session.headers.update(dict(headers))

    def fetch(self, path: str, params: Mapping[str, str]) -> Answer:
        """The answer, whatever its status is; 429 and 5xx are asked once more."""
        try:
            return self.get(path, params, retries=1)
        except Failure as failure:
            raise _reworded(failure) from failure

    def _checked(self, answer: Answer) -> Answer:
        host = self._access.host
        if answer.status in _REDIRECTS:
            to = failures.plain(answer.headers.get("Location", "").split("?", 1)[0], 100)
            raise _foreign(f"{host} sends on to {to or 'another place'} instead of answering.")
        if answer.body.lstrip()[:1] == b"<":
            title = failures.page_title(answer.body)
            called = f' called "{title}"' if title else ""
            raise _foreign(f"{host} answered with a web page{called}, not with metrics.")
        return answer


def access_to(url: str, wanted: Wanted, authorization: str = "") -> tuple[Access, str]:
    """How to reach a URL, and its path; what it says before an @ is left out."""
    parts = urlsplit(url)
    server = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], "", "", ""))
    access = Access(
        server=server,
        ca=wanted.ca,
        tls_server_name=wanted.server_name,
        authorization=authorization,
        verify=not wanted.insecure,
    )
    return access, parts.path


def login_in(url: str) -> str:
    """`user:password` of a URL, empty where it has none."""
    return unquote(urlsplit(url).netloc.rpartition("@")[0])


def unverified(access: Access) -> tuple[str, ...]:
    """The warning that goes with an endpoint that could be anybody."""
    if access.server.startswith("http://") or access.verify:
        return ()
    return (f"The certificate of {access.host} is not verified.",)


def grant_of(failure: Failure, otherwise: str = "") -> str:
    """What to do about a failure: a certificate has an option of its own."""
    return UNTRUSTED if "certificate" in failure.message.lower() else otherwise


def _foreign(message: str) -> Failure:
    return Failure(message, reason=GapReason.MALFORMED)


def _reworded(failure: Failure) -> Failure:
    """Transport speaks of kubeconfigs, which have no say here."""
    message = failure.message.replace("the cluster's CA in the kubeconfig", "a CA that is trusted here")
    return Failure(message, reason=failure.reason)
