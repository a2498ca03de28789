"""What can go wrong between here and the API server: one sentence and a next step for each."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from collections.abc import Iterator

import requests
import urllib3

from whypending.errors import ConfigurationError, SourceError, UnreachableError
from whypending.evidence import GapReason

_TITLE = re.compile(rb"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_CHECK = "Check that the cluster is up, and the network, VPN and kubeconfig context."
_EXPIRED, _NOT_YET_VALID, _UNTRUSTED, _MISMATCH = 10, 9, (18, 19, 20, 21), (62, 64)
"""OpenSSL's X509_V_ERR_… codes."""


class Failure(Exception):  # noqa: N818 - not an error of its own: it becomes a Gap or one of errors.py
    """A read that failed: a Gap with `reason` later on, the exception `error` where it was the first contact.

    `passing`: asking once more at once may help.
    """

    def __init__(
        self,
        message: str,
        hint: str = "",
        reason: GapReason = GapReason.UNREACHABLE,
        error: type[SourceError] = UnreachableError,
        *,
        passing: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.reason = reason
        self.error = error
        self.passing = passing

    def as_error(self) -> SourceError:
        """The exception of the first contact."""
        return self.error(self.message, self.hint)


def plain(text: str, limit: int = 300) -> str:
    r"""Foreign text in one line: control and bidi characters as `\xNN`, runs of spaces as one, cut at `limit`."""
    line = " ".join(text.split())
    shown = "".join(c if c.isprintable() and c not in _BIDI else c.encode("unicode_escape").decode() for c in line)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def of_exception(error: Exception, host: str, seconds: float, flag: str = "--request-timeout") -> Failure:
    """The failure behind what `requests` or `urllib3` raised for a request to `host` that had `seconds` by `flag`."""
    causes = list(_causes(error))
    if isinstance(error, requests.exceptions.InvalidSchema) and "SOCKS" in str(error):
        return _configuration(
            "A SOCKS proxy is configured, and this Python has no SOCKS support.", "pip install PySocks"
        )
    if any(isinstance(c, requests.exceptions.ProxyError | urllib3.exceptions.ProxyError) for c in causes):
        return _of_proxy(causes, host)
    tls = next((c for c in causes if isinstance(c, ssl.SSLError)), None)
    if tls is not None and not isinstance(tls, TimeoutError):
        return _of_tls(tls, host)
    if (failure := _of_connection(causes, host)) is not None:
        return failure
    return timed_out(host, seconds, flag) if _is_timeout(causes) else _of_rest(causes, host)


def timed_out(host: str, seconds: float, flag: str = "--timeout") -> Failure:
    """No answer in time; `flag` is what sets that time."""
    return Failure(
        f"{host} did not answer within {seconds:.3g} s.",
        f"Check the network, the VPN and the proxy, or give it longer with {flag}.",
        GapReason.TIMED_OUT,
    )


def web_page(host: str, body: bytes) -> Failure | None:
    """Where an answer is HTML, the failure that says so with the page's title."""
    if body.lstrip()[:1] != b"<":
        return None
    words = page_title(body)
    called = f' called "{words}"' if words else ""
    return Failure(
        f"{host} answered with a web page{called} instead of the Kubernetes API.",
        "A login portal or a proxy is in between, or the kubeconfig's server is not an API server.",
        GapReason.MALFORMED,
    )


def page_title(body: bytes) -> str:
    """The title of an HTML page, escaped; empty where there is none."""
    title = _TITLE.search(body[:100_000])
    import html  # noqa: PLC0415 - its table of entities is large

    return plain(html.unescape(title[1].decode("utf-8", "replace")), 80) if title else ""


def malformed(host: str, problem: str, *, passing: bool = False) -> Failure:
    """An answer that can't be decoded."""
    return Failure(
        f"The answer of {host} can't be read: {plain(problem).rstrip('.')}.",
        "Try again; if it stays, something between here and the API server cuts or changes answers.",
        GapReason.MALFORMED,
        passing=passing,
    )


def redirected(host: str, target: str) -> Failure:
    """A redirect is never followed: the credential is for this server only."""
    to = plain(target.split("?", 1)[0], 100)
    return Failure(
        f"{host} sends on to {to or 'another place'} instead of answering.",
        "A login portal or a proxy is in between, or the kubeconfig's server is not an API server.",
        GapReason.MALFORMED,
    )


def refused_status(host: str, status: int, message: str, wait: float = 0) -> Failure:
    """429 or 5xx that stayed after the retries; `wait` is the Retry-After that there was no time for, in seconds."""
    words = plain(message)
    again = f"in {wait:.0f} s, as it asks" if wait else "in a moment"
    return Failure(
        f"{host} answered {status}{f' ({words})' if words else ''}.",
        f"The API server, or what is in front of it, is overloaded or not healthy: try again {again}.",
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and everything it wraps, each once."""
    queue, seen = [error], set[int]()
    while queue:
        item = queue.pop(0)
        if not isinstance(item, BaseException) or id(item) in seen:
            continue
        seen.add(id(item))
        yield item
        queue += [item.__cause__, item.__context__, getattr(item, "reason", None), *item.args]


def _configuration(message: str, hint: str) -> Failure:
    return Failure(message, hint, GapReason.UNREACHABLE, ConfigurationError)


def _of_proxy(causes: list[BaseException], host: str) -> Failure:
    inner = next((c for c in reversed(causes) if isinstance(c, OSError)), causes[-1])
    return Failure(
        f"The proxy on the way to {host} refused or did not answer: {plain(str(inner), 120)}.",
        "Check the kubeconfig's proxy-url, HTTPS_PROXY and NO_PROXY.",
    )


def _of_tls(error: ssl.SSLError, host: str) -> Failure:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _of_certificate(error, host)
    reason = error.reason or str(error)
    if "CERTIFICATE_EXPIRED" in reason:
        return _configuration(f"{host} refused the client certificate: it has expired.", "Get a fresh kubeconfig.")
    if "ALERT" in reason and ("CERTIFICATE" in reason or "UNKNOWN_CA" in reason):
        return _configuration(
            f"{host} refused the client certificate ({reason}).", "Get a fresh kubeconfig for this cluster."
        )
    if reason in {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "HTTP_REQUEST"}:
        return _configuration(f"{host} does not speak TLS.", "Check scheme and port of the kubeconfig's server.")
    if "EOF" in reason:
        reason = "the other side hung up"
    hint = "A proxy may be in between, or the server may refuse the client certificate."
    return Failure(f"The TLS handshake with {host} failed: {plain(reason, 120)}.", hint)


def _of_certificate(error: ssl.SSLCertVerificationError, host: str) -> Failure:
    code = error.verify_code
    if code == _EXPIRED:
        return _configuration(
            f"The certificate of {host}, or of one of its issuers, has expired.",
            "Renew the API server's certificate; if it should be valid, check this machine's clock.",
        )
    if code == _NOT_YET_VALID:
        return _configuration(f"The certificate of {host} is not valid yet.", "Check this machine's clock.")
    if code in _MISMATCH:
        return _configuration(
            f"The certificate of {host} is not for that name: {plain(error.verify_message, 120).rstrip('.')}.",
            "Use the server name that the certificate holds, or set tls-server-name in the kubeconfig.",
        )
    if code in _UNTRUSTED:
        return _configuration(
            f"The certificate of {host} is not signed by the cluster's CA in the kubeconfig.",
            "The kubeconfig is for another or an older cluster, or a proxy opens TLS on the way: get a fresh one.",
        )
    return _configuration(f"The certificate of {host} is not accepted: {plain(error.verify_message, 120)}.", "")


def _of_connection(causes: list[BaseException], host: str) -> Failure | None:
    """What can be told apart by its class. urllib3's refused connection is a TimeoutError too: this comes first."""
    if any(isinstance(c, socket.gaierror) for c in causes):
        return Failure(
            f"The name of {host} can't be resolved.", "Check the network, the VPN and the kubeconfig's server."
        )
    if any(isinstance(c, ConnectionRefusedError) for c in causes):
        return Failure(f"{host} refused the connection.", _CHECK, passing=True)
    if any(isinstance(c, urllib3.exceptions.IncompleteRead | http.client.IncompleteRead) for c in causes):
        return malformed(host, "it was cut short", passing=True)
    return None


def _is_timeout(causes: list[BaseException]) -> bool:
    kinds = (requests.exceptions.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)
    return any(isinstance(c, kinds) and not isinstance(c, urllib3.exceptions.NewConnectionError) for c in causes)


def _of_rest(causes: list[BaseException], host: str) -> Failure:
    system = next((c.strerror for c in causes if isinstance(c, OSError) and c.strerror), "")
    return Failure(f"{host} can't be reached: {plain(system or str(causes[-1]), 120)}.", _CHECK, passing=True)
