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
_BY_KIND: dict[str, KindKey] = {}
for _known in KINDS:
    _BY_KIND[_known[0]] = (_known[0], "") if _known[0] in _BY_KIND else _known


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
    """An object as JSON bytes, with what the index needs of it."""

    key: KindKey
    api_version: str
    name: str
    namespace: str
    uid: str
    version: str
    raw: msgspec.Raw


_PEEK = msgspec.json.Decoder(Peek)
_EMPTY = PeekMeta()


def key_of(kind: str, api_version: str) -> KindKey:
    """Kind and group; an Event is one kind, whichever group serves it. A lost apiVersion is the usual one."""
    if not api_version:
        return _BY_KIND.get(kind, (kind, ""))
    group = api_version.rpartition("/")[0]
    return (kind, "") if kind == "Event" and group in _EVENT_GROUPS else (kind, group)


def kind_key(kind: Kind[Any]) -> KindKey:
    """The key of a kind that is asked for."""
    return (kind.kind, kind.group)


def is_secret(key: KindKey) -> bool:
    """Secrets are never kept."""
    return key == _SECRETS


def from_raw(raw: msgspec.Raw, kind: str = "", api_version: str = "", namespace: str = "") -> Item | None:
    """Peek at an object; kind, apiVersion and namespace are what its list or path says. None: it is none."""
    try:
        peek = _PEEK.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        peek = _odd(raw)
    meta = peek.metadata or _EMPTY
    own = peek.api_version or api_version
    key = key_of(peek.kind or kind, own)
    if not key[0]:
        return None
    place = meta.namespace or namespace
    return Item(key, own, meta.name or "", place, meta.uid or "", meta.resource_version or "", raw)


def _odd(raw: msgspec.Raw) -> Peek:
    """The same for an object in which a field is of a wrong type; empty for anything else."""
    try:
        value = msgspec.json.decode(bytes(raw).decode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return Peek()
    if not isinstance(value, Mapping):
        return Peek()
    meta = value.get("metadata")
    meta = meta if isinstance(meta, Mapping) else {}
    fields = (_text(meta, field) for field in ("name", "namespace", "uid", "resourceVersion"))
    return Peek(_text(value, "kind"), _text(value, "apiVersion"), PeekMeta(*fields))


def _text(mapping: Mapping[str, Any], field: str) -> str:
    value = mapping.get(field)
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""
