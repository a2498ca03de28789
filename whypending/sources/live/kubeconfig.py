"""The kubeconfig as kubectl reads it: several files, of which the first that says something wins."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from whypending.errors import ConfigurationError
from whypending.sources.decode import without_nulls
from whypending.sources.live import plain_yaml
from whypending.sources.live.failures import plain


class _Part(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """A part of a kubeconfig. Paths in it are relative to the folder of its own file."""


class Cluster(_Part, frozen=True):
    """`clusters[].cluster`."""

    server: str = ""
    certificate_authority: str = ""
    certificate_authority_data: str = ""
    insecure_skip_tls_verify: bool = False
    tls_server_name: str = ""
    proxy_url: str = ""
    extensions: tuple[dict[str, Any], ...] = ()


class User(_Part, frozen=True):
    """`users[].user`."""

    client_certificate: str = ""
    client_certificate_data: str = ""
    client_key: str = ""
    client_key_data: str = ""
    token: str = ""
    token_file: str = msgspec.field(default="", name="tokenFile")
    username: str = ""
    password: str = ""
    exec: dict[str, Any] | None = None
    auth_provider: dict[str, Any] | None = None
    as_: str = msgspec.field(default="", name="as")
    as_uid: str = ""
    as_groups: tuple[str, ...] = ()
    as_user_extra: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)

    def __repr__(self) -> str:
        """Without the secrets."""
        return "User(…)"


class Context(_Part, frozen=True):
    """`contexts[].context`."""

    cluster: str = ""
    user: str = ""
    namespace: str = ""


class _NamedCluster(_Part, frozen=True):
    name: str
    cluster: Cluster = Cluster()


class _NamedUser(_Part, frozen=True):
    name: str
    user: User = User()


class _NamedContext(_Part, frozen=True):
    name: str
    context: Context = Context()


class _File(_Part, frozen=True):
    current_context: str = ""
    clusters: tuple[_NamedCluster, ...] = ()
    users: tuple[_NamedUser, ...] = ()
    contexts: tuple[_NamedContext, ...] = ()


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """The context that was chosen, with the folders that the paths of its cluster and user are relative to."""

    context_name: str
    context: Context
    cluster: Cluster
    cluster_folder: Path
    user: User
    user_folder: Path


def choose(kubeconfig: str | None, context: str | None) -> Choice | None:
    """The context to use; None where there is no kubeconfig at all (then the Pod's own account may serve).

    Raises ConfigurationError for a file that can't be read or is no kubeconfig, and for a name that does not exist.
    """
    paths = _paths(kubeconfig)
    files = {path: _read(path) for path in paths}
    if not any(f.contexts or f.clusters for f in files.values()) and not (kubeconfig or context):
        return None
    known = {c.name: c.context for f in reversed(files.values()) for c in reversed(f.contexts)}
    name = context or next((f.current_context for f in files.values() if f.current_context), "")
    where = " and ".join(map(str, paths)) or "any kubeconfig"
    if name not in known:
        raise _no_context(name, list(known), where)
    chosen = known[name]
    cluster = _named(chosen.cluster, ((c.name, path, c.cluster) for path, f in files.items() for c in f.clusters))
    user = _named(chosen.user, ((u.name, path, u.user) for path, f in files.items() for u in f.users))
    if cluster is None:
        raise _missing(name, "cluster", chosen.cluster, where)
    if user is None and chosen.user:
        raise _missing(name, "user", chosen.user, where)
    folder, credentials = user or (cluster[0], User())
    return Choice(
        context_name=name, context=chosen, cluster=cluster[1], cluster_folder=cluster[0], user=credentials,
        user_folder=folder,
    )  # fmt: skip


def _paths(kubeconfig: str | None) -> list[Path]:
    """--kubeconfig alone, else KUBECONFIG's files that exist, else ~/.kube/config."""
    if kubeconfig:
        return [Path(kubeconfig).expanduser()]
    named = [Path(p) for p in os.environ.get("KUBECONFIG", "").split(os.pathsep) if p]
    try:
        paths = named or [Path("~/.kube/config").expanduser()]
    except RuntimeError:
        return []
    found = [path for path in dict.fromkeys(paths) if path.exists()]
    if named and not found and not os.environ.get("KUBERNETES_SERVICE_HOST"):
        missing = plain(", ".join(map(str, named)), 200)
        raise ConfigurationError(
            f"KUBECONFIG names {missing}, and there is no such file.",
            "Correct KUBECONFIG, or unset it to use ~/.kube/config; or give --from FILE to read what kubectl wrote.",
        )
    return found


def _read(path: Path) -> _File:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"The kubeconfig {path} can't be read: {error.strerror or error}.", "Give --kubeconfig another path."
        ) from error
    try:
        value = _parsed(raw)
        return msgspec.convert({} if value is None else without_nulls(value), _File)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"{path} is not a kubeconfig: {_place(error)}.", "Compare it with what `kubectl config view` shows."
        ) from error


class _NoYamlError(ValueError):
    """What PyYAML says: `mark` is where it is wrong, None where that is not known."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.mark = getattr(error, "problem_mark", None)


def _parsed(raw: bytes) -> object:
    """JSON is YAML too, and like what kubectl writes it is decoded without PyYAML."""
    if raw.lstrip()[:1] == b"{":
        try:
            return msgspec.json.decode(raw)
        except msgspec.DecodeError:
            pass
    try:
        return plain_yaml.load(raw.decode("ascii"))
    except ValueError:
        return _by_pyyaml(raw)


def _by_pyyaml(raw: bytes) -> object:
    import yaml  # noqa: PLC0415 - 10 ms, and seldom needed

    try:
        return yaml.load(raw, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe loaders
    except yaml.YAMLError as error:
        raise _NoYamlError(error) from error


def _place(error: Exception) -> str:
    """Where it is wrong, never with the text that stands there: that can be a credential."""
    mark = getattr(error, "mark", None)
    if mark is not None:
        return f"line {mark.line + 1}, column {mark.column + 1} is no YAML"
    return plain(str(error)) if isinstance(error, msgspec.ValidationError) else "it is no YAML"


_T = TypeVar("_T")


def _named(name: str, entries: Iterable[tuple[str, Path, _T]]) -> tuple[Path, _T] | None:
    return next(((path.absolute().parent, entry) for n, path, entry in entries if n == name), None)


def _no_context(name: str, known: list[str], where: str) -> ConfigurationError:
    from difflib import get_close_matches  # noqa: PLC0415 - only for what is not found

    shown = (get_close_matches(name, known, 3) or sorted(known)[:10]) if known else []
    names = ", ".join(plain(n, 100) for n in shown)
    more = f" and {len(known) - len(shown)} more" if len(known) > len(shown) else ""
    hint = f"Known contexts: {names}{more}." if shown else "It defines no context: give --kubeconfig another path."
    if not name:
        return ConfigurationError(f"No current context is set in {where}.", f"Give --context. {hint}")
    return ConfigurationError(f'There is no context "{plain(name, 100)}" in {where}.', hint)


def _missing(context: str, what: str, name: str, where: str) -> ConfigurationError:
    return ConfigurationError(
        f'The context "{plain(context, 100)}" names the {what} "{plain(name, 100)}", which is not in {where}.',
        "Does KUBECONFIG leave out one of its files?",
    )
