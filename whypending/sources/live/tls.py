"""The TLS context of one server: its own CA and nothing else, and the client certificate."""

from __future__ import annotations

import os
import ssl
import tempfile
from pathlib import Path

from whypending.errors import ConfigurationError
from whypending.sources.live.access import Access
from whypending.sources.live.failures import plain


def context_for(access: Access) -> ssl.SSLContext:
    """Trusts the kubeconfig's CA alone, the system's where it names none: environment variables change nothing.

    As strict as kubectl: a CA certificate is an anchor even if it is an intermediate one, and old self-made CAs
    without key identifiers pass. Raises ConfigurationError for PEM that does not load.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.verify_flags = (context.verify_flags | ssl.VERIFY_X509_PARTIAL_CHAIN) & ~ssl.VERIFY_X509_STRICT
    if not access.verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif access.ca:
        _load_ca(context, access.ca)
    else:
        _load_system_cas(context)
    if access.certificate:
        _load_client_certificate(context, access)
    return context


def _load_ca(context: ssl.SSLContext, pem: str) -> None:
    try:
        context.load_verify_locations(cadata=pem)
    except (ssl.SSLError, ValueError) as error:
        raise ConfigurationError(
            f"The kubeconfig's certificate authority is no PEM certificate: {plain(str(error), 120)}.",
            "Get a fresh kubeconfig.",
        ) from error


def _load_system_cas(context: ssl.SSLContext) -> None:
    context.load_default_certs(ssl.Purpose.SERVER_AUTH)
    folder = ssl.get_default_verify_paths().capath
    if not context.cert_store_stats()["x509"] and not (folder and any(Path(folder).glob("*.0"))):
        import certifi  # noqa: PLC0415 - only where the system brings no CAs (python.org's macOS build)

        context.load_verify_locations(certifi.where())


def _load_client_certificate(context: ssl.SSLContext, access: Access) -> None:
    """OpenSSL wants files: they exist for this moment only, in a folder of this user's own."""
    with tempfile.TemporaryDirectory(prefix="whypending-") as folder:
        path = Path(folder) / "client.pem"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(access.certificate + b"\n" + access.key)
        try:
            context.load_cert_chain(path, password="")
        except (ssl.SSLError, ValueError) as error:
            reason = getattr(error, "reason", None) or str(error)
            raise ConfigurationError(
                f'Client certificate and key of the user "{access.user}" can\'t be used: {plain(reason, 120)}.',
                "Get a fresh kubeconfig.",
            ) from error
