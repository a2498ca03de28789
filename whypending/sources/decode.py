"""Raw JSON and plain values into typed Structs, forgiving in what Kubernetes and people really send.

The fast path is strict and typed. Only what fails there is looked at again: in Kubernetes null means absent, and a
field of a wrong type costs that field, not the object. Every loss is noted.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any, Generic, TypeVar, cast

import msgspec

from whypending.patterns import Pattern

T = TypeVar("T")

MAX_NOTES = 100
"""Notes beyond this many are counted by one last line only."""
_MAX_REPAIRS = 50
_STEP = Pattern(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_JSON_TYPES: dict[type, str] = {
    str: "str", int: "int", float: "float", bool: "bool", list: "array", tuple: "array", dict: "object",
}  # fmt: skip


class ListMeta(msgspec.Struct, frozen=True, rename={"continue_": "continue", "resource_version": "resourceVersion"}):
    """`metadata` of a list: where it goes on, and what it is consistent with."""

    continue_: str = ""
    resource_version: str = ""


class Page(msgspec.Struct, Generic[T], frozen=True):
    """One page of a list; `kind` is `PodList` and the like, empty where what answered is no API server."""

    kind: str = ""
    items: tuple[T, ...] = ()
    metadata: ListMeta = msgspec.field(default_factory=ListMeta)


class _RawPage(msgspec.Struct, frozen=True):
    """The same with each item left alone, for pages in which something is odd."""

    kind: str | None = None
    items: tuple[msgspec.Raw, ...] | None = None
    metadata: ListMeta | None = None


def from_json(raw: bytes | bytearray | memoryview | msgspec.Raw, type_: type[T], notes: list[str]) -> T | None:
    """One object from its JSON bytes; None where that is beyond repair. What was dropped is added to `notes`."""
    try:
        return cast("T", _decoder(cast("Hashable", type_)).decode(raw))
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        value = msgspec.json.decode(bytes(raw).decode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError) as error:
        _note(notes, f"An object that is no JSON was skipped: {error}.")
        return None
    return from_value(value, type_, notes)


def page_from_json(raw: bytes, type_: type[T], notes: list[str]) -> Page[T] | None:
    """A page of a list; items beyond repair are skipped and noted. None where it is no list at all, also noted."""
    decoder = cast("msgspec.json.Decoder[Page[T]]", _decoder(Page[type_]))  # type: ignore[valid-type]
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        odd = msgspec.json.decode(raw.decode("utf-8", "replace"), type=_RawPage)
    except (msgspec.DecodeError, RecursionError) as error:
        _note(notes, f"A list that is no JSON was skipped: {error}.")
        return None
    items = (from_json(item, type_, notes) for item in odd.items or ())
    return Page(odd.kind or "", tuple(item for item in items if item is not None), odd.metadata or ListMeta())


def from_value(value: object, type_: type[T], notes: list[str]) -> T | None:
    """One object from a plain value (of a YAML or JSON document); None where that is beyond repair.

    Mappings and lists in `value` are not changed.
    """
    try:
        return msgspec.convert(value, type_)
    except (msgspec.ValidationError, RecursionError):
        pass
    try:
        return _repaired(without_nulls(value), type_, notes)
    except RecursionError:
        _note(notes, f"{describe(value)} was skipped: it is nested too deeply.")
        return None


def describe(value: object) -> str:
    """How a note names a plain value: `Pod prod/api-1`, else what it is."""
    if not isinstance(value, dict):
        return f"A document that is {_article(_JSON_TYPES.get(type(value), 'null'))}"
    meta = value.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    path = "/".join(str(part) for part in (meta.get("namespace"), meta.get("name")) if part)
    return f"{value.get('kind') or 'An object'} {path or 'without a name'}"


@cache
def _decoder(type_: Hashable) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(cast("type[Any]", type_))


def _repaired(value: object, type_: type[T], notes: list[str]) -> T | None:
    for _ in range(_MAX_REPAIRS):
        try:
            return msgspec.convert(value, type_)
        except msgspec.ValidationError as error:
            problem, _, path = str(error).rpartition(" - at `")
            if not path or not _drop(value, path.rstrip("`"), problem):
                _note(notes, f"{describe(value)} was skipped: {error}.")
                return None
            _note(notes, f"{describe(value)}: {path.rstrip('`').removeprefix('$.')} was ignored: {problem}.")
    _note(notes, f"{describe(value)} was skipped: more than {_MAX_REPAIRS} fields have a wrong type.")
    return None


def _drop(value: object, path: str, problem: str) -> bool:
    """Take the value at msgspec's `$.a[0].b[...]` out; `[...]` is any entry of a mapping. False where nothing was."""
    *way, last = [index or name for name, index in _STEP.findall(path)] or [""]
    holders = [value]
    for step in way:
        holders = [child for holder in holders for child in _entries(holder, step).values()]
    got = problem.rpartition("got `")[2].rstrip("`")
    return any([_drop_entry(holder, last, got) for holder in holders])  # noqa: C419 - all of them


def _drop_entry(holder: object, step: str, got: str) -> bool:
    entries = _entries(holder, step)
    if step == "...":
        entries = {key: x for key, x in entries.items() if _JSON_TYPES.get(type(x)) == got} or entries
    if isinstance(holder, dict | list):
        for key in entries:
            del holder[key]
    return bool(entries)


def _entries(holder: object, step: str) -> dict[Any, object]:
    if isinstance(holder, dict):
        return dict(holder) if step == "..." else {step: holder[step]} if step in holder else {}
    if isinstance(holder, list) and step.isdigit() and int(step) < len(holder):
        return {int(step): holder[int(step)]}
    return {}


def without_nulls(value: object) -> object:
    """A copy without nulls, and with string keys only (YAML has others)."""
    if isinstance(value, dict):
        return {str(key): without_nulls(child) for key, child in value.items() if child is not None}
    if isinstance(value, list | tuple):
        return [without_nulls(child) for child in value if child is not None]
    return value


def _article(type_name: str) -> str:
    return f"an {type_name}" if type_name[0] in "aeio" else f"a {type_name}"


def _note(notes: list[str], text: str) -> None:
    if len(notes) < MAX_NOTES:
        notes.append(text)
    elif len(notes) == MAX_NOTES:
        notes.append("More of the kind is not listed.")
