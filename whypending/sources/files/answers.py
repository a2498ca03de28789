"""Queries answered from an index: matches, proof of absence, or a Gap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import msgspec

from whypending.evidence import GapReason, Known
from whypending.objects.base import KubeObject
from whypending.sources import decode
from whypending.sources.base import Query
from whypending.sources.files import gaps, selectors
from whypending.sources.files.index import ALL, Index
from whypending.sources.files.items import Item

T = TypeVar("T", bound=KubeObject)


def answer(index: Index, query: Query[T], notes: list[str]) -> Known[T]:
    """Matches, () where the files show that there is none, otherwise a Gap. Losses in decoding go to `notes`."""
    try:
        selection = selectors.parse(query.fields, query.labels)
    except ValueError as error:
        return gaps.for_query(query, GapReason.UNSUPPORTED, str(error))
    broken: list[Item] = []
    found = tuple(_found(index, query, selection, notes, broken))
    if found:
        return found
    if broken:
        return gaps.for_query(query, GapReason.MALFORMED, f"{broken[0].key[0]} {broken[0].name} can't be decoded")
    if _shows_absence(index, query):
        return ()
    refused = index.error(query.kind, query.namespace)
    return gaps.for_query(query, GapReason.FORBIDDEN if refused else GapReason.NOT_IN_SNAPSHOT, refused)


def _shows_absence(index: Index, query: Query[T]) -> bool:
    """Whether "none" is what the cluster would have said, too."""
    if query.name or "metadata.name=" in query.fields:
        return index.is_complete(query.kind, query.namespace)
    if query.kind.kind == "Event":
        return index.occurs(query.kind, ALL)
    if query.kind.namespaced and not query.namespace and (query.fields or query.labels):
        return index.is_complete(query.kind, ALL)
    return index.occurs(query.kind, query.namespace)


def _found(
    index: Index, query: Query[T], selection: selectors.Selection, notes: list[str], broken: list[Item]
) -> Iterator[T]:
    left = -1 if query.limit is None else query.limit
    for item in index.within(query.kind, query.namespace):
        if left == 0:
            return
        if query.name and item.name != query.name:
            continue
        if selection.is_any and not selectors.selects(selection, item):
            continue
        obj = _decoded(item, query.kind.struct, notes)
        if obj is None:
            broken.append(item)
            continue
        kept = query.keep(obj) if query.keep else obj
        if kept is not None:
            left -= 1
            yield kept


def _decoded(item: Item, struct: type[T], notes: list[str]) -> T | None:
    """The whole object; what its List or path says of kind, apiVersion and namespace is filled in."""
    obj = decode.from_json(item.raw, struct, notes)
    if obj is None:
        return None
    if not obj.api_version or not obj.kind:
        obj = msgspec.structs.replace(obj, kind=obj.kind or item.key[0], api_version=item.api_version)
    if item.namespace and not obj.metadata.namespace:
        placed = msgspec.structs.replace(obj.metadata, namespace=item.namespace)
        obj = msgspec.structs.replace(obj, metadata=placed)
    return obj
