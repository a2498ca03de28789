"""From a kubeconfig's choice, or the Pod that this runs in, to an Access: files read, plugins run, flags applied."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import msgspec

from whypending.errors import ConfigurationError
from whypending.sources.live.access import Access
from whypending.sources.live.kubeconfig import Choice, Cluster, User, choose
from whypending.sources.live.plugins import in_cluster, run_plugin

_INSECURE_HINT = "Put certificate-authority-data into it, or accept the risk with --insecure-skip-tls-verify."


class Flags(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line says beside the kubeconfig."""

    as_user: str = ""
    as_groups: tuple[str, ...] = ()
    allow_insecure: bool = False
    timeout: float = 30
    """Seconds that a credential plugin may take where nobody sits at a terminal."""


def load(kubeconfig: str | None, context: str | None, flags: Flags) -> Access:
    """The Access of that context; that of the Pod's own account where there is no kubeconfig.

    Raises ConfigurationError with one sentence and the next step.
    """
    choice = choose(kubeconfig, context)
    if choice is None:
        access = in_cluster()
        return msgspec.structs.replace(access, headers=_impersonation(User(), flags), verify=not flags.allow_insecure)
    _refuse_insecure(choice, flags)
    server, login = _server(choice)
    ca = _pem(choice.cluster.certificate_authority_data, choice.cluster.certificate_authority, choice.cluster_folder)
    access = Access(
        server=server,
        context=choice.context_name,
        user=choice.context.user,
        namespace=choice.context.namespace or "default",
        ca=ca.decode("utf-8", "replace"),
        headers=_impersonation(choice.user, flags),
        tls_server_name=choice.cluster.tls_server_name,
        proxy=choice.cluster.proxy_url,
        verify=not flags.allow_insecure,
    )
    return _with_credential(access, choice, login, flags)


def _refuse_insecure(choice: Choice, flags: Flags) -> None:
    """No credential goes to an endpoint whose certificate is not verified."""
    if flags.allow_insecure:
        return
    if choice.cluster.insecure_skip_tls_verify:
        raise ConfigurationError(
            f'The context "{choice.context_name}" skips the check of the server\'s certificate '
            "(insecure-skip-tls-verify), so its credential could go to anybody.",
            _INSECURE_HINT,
        )
    secret = msgspec.structs.replace(choice.user, as_="", as_uid="", as_groups=(), as_user_extra={}) != User()
    if secret and choice.cluster.server.startswith("http://"):
        raise ConfigurationError(
            f'The context "{choice.context_name}" would send its credential over plain http.',
            "Use the https address of the API server, or accept the risk with --insecure-skip-tls-verify.",
        )


def _server(choice: Choice) -> tuple[str, str]:
    """The URL without user info, and that user info."""
    cluster = choice.cluster
    if not cluster.server:
        raise ConfigurationError(
            f'The cluster "{choice.context.cluster}" of the context "{choice.context_name}" has no server.',
            "Set it with `kubectl config set-cluster`.",
        )
    server = cluster.server if "://" in cluster.server else f"{_scheme(choice)}://{cluster.server}"
    try:
        parts = urlsplit(server)
        usable = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or True)
    except ValueError:
        usable = False
    if not usable:
        raise ConfigurationError(
            f'The server of the cluster "{choice.context.cluster}" is not an http(s) URL.', "Correct the kubeconfig."
        )
    login, _, host = parts.netloc.rpartition("@")
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", "")), unquote(login)


def _scheme(choice: Choice) -> str:
    """What kubectl takes for a server without one."""
    cluster, user = choice.cluster, choice.user
    tls = (cluster.certificate_authority, cluster.certificate_authority_data, cluster.insecure_skip_tls_verify)
    return "https" if any(tls) or user.client_certificate or user.client_certificate_data else "http"


def _with_credential(access: Access, choice: Choice, login: str, flags: Flags) -> Access:
    user, folder = choice.user, choice.user_folder
    certificate = _pem(user.client_certificate_data, user.client_certificate, folder)
    key = _pem(user.client_key_data, user.client_key, folder)
    if certificate:
        access = msgspec.structs.replace(access, certificate=certificate, key=key, credential="a client certificate")
    if user.token_file or user.token:
        token = _text(folder / user.token_file).strip() if user.token_file else user.token.strip()
        return _authorized(access, f"Bearer {token}", "a token")
    if user.username or login:
        basic = login or f"{user.username}:{user.password}"
        return _authorized(access, "Basic " + base64.b64encode(basic.encode()).decode(), "a password")
    if user.exec is not None and not certificate:
        return _with_plugin(access, choice, flags)
    if user.auth_provider is not None:
        return _authorized(access, f"Bearer {_id_token(user, choice.context_name)}", "an OpenID Connect token")
    return access


def _with_plugin(access: Access, choice: Choice, flags: Flags) -> Access:
    spec = choice.user.exec or {}
    credential = run_plugin(spec, choice.user_folder, _as_exec_cluster(choice.cluster, access.ca), flags.timeout)
    words = f"the plugin {spec.get('command')}"
    access = msgspec.structs.replace(
        access, certificate=credential.certificate.encode(), key=credential.key.encode(), credential=words
    )
    return _authorized(access, f"Bearer {credential.token}", words) if credential.token else access


def _as_exec_cluster(cluster: Cluster, ca: str) -> dict[str, object]:
    """The cluster as plugins with `provideClusterInfo` get it."""
    found = {
        "server": cluster.server,
        "tls-server-name": cluster.tls_server_name,
        "insecure-skip-tls-verify": cluster.insecure_skip_tls_verify,
        "certificate-authority-data": base64.b64encode(ca.encode()).decode(),
        "proxy-url": cluster.proxy_url,
        "extensions": list(cluster.extensions),
    }
    return {key: value for key, value in found.items() if value}


def _id_token(user: User, context: str) -> str:
    """The ID token of the oidc provider. It is not refreshed here: that is kubectl's, which writes the kubeconfig."""
    provider = user.auth_provider or {}
    config = provider.get("config")
    token = config.get("id-token") if isinstance(config, dict) else None
    if provider.get("name") == "oidc" and isinstance(token, str) and token:
        return token
    raise ConfigurationError(
        f'The context "{context}" uses the auth-provider "{provider.get("name")}", which Kubernetes no longer has.',
        "Use the cloud's exec plugin (gke-gcloud-auth-plugin, kubelogin), as kubectl needs it too.",
    )


def _authorized(access: Access, authorization: str, words: str) -> Access:
    if not authorization.isprintable() or not authorization.isascii():
        raise ConfigurationError(
            f'The credential of the context "{access.context}" ({words}) holds characters that no header can carry.',
            "Check the kubeconfig's token for line breaks.",
        )
    return msgspec.structs.replace(access, authorization=authorization, credential=words)


def _impersonation(user: User, flags: Flags) -> tuple[tuple[str, str], ...]:
    """--as and --as-group, else what the kubeconfig says."""
    if flags.as_user or flags.as_groups:
        user = User(as_=flags.as_user, as_groups=flags.as_groups)
    if (user.as_groups or user.as_uid or user.as_user_extra) and not user.as_:
        raise ConfigurationError("Groups can't be taken on without a user.", "Give --as USER with --as-group.")
    headers = [("Impersonate-User", user.as_), ("Impersonate-Uid", user.as_uid)]
    headers += [("Impersonate-Group", group) for group in user.as_groups]
    for key, values in user.as_user_extra.items():
        headers += [(f"Impersonate-Extra-{quote(key.lower(), safe='')}", value) for value in values]
    if not all(value.isprintable() for _, value in headers):
        raise ConfigurationError("--as holds characters that no header can carry.", "Check its spelling.")
    return tuple((name, value) for name, value in headers if value)


def _pem(data: str, path: str, folder: Path) -> bytes:
    if not data:
        return _text(folder / path).encode() if path else b""
    try:
        return base64.b64decode(data, validate=False)
    except binascii.Error as error:
        raise ConfigurationError(
            "A certificate or key in the kubeconfig is not base64.", "Write it anew, or use a path instead of …-data."
        ) from error


def _text(path: Path) -> str:
    try:
        return path.expanduser().read_text("utf-8", "replace")
    except OSError as error:
        raise ConfigurationError(
            f"The kubeconfig names {path}, which can't be read: {error.strerror or error}.",
            "Restore the file, or get a fresh kubeconfig.",
        ) from error
