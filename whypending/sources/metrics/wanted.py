"""What the command line says of metrics."""

from __future__ import annotations

import msgspec


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Where metrics are asked for; one of the four ways is set. Its repr holds no credential.

    prometheus: base URL. headers: further `Name: value` for it. user, password: basic authentication.
    file: a saved text. url: a scheduler's own /metrics. service_account: `namespace/name`, whose token it gets.
    ca: PEM that signs the certificate, empty = the system's CAs. server_name: the name in it, where not the host's.
    timeout, request_timeout: seconds, for everything and for each wait.
    """

    prometheus: str = ""
    token: str = ""
    user: str = ""
    password: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    file: str = ""
    url: str = ""
    service_account: str = ""
    ca: str = ""
    server_name: str = ""
    insecure: bool = False
    timeout: float = 30
    request_timeout: float = 10

    def __repr__(self) -> str:
        """Without the secrets."""
        return f"Wanted(prometheus={self.prometheus!r}, file={self.file!r}, url={self.url!r})"
