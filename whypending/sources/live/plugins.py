"""What the `kubernetes` package does for a credential: exec plugins, and the account of the Pod that this runs in."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from whypending.errors import ConfigurationError
from whypending.sources.live.access import Access
from whypending.sources.live.failures import plain


class PluginCredential(msgspec.Struct, frozen=True, kw_only=True):
    """`status` of an ExecCredential: a token, a certificate with its key, or both."""

    token: str = ""
    certificate: str = msgspec.field(default="", name="clientCertificateData")
    key: str = msgspec.field(default="", name="clientKeyData")

    def __repr__(self) -> str:
        """Without the secrets."""
        return "PluginCredential(…)"


def in_cluster() -> Access:
    """The Access of the ServiceAccount of this Pod. Raises ConfigurationError outside of one."""
    from kubernetes.client.configuration import Configuration  # noqa: PLC0415 - slow, and seldom needed
    from kubernetes.config import ConfigException, incluster_config  # noqa: PLC0415

    configuration: Any = Configuration()
    load: Any = incluster_config.load_incluster_config
    try:
        load(configuration)
        ca = Path(configuration.ssl_ca_cert).read_text("utf-8")
        folder = Path(incluster_config.SERVICE_TOKEN_FILENAME).parent
        namespace = _first_line(folder / "namespace")
    except (ConfigException, OSError) as error:
        problem = plain(str(error), 100).rstrip(".")
        raise ConfigurationError(
            f"There is no kubeconfig, and this does not run in a Pod of a cluster ({problem}).",
            "Set KUBECONFIG or give --kubeconfig PATH; or give --from FILE to read what kubectl wrote.",
        ) from error
    return Access(
        server=configuration.host,
        context="in-cluster",
        user="the Pod's ServiceAccount",
        namespace=namespace or "default",
        ca=ca,
        authorization="Bearer " + configuration.api_key["BearerToken"].split(" ", 1)[1].strip(),
        credential="the Pod's token",
    )


def run_plugin(
    spec: Mapping[str, Any], folder: Path, cluster: Mapping[str, object], timeout: float
) -> PluginCredential:
    """Run a kubeconfig's exec plugin and return what it says; `timeout` holds where nobody can answer a prompt.

    Raises ConfigurationError: plugin missing (with its installHint), failed (with its stderr), slow, or unclear.
    """
    from kubernetes.config import ConfigException, exec_provider, kube_config  # noqa: PLC0415 - slow, seldom needed

    command = plain(str(spec.get("command")), 100)
    provider_class: Any = exec_provider.ExecProvider
    node: Any = kube_config.ConfigNode
    try:
        provider = provider_class(node("exec", dict(spec)), str(folder), node("cluster", dict(cluster)))
        status = _in_time(provider.run, timeout, command)
        credential = msgspec.convert({k: v for k, v in status.items() if v is not None}, PluginCredential)
    except (FileNotFoundError, PermissionError) as error:
        raise _missing(spec, command, error) from error
    except ConfigException as error:
        raise ConfigurationError(
            f"The credential plugin {command} failed: {plain(str(error).removeprefix('exec: ')).rstrip('.')}.",
            f"Run {command} by hand, or log in again.",
        ) from error
    except (msgspec.ValidationError, KeyError, TypeError, AttributeError, OSError) as error:
        raise ConfigurationError(
            f"The credential plugin {command} did not answer with an ExecCredential.", "Run it by hand, or update it."
        ) from error
    if not credential.token and not (credential.certificate and credential.key):
        raise ConfigurationError(f"The credential plugin {command} gave no credential.", "Log in again, or update it.")
    return credential


def _missing(spec: Mapping[str, Any], command: str, error: OSError) -> ConfigurationError:
    problem = "is not installed" if isinstance(error, FileNotFoundError) else "may not be run"
    hint = spec.get("installHint")
    return ConfigurationError(
        f"The credential plugin {command} of the kubeconfig {problem}.",
        plain(hint, 500) if isinstance(hint, str) and hint else f"Install {command} or put it into PATH.",
    )


def _in_time(run: Any, timeout: float, command: str) -> Any:  # noqa: ANN401 - the package has no types
    """Run it in a daemon thread, so that a hanging plugin can't hold the process; at a terminal it may ask and wait."""
    done: dict[str, Any] = {}

    def target() -> None:
        try:
            done["result"] = run()
        except Exception as error:  # noqa: BLE001 - raised again below
            done["error"] = error

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    thread.join(None if sys.stdin is not None and sys.stdin.isatty() else timeout)
    if thread.is_alive():
        raise ConfigurationError(
            f"The credential plugin {command} did not answer within {timeout:.0f} s.",
            "Run it by hand: it may wait for a login.",
        )
    if "error" in done:
        raise done["error"]
    return done["result"]


def _first_line(path: Path) -> str:
    return path.read_text("utf-8").strip() if path.exists() else ""
