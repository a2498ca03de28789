"""TokenRequest: a token of ten minutes for a ServiceAccount that the user names, by the user's own right to ask."""

from __future__ import annotations

import time
from urllib.parse import quote

import msgspec

from whypending.evidence import Gap, GapReason
from whypending.sources.live.access import Access
from whypending.sources.live.failures import Failure, plain
from whypending.sources.live.transport import Answer, Transport
from whypending.sources.metrics.gaps import gap
from whypending.sources.metrics.wanted import Wanted

SECONDS = 600
"""The shortest life that the API server grants."""
_CREATED, _FORBIDDEN, _NOT_FOUND = 201, 403, 404


class _Status(msgspec.Struct, frozen=True):
    token: str = ""


class _TokenRequest(msgspec.Struct, frozen=True):
    status: _Status = _Status()


def request_token(access: Access, wanted: Wanted) -> str | Gap:
    """The token, or why there is none. It is never shown and never stored."""
    namespace, _, name = wanted.service_account.partition("/")
    path = f"/api/v1/namespaces/{quote(namespace, safe='')}/serviceaccounts/{quote(name, safe='')}/token"
    spec = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": SECONDS}}
    asking = Transport(access, time.monotonic() + wanted.timeout, wanted.timeout, wanted.request_timeout)
    try:
        answer = asking.post(path, msgspec.json.encode(spec))
    except Failure as failure:
        return gap(failure.reason, failure.message)
    finally:
        asking.close()
    if answer.status == _CREATED:
        return _token(access, answer)
    if answer.status == _NOT_FOUND:
        return gap(GapReason.NOT_GIVEN, f"There is no ServiceAccount {wanted.service_account}.", "name one that exists")
    may = answer.status == _FORBIDDEN
    reason = GapReason.FORBIDDEN if may else GapReason.UNSUPPORTED
    grant = f'create serviceaccounts/token in namespace "{namespace}"' if may else ""
    return gap(reason, f"No token of {wanted.service_account}: {plain(answer.problem.message).rstrip('.')}.", grant)


def _token(access: Access, answer: Answer) -> str | Gap:
    try:
        token = msgspec.json.decode(answer.body, type=_TokenRequest).status.token
    except msgspec.DecodeError:
        token = ""
    if token and token.isascii() and token.isprintable():
        return token
    return gap(GapReason.MALFORMED, f"{access.host} answered the TokenRequest without a token.")
