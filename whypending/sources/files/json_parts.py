"""JSON of any size cut into its values without decoding them: one object, Lists, arrays, many documents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")
_BYTE = re.compile(r" ?\(byte (\d+)\)")
_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*(?:[\"}]|\Z)|\[\s*(?:[\[{\"\]]|\Z))")


class _Envelope(msgspec.Struct, gc=False, rename="camel"):
    kind: str | None = None
    api_version: str | None = None
    items: list[msgspec.Raw] | None = None


class Part(NamedTuple):
    """One value: its bytes, what follows it, its kind and apiVersion, and its items where it is a List or an array."""

    one: memoryview
    rest: memoryview
    kind: str = ""
    api_version: str = ""
    items: list[msgspec.Raw] | None = None


_ENVELOPE = msgspec.json.Decoder(_Envelope)
_ARRAY = msgspec.json.Decoder(list[msgspec.Raw])


def is_json(data: bytes | memoryview) -> bool:
    """Whether it begins like a JSON object or array; a flow mapping of YAML and a prompt in brackets do not."""
    return _START.match(bytes(data[:256])) is not None


def first(view: memoryview) -> Part:
    """The first value of the view. msgspec.DecodeError or RecursionError where that is no JSON."""
    try:
        return _part(view, len(view))
    except msgspec.DecodeError as error:
        if not isinstance(error, msgspec.ValidationError) and not _TRAILING.search(str(error)):
            raise
    end = _end_of_first(view)
    try:
        return _part(view, end)
    except msgspec.ValidationError:
        return _array_or_odd(view, end)


def _part(view: memoryview, end: int) -> Part:
    head = _ENVELOPE.decode(view[:end])
    kind = head.kind or ""
    items = [] if head.items is None and kind.endswith("List") else head.items  # null is how Go writes an empty list
    return Part(view[:end], view[end:], kind, head.api_version or "", items)


def _array_or_odd(view: memoryview, end: int) -> Part:
    """An array, or an object in which kind, apiVersion or items are of a wrong type."""
    try:
        return Part(view[:end], view[end:], items=_ARRAY.decode(view[:end]))
    except msgspec.ValidationError:
        return Part(view[:end], view[end:])


def _end_of_first(view: memoryview) -> int:
    """Where the first value (and the space after it) ends: msgspec names the first byte that is too much, from 1."""
    try:
        msgspec.json.decode(view, type=msgspec.Raw)
    except msgspec.DecodeError as error:
        trailing = _TRAILING.search(str(error))
        if not trailing:
            raise
        return int(trailing[1]) - 1
    return len(view)


def plain(one: memoryview) -> Mapping[str, Any]:
    """An object as plain values; an empty one for anything else."""
    value = msgspec.json.decode(bytes(one).decode("utf-8", "replace"))
    return value if isinstance(value, dict) else {}


def problem(data: bytes, rest: memoryview, error: Exception) -> str:
    """What is wrong with a file whose `rest` is no JSON, as the end of a sentence that begins with its name."""
    if isinstance(error, RecursionError):
        return " is nested too deeply to be a Kubernetes object."
    if "truncated" in str(error):
        return " is cut off: the JSON ends in the middle of an object."
    at = _BYTE.search(str(error))
    line = data.count(b"\n", 0, len(data) - len(rest) + (int(at[1]) if at else 0)) + 1
    return f":{line} is not JSON: {_BYTE.sub('', str(error)).removeprefix('JSON is malformed: ')}."
