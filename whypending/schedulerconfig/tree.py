"""YAML as kube-scheduler reads it, with the line and the API path of every value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import msgspec
import yaml

from whypending.schedulerconfig.errors import UnreadableTextError

MAX_CHARACTERS = 4_000_000
"""etcd refuses a ConfigMap of more than about 1 MB; a dump may hold a few."""
_GO_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
"""A number for Go's YAML, also where Python's sees a string: 1e3."""
_MAX_NODES = 100_000
_MAX_DEPTH = 100
_TAG = "tag:yaml.org,2002:"
_MERGE = f"{_TAG}merge"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Shape(StrEnum):
    """What a value is in JSON."""

    NULL = "null"
    BOOL = "a boolean"
    NUMBER = "a number"
    STRING = "a string"
    LIST = "a list"
    MAP = "a mapping"


class Entry(msgspec.Struct, frozen=True):
    """A key and its value."""

    key: str
    line: int
    value: Node
    repeated: bool = False


class Node(msgspec.Struct, frozen=True):
    """A value: `value` of a scalar, `items` of a list, `entries` of a mapping.

    `line` counts from 1, `path` is the API's. `block` is set for a literal block,
    whose text starts on the next line.
    """

    line: int
    path: str
    shape: Shape
    value: bool | int | float | str | None = None
    items: tuple[Node, ...] = ()
    entries: tuple[Entry, ...] = ()
    block: bool = False

    def get(self, key: str) -> Node | None:
        """The value of a key; None where there is none, or where it is null."""
        found = next((e.value for e in reversed(self.entries) if e.key == key), None)
        return None if found is None or found.shape is Shape.NULL else found

    def at(self, *keys: str) -> Node | None:
        """The value below these keys."""
        node: Node | None = self
        for key in keys:
            node = node.get(key) if node else None
        return node

    def text(self, key: str) -> str | None:
        """The string of a key; None where it is none."""
        found = self.get(key)
        return found.value if found and isinstance(found.value, str) else None

    def integer(self, key: str) -> int | None:
        """The whole number of a key; None where it is none."""
        found = self.get(key)
        return whole(found) if found else None

    def boolean(self, key: str) -> bool | None:
        """The boolean of a key; None where it is none."""
        found = self.get(key)
        return found.value if found and isinstance(found.value, bool) else None

    def list(self, key: str) -> tuple[Node, ...]:
        """The items of a key's list; nothing where it is none."""
        found = self.get(key)
        return found.items if found else ()


def whole(node: Node) -> int | None:
    """The value as a whole number: `16` and `16.0` are one, `true` and `"16"` are none."""
    value = node.value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if value == value // 1 and abs(value) < 2**63 else None


def documents(text: str) -> Iterator[Node]:
    """Every document that is not empty. Raises UnreadableTextError for what is no YAML."""
    if len(text) > MAX_CHARACTERS:
        raise UnreadableTextError(f"it is longer than {MAX_CHARACTERS:,} characters, which no configuration is")
    try:
        found = list(yaml.compose_all(text, _LOADER))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnreadableTextError(f"it is not valid YAML: {_reason(error)}", mark.line + 1 if mark else 0) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UnreadableTextError(f"it is not valid YAML: {str(error).splitlines()[0]}") from error
    for root in found:
        node = _Builder().node(root, "")
        if node.shape is not Shape.NULL:
            yield node


def _reason(error: yaml.MarkedYAMLError) -> str:
    return " ".join(filter(None, (error.context, error.problem))) or "it can't be parsed"


class _Builder:
    def __init__(self) -> None:
        self._open: set[int] = set()
        self._count = 0

    def node(self, raw: Any, path: str) -> Node:  # noqa: ANN401 - PyYAML has no types
        line = raw.start_mark.line + 1
        self._count += 1
        if id(raw) in self._open or self._count > _MAX_NODES:
            raise UnreadableTextError("its anchors and aliases have no end", line)
        if len(self._open) > _MAX_DEPTH:
            raise UnreadableTextError("it is nested deeper than any configuration", line)
        if isinstance(raw, yaml.ScalarNode):
            return _scalar(raw, line, path)
        self._open.add(id(raw))
        try:
            if isinstance(raw, yaml.SequenceNode):
                items = tuple(self.node(item, f"{path}[{at}]") for at, item in enumerate(raw.value))
                return Node(line, path, Shape.LIST, items=items)
            return Node(line, path, Shape.MAP, entries=tuple(self._entries(raw, path)))
        finally:
            self._open.discard(id(raw))

    def _entries(self, raw: Any, path: str) -> Iterator[Entry]:  # noqa: ANN401
        seen: set[str] = set()
        merged: list[Entry] = []
        for key, value in raw.value:
            line = key.start_mark.line + 1
            if key.tag == _MERGE:
                merged += [e for part in self._merged(value, path) for e in part.entries]
                continue
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else "?"
            found = self.node(value, f"{path}.{name}" if path else name)
            if found.shape in {Shape.MAP, Shape.LIST}:
                found = msgspec.structs.replace(found, line=line)
            yield Entry(name, line, found, name in seen)
            seen.add(name)
        for entry in merged:
            if entry.key not in seen:
                seen.add(entry.key)
                yield entry

    def _merged(self, raw: Any, path: str) -> Iterator[Node]:  # noqa: ANN401
        parts = raw.value if isinstance(raw, yaml.SequenceNode) else [raw]
        yield from (self.node(part, path) for part in parts if isinstance(part, yaml.MappingNode))


def _scalar(raw: Any, line: int, path: str) -> Node:  # noqa: ANN401
    text = str(raw.value)
    kind = raw.tag.removeprefix(_TAG)
    if kind == "str" and not raw.style:
        kind = "bool" if text in {"y", "Y", "n", "N"} else "float" if _GO_FLOAT.fullmatch(text) else kind
    if kind == "null":
        return Node(line, path, Shape.NULL)
    if kind == "bool":
        return Node(line, path, Shape.BOOL, text.lower() in {"y", "yes", "true", "on"})
    if kind in {"int", "float"} and ":" not in text:
        number = _number(text, kind)
        if number is not None:
            return Node(line, path, Shape.NUMBER, number)
    return Node(line, path, Shape.STRING, text, block=raw.style in {"|", ">"})


def _number(text: str, kind: str) -> float | None:
    plain = text.replace("_", "")
    try:
        if kind == "float":
            return float(plain.lower().replace(".inf", "inf").replace(".nan", "nan"))
        digits = plain.lstrip("+-").lower()
        octal = digits.startswith("0") and digits.isdigit() and len(digits) > 1
        return int(plain, 8 if octal else 0)
    except ValueError:
        return None
