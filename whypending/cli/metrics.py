"""The options that say where scheduler metrics come from, and what they come to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import msgspec

from whypending.errors import UsageError
from whypending.patterns import Pattern
from whypending.sources.metrics.wanted import Wanted

_WAYS = "--prometheus URL, --metrics-file PATH, --metrics-url URL or --metrics-serviceaccount NS/NAME"
_ACCOUNT = Pattern(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")
_HARMLESS = {"x-scope-orgid", "user-agent"}
"""Headers that are no credential: they may go over plain http."""
_LONGEST = 1 << 20


class MetricsOptions(msgspec.Struct, frozen=True):
    """As they were given; files are not read yet."""

    metrics: bool = False
    prometheus: str = ""
    prometheus_token_file: str = ""
    prometheus_user: str = ""
    prometheus_password_file: str = ""
    prometheus_headers: tuple[str, ...] = ()
    metrics_file: str = ""
    metrics_url: str = ""
    metrics_serviceaccount: str = ""
    metrics_ca: str = ""
    metrics_server_name: str = ""
    metrics_insecure: bool = False

    def wanted(self, *, files: bool, timeout: float | None, request_timeout: float | None) -> Wanted | None:
        """Where to read; None where metrics are not asked for. Raises UsageError for what does not fit together."""
        ways = [way for way in (self.prometheus, self.metrics_file, self.metrics_url) if way]
        if not ways and not self.metrics_serviceaccount:
            if self != MetricsOptions():
                raise UsageError("Where are the scheduler's metrics to come from?", f"add {_WAYS}")
            return None
        self._check(ways, files=files)
        limits = {"timeout": timeout, "request_timeout": request_timeout}
        wanted = Wanted(
            prometheus=self.prometheus,
            token=_secret(self.prometheus_token_file, "--prometheus-token-file"),
            user=self.prometheus_user,
            password=_secret(self.prometheus_password_file, "--prometheus-password-file"),
            headers=tuple(_header(text) for text in self.prometheus_headers),
            file=self.metrics_file,
            url=self.metrics_url,
            service_account=self.metrics_serviceaccount,
            ca=_text(self.metrics_ca, "--metrics-ca"),
            server_name=self.metrics_server_name,
            insecure=self.metrics_insecure,
            **{name: limit for name, limit in limits.items() if limit is not None},
        )
        _refuse_plain(wanted)
        return wanted

    def _check(self, ways: list[str], *, files: bool) -> None:
        if len(ways) > 1:
            raise UsageError("Metrics come from one place at a time.", f"keep one of {_WAYS}")
        account = self.metrics_serviceaccount
        if account and (self.prometheus or self.metrics_file):
            raise UsageError("--metrics-serviceaccount is for a scheduler's own metrics.", "leave it out, or the other")
        if account and not _ACCOUNT.fullmatch(account):
            raise UsageError(f'"{account}" names no ServiceAccount.', "write it as NAMESPACE/NAME")
        if account and files:
            raise UsageError(
                "--metrics-serviceaccount needs a cluster, and --from asks none.", "use --metrics-file PATH with --from"
            )
        login = (self.prometheus_token_file, self.prometheus_user, self.prometheus_password_file)
        if not self.prometheus and (any(login) or self.prometheus_headers):
            raise UsageError("A login for Prometheus needs its address.", "add --prometheus URL")
        if self.prometheus_token_file and self.prometheus_user:
            raise UsageError("Prometheus gets a token or a user's password, not both.", "leave one of them out")
        for url in filter(None, (self.prometheus, self.metrics_url)):
            _check_url(url)


_OPTIONS = (
    click.option("--metrics", is_flag=True, help=f"Show a scheduler's metrics, too: with {_WAYS}."),
    click.option("--prometheus", default="", metavar="URL", help="A Prometheus that scrapes the scheduler."),
    click.option("--prometheus-token-file", default="", metavar="FILE", help="Its bearer token."),
    click.option("--prometheus-user", default="", metavar="NAME", help="Its user, for basic authentication."),
    click.option("--prometheus-password-file", default="", metavar="FILE", help="That user's password."),
    click.option(
        "--prometheus-header", "prometheus_headers", multiple=True, metavar="'NAME: VALUE'",
        help="A further header for it (repeatable).",
    ),
    click.option("--metrics-file", default="", metavar="PATH", help="A saved /metrics text of a scheduler."),
    click.option("--metrics-url", default="", metavar="URL", help="A scheduler's /metrics, reachable from here."),
    click.option(
        "--metrics-serviceaccount", default="", metavar="NS/NAME",
        help="Ask the scheduler's Pod by port-forward, with a token of this ServiceAccount: made for ten minutes "
        "(TokenRequest). Your own credential never goes there.",
    ),
    click.option("--metrics-ca", default="", metavar="FILE", help="The CA of the metrics' server (PEM)."),
    click.option(
        "--metrics-server-name", default="", metavar="NAME", help="The name in its certificate, where it is another."
    ),
    click.option(
        "--metrics-insecure", is_flag=True, help="Send the token or password even where no certificate is verified."
    ),
)  # fmt: skip


def metrics_options(command: Any) -> Any:  # noqa: ANN401 - as click's own decorators
    """Adds these options; the command gets them as `metrics: MetricsOptions`."""
    from functools import wraps  # noqa: PLC0415

    @wraps(command)
    def gathered(**values: Any) -> Any:  # noqa: ANN401
        own = {key: values.pop(key) for key in MetricsOptions.__struct_fields__}
        return command(**values, metrics=MetricsOptions(**own))

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or True) and url.isprintable()
    except ValueError:
        good = False
    if not good:
        raise UsageError("The address of the metrics is no http(s) URL.", "write it as https://HOST:PORT")


def _refuse_plain(wanted: Wanted) -> None:
    """No credential goes where anybody could listen."""
    url = wanted.prometheus or wanted.url
    secret = wanted.token or wanted.user or wanted.service_account or "@" in urlsplit(url).netloc
    secret = secret or any(name.lower() not in _HARMLESS for name, _ in wanted.headers)
    if secret and url.startswith("http://") and not wanted.insecure:
        raise UsageError(
            "Over plain http the credential could be read by anybody on the way.",
            "use the https address, or accept the risk with --metrics-insecure",
        )


def _header(text: str) -> tuple[str, str]:
    name, colon, value = (part.strip() for part in text.partition(":"))
    if not colon or not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name) or not _is_sendable(value):
        raise UsageError("--prometheus-header holds no header.", "write it as 'NAME: VALUE'")
    return name, value


def _is_sendable(value: str) -> bool:
    return value.isprintable() and value.isascii()


def _secret(path: str, option: str) -> str:
    text = _text(path, option).strip()
    if path and (not text or not _is_sendable(text)):
        raise UsageError(f"The file of {option} holds nothing that a header can carry.", "check it for line breaks")
    return text


def _text(path: str, option: str) -> str:
    if not path:
        return ""
    try:
        with Path(path).expanduser().open("rb") as file:
            return file.read(_LONGEST).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"The file of {option} can't be read: {error.strerror or error}.", "check the path") from error
