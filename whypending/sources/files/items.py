"""One object of a file: looked at only as far as an index needs, decoded when a query asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from whypending.objects import kinds
from whypending.objects.kinds import Kind

KindKey = tuple[str, str]
"""Kind and API group, as in ("Lease", "coordination.k8s.io")."""

KINDS: dict[KindKey, Kind[Any]] = {(k.kind, k.group): k for k in kinds.ALL}
_SECRETS: KindKey = ("Secret", "")
_EVENT_GROUPS = {"events.k8s.io"}


class PeekMeta(msgspec.Struct, gc=False, rename="camel"):
    """The part of `metadata` that an index needs."""

    name: str | None = None
    namespace: str | None = None
    uid: str | None = None
    resource_version: str | None = None


class Peek(msgspec.Struct, gc=False, rename="camel"):
    """The part of an object that an index needs."""

    kind: str | None = None
    api_version: str | None = None
    metadata: PeekMeta | None = None


class Item(msgspec.Struct, gc=False):
    """An object: `raw` JSON bytes, or the `value` of a YAML document; `origin` is its file and line."""

    key: KindKey
    api_version: str
    name: str
    namespace: str
    uid: str
    version: str
    raw: msgspec.Raw | None
    value: Mapping[str, Any] | None
    origin: str


_PEEK = msgspec.json.Decoder(Peek)
_EMPTY = PeekMeta()


def key_of(kind: str, api_version: str) -> KindKey:
    """Kind and group; an Event is one kind, whichever group serves it."""
    group = api_version.rpartition("/")[0]
    return (kind, "") if kind == "Event" and group in _EVENT_GROUPS else (kind, group)


def kind_key(kind: Kind[Any]) -> KindKey:
    """The key of a kind that is asked for."""
    return (kind.kind, kind.group)


def is_secret(key: KindKey) -> bool:
    """Secrets are never kept."""
    return key == _SECRETS


def from_raw(raw: msgspec.Raw, kind: str, api_version: str, namespace: str, origin: str) -> Item | None:
    """Peek at an item of JSON; kind, apiVersion and namespace are what its list or path says. None: no object."""
    try:
        peek = _PEEK.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return _from_odd(raw, kind, api_version, namespace, origin)
    meta = peek.metadata or _EMPTY
    own = peek.api_version or api_version
    key = key_of(peek.kind or kind, own)
    if not key[0] or (peek.metadata is None and key not in KINDS):
        return None
    place = meta.namespace or namespace
    return Item(key, own, meta.name or "", place, meta.uid or "", meta.resource_version or "", raw, None, origin)


def _from_odd(raw: msgspec.Raw, kind: str, api_version: str, namespace: str, origin: str) -> Item | None:
    """The same for an item in which a field is of a wrong type."""
    try:
        value = msgspec.json.decode(bytes(raw).decode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return None
    return from_mapping(value, kind, api_version, namespace, origin)


def from_mapping(value: object, kind: str, api_version: str, namespace: str, origin: str) -> Item | None:
    """Peek at an object given as plain values; None where it is none."""
    if not isinstance(value, Mapping):
        return None
    kind, api_version = _text(value, "kind") or kind, _text(value, "apiVersion") or api_version
    if not kind:
        return None
    meta = value.get("metadata")
    meta = meta if isinstance(meta, Mapping) else {}
    place = _text(meta, "namespace") or namespace
    name, uid, version = _text(meta, "name"), _text(meta, "uid"), _text(meta, "resourceVersion")
    return Item(key_of(kind, api_version), api_version, name, place, uid, version, None, value, origin)


def _text(mapping: Mapping[str, Any], field: str) -> str:
    value = mapping.get(field)
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""
