"""GET by one `requests` Session: the cluster's CA, proxies, retries, the server's clock, and an end to all waiting."""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies_environment

import msgspec
import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests.utils import should_bypass_proxies

from whypending import __version__
from whypending.sources.live import failures
from whypending.sources.live.access import Access
from whypending.sources.live.failures import Failure
from whypending.sources.live.pool import SIZE
from whypending.sources.live.tls import context_for

_RETRIED = frozenset({429, 500, 502, 503, 504})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FIRST_PAUSE = 0.2
_CHUNK = 1 << 17
MAX_BODY = 256 << 20
"""Bytes of one answer; pages of 500 Pods are 2-5 MB."""


class Status(msgspec.Struct, frozen=True):
    """`metav1.Status`, as far as it tells answers apart."""

    kind: str = ""
    reason: str = ""
    message: str = ""
    details: Mapping[str, Any] | None = None


class Answer(NamedTuple):
    """Status and body of an answer that arrived whole."""

    status: int
    body: bytes
    headers: Mapping[str, str]

    @property
    def problem(self) -> Status:
        """The Status object of a refusal; one with the bare text where it is no JSON."""
        try:
            return msgspec.json.decode(self.body, type=Status)
        except msgspec.DecodeError:
            text = failures.page_title(self.body) or self.body[:200].decode("utf-8", "replace").strip()
            return Status(message=text)


class Transport:
    """Requests to one server. Safe to use from several threads. `deadline` is on the monotonic clock."""

    def __init__(self, access: Access, deadline: float, timeout: float, request_timeout: float) -> None:
        self._access = access
        self._deadline = deadline
        self._timeout = timeout
        self._request_timeout = request_timeout
        self._session = _session(access)
        self.date: datetime | None = None
        """The Date header of the first answer."""
        self.max_body = MAX_BODY

    def get(self, path: str, params: Mapping[str, str], retries: int = 3) -> Answer:
        """GET, retried on 429 and 5xx with back-off or as Retry-After says, and once where no connection came about.

        Raises Failure where there is no answer of an API server.
        """
        for attempt in range(retries + 1):
            pause = _FIRST_PAUSE * 2**attempt * random.uniform(0.5, 1)  # noqa: S311 - jitter
            try:
                answer = self._once(path, params)
            except Failure as failure:
                if attempt or not failure.passing or not retries or not self._wait(pause):
                    raise
                continue
            if answer.status not in _RETRIED:
                return self._checked(answer)
            asked = _retry_after(answer)
            if attempt == retries or not self._wait(asked or pause):
                raise failures.refused_status(self._access.host, answer.status, answer.problem.message, asked)
        raise AssertionError(path)

    def post(self, path: str, body: bytes) -> Answer:
        """POST of JSON, once. Raises Failure as `get` does."""
        answer = self._once(path, {}, body)
        if answer.status in _RETRIED:
            raise failures.refused_status(self._access.host, answer.status, answer.problem.message)
        return self._checked(answer)

    def close(self) -> None:
        """Close all connections that are not in use."""
        self._session.close()

    def _checked(self, answer: Answer) -> Answer:
        host = self._access.host
        if answer.status in _REDIRECTS:
            raise failures.redirected(host, answer.headers.get("Location", ""))
        page = failures.web_page(host, answer.body)
        if page is not None:
            raise page
        return answer

    def _once(self, path: str, params: Mapping[str, str], body: bytes | None = None) -> Answer:
        seconds = self._seconds()
        url = self._access.server + path
        try:
            with self._session.request(
                "GET" if body is None else "POST", url, params=params, data=body,
                headers=None if body is None else {"Content-Type": "application/json"},
                timeout=seconds, stream=True, allow_redirects=False,
            ) as response:  # fmt: skip
                self._note_date(response)
                return Answer(response.status_code, self._body(response), response.headers)
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            whole = seconds < self._request_timeout
            limit = (self._timeout, "--timeout") if whole else (seconds, "--request-timeout")
            raise failures.of_exception(error, self._access.host, *limit) from error

    def _body(self, response: requests.Response) -> bytes:
        """The whole body. Each wait ends with the request's or the total time, however slowly bytes drip in."""
        raw: Any = response.raw
        read = getattr(raw, "read1", raw.read)
        socket = getattr(getattr(raw, "connection", None), "sock", None)
        chunks, size = [], 0
        while chunk := read(_CHUNK, decode_content=True):
            chunks.append(chunk)
            size += len(chunk)
            if size > self.max_body:
                raise failures.malformed(self._access.host, f"it is larger than {self.max_body >> 20} MB")
            seconds = self._seconds()
            if socket is not None:
                socket.settimeout(seconds)
        return b"".join(chunks)

    def _seconds(self) -> float:
        """How long the next wait may be."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise failures.timed_out(self._access.host, self._timeout)
        return min(left, self._request_timeout)

    def _wait(self, seconds: float) -> bool:
        """Pause before the next try; False where that would outlast the total time."""
        if time.monotonic() + seconds >= self._deadline:
            return False
        time.sleep(seconds)
        return True

    def _note_date(self, response: requests.Response) -> None:
        if self.date is not None or "Date" not in response.headers:
            return
        try:
            self.date = email.utils.parsedate_to_datetime(response.headers["Date"]).astimezone(UTC)
        except ValueError:
            return


class _Adapter(HTTPAdapter):
    """Brings its own TLS context: what the environment or `verify` says about CAs never reaches a connection."""

    def __init__(self, access: Access) -> None:
        self._tls: dict[str, Any] = {
            "ssl_context": context_for(access),
            "cert_reqs": "CERT_REQUIRED" if access.verify else "CERT_NONE",
        }
        if access.tls_server_name:
            self._tls["server_hostname"] = access.tls_server_name
        self._headers = access.headers
        super().__init__(pool_connections=1, pool_maxsize=SIZE + 1)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **kwargs: Any) -> None:  # noqa: ANN401, FBT002
        super().init_poolmanager(connections, maxsize, block, **kwargs, **self._tls)

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:  # noqa: ANN401
        return super().proxy_manager_for(proxy, **kwargs, **self._tls)

    def build_connection_pool_key_attributes(self, *args: Any, **kwargs: Any) -> tuple[Any, Any]:  # noqa: ANN401
        host, _ = super().build_connection_pool_key_attributes(*args, **kwargs)
        return host, {}

    def cert_verify(self, conn: Any, url: Any, verify: Any, cert: Any) -> None:  # noqa: ANN401
        """Nothing to set: the context decides."""

    def add_headers(self, request: requests.PreparedRequest, **_: Any) -> None:  # noqa: ANN401
        """Impersonation: several groups are several headers, which a Session's mapping can't hold."""
        headers = urllib3.HTTPHeaderDict(request.headers)
        for name, value in self._headers:
            headers.add(name, value.encode().decode("latin-1"))  # sent as UTF-8
        request.headers = headers  # type: ignore[assignment]


def _session(access: Access) -> requests.Session:
    """`trust_env` is off: REQUESTS_CA_BUNDLE and .netrc have no say. Proxies are set here as kubectl would."""
    session = requests.Session()
    session.trust_env = False
    adapter = _Adapter(access)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    session.headers["User-Agent"] = f"whypending/{__version__}"
    session.headers["Accept"] = "application/json"
    if access.authorization:
        session.headers["Authorization"] = access.authorization
    proxy = access.proxy or environment_proxy(access.server)
    if proxy:
        session.proxies = {"http": proxy, "https": proxy}
    if not access.verify:
        urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
    return session


def environment_proxy(server: str) -> str:
    """HTTPS_PROXY or HTTP_PROXY unless NO_PROXY covers the server; never for this machine itself."""
    parts = urlsplit(server)
    if _is_local(parts.hostname or "") or should_bypass_proxies(server, None):
        return ""
    return getproxies_environment().get(parts.scheme, "")


def _is_local(host: str) -> bool:
    return host in {"localhost", "::1"} or host.startswith("127.")


def _retry_after(answer: Answer) -> float:
    """Seconds, as API servers write it."""
    value = answer.headers.get("Retry-After", "")
    return float(value) if value.isdigit() else 0.0
