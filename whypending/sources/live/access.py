"""How to reach and convince one API server: what kubeconfig, credentials and flags come to."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import UTC, datetime
from urllib.parse import urlsplit

import msgspec


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """One server and one identity. Never printed: its repr holds no credential.

    server: scheme, host, port and path prefix, without user info. ca: PEM, empty = the system's CAs.
    certificate, key: PEM of the client certificate. authorization: the header's value.
    credential: what it is in words ("a token"). headers: impersonation; names can repeat.
    """

    server: str
    context: str = ""
    user: str = ""
    namespace: str = "default"
    ca: str = ""
    certificate: bytes = b""
    key: bytes = b""
    authorization: str = ""
    credential: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    tls_server_name: str = ""
    proxy: str = ""
    verify: bool = True

    def __repr__(self) -> str:
        """Without the secrets."""
        return f"Access(server={self.server!r}, context={self.context!r})"

    @property
    def host(self) -> str:
        """`https://10.0.0.1:6443`, as sentences name the server."""
        parts = urlsplit(self.server)
        return f"{parts.scheme}://{parts.netloc}"

    def expiry(self) -> tuple[str, datetime] | None:
        """What says of itself when it ends: the client certificate, else a JWT. None where neither does."""
        if self.authorization:
            end = _token_end(self.authorization)
            return ("token", end) if end else None
        end = _certificate_end(self.certificate) if self.certificate else None
        return ("client certificate", end) if end else None


def _token_end(authorization: str) -> datetime | None:
    """`exp` of a JSON Web Token; the signature is the server's business."""
    parts = authorization.rpartition(" ")[2].split(".")
    if len(parts) != 3:  # noqa: PLR2004 - header, payload, signature
        return None
    try:
        payload = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        return datetime.fromtimestamp(payload["exp"], UTC)
    except (ValueError, TypeError, KeyError, OverflowError, OSError):
        return None


def _certificate_end(pem: bytes) -> datetime | None:
    """`notAfter` of the first certificate, read from its DER (RFC 5280, 4.1): Python's ssl shows only CAs."""
    begin, end = b"-----BEGIN CERTIFICATE-----", b"-----END CERTIFICATE-----"
    _, _, rest = pem.partition(begin)
    try:
        body = _children(_children(base64.b64decode(rest.partition(end)[0]))[0][1])[0][1]
        fields = [value for tag, value in _children(body) if tag != _VERSION]
        tag, value = _children(fields[_VALIDITY])[1]
    except (IndexError, binascii.Error):
        return None
    text = value.decode("ascii", "replace")
    try:
        return datetime.strptime(text, "%y%m%d%H%M%SZ" if tag == _UTC_TIME else "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None


_VERSION, _UTC_TIME = 0xA0, 0x17
_VALIDITY = 3
"""After serialNumber, signature and issuer; the version in front is optional."""
_LONG = 0x80


def _children(der: bytes) -> list[tuple[int, bytes]]:
    """The (tag, value) pairs that follow one another in `der`."""
    found: list[tuple[int, bytes]] = []
    at = 0
    while at < len(der):
        tag, size, at = der[at], der[at + 1], at + 2
        if size >= _LONG:
            count = size - _LONG
            size, at = int.from_bytes(der[at : at + count], "big"), at + count
        found.append((tag, der[at : at + size]))
        at += size
    return found
