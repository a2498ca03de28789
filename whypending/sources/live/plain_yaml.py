"""The part of YAML that kubectl writes a kubeconfig in, without PyYAML: importing that takes longer than a request.

Block mappings and sequences, plain words, simple quotes. Whatever else a text holds, the whole of it is left to PyYAML;
`tests/sources/test_live_plain_yaml.py` holds both against each other.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

_LINE = re.compile(
    r"(?P<indent> *)(?P<dash>- )?"
    r"(?:(?P<key>[A-Za-z][A-Za-z0-9-]*):(?: (?=\S)|\Z))?"
    r"""(?P<value>(?:--)?[A-Za-z/][\w./:@+=%-]*(?<!:)|"[ !#-\[\]-~]*"|'[ -&(-~]*'|\{\}|\[\])?""",
    re.ASCII,
)
_WORDS = {"true": True, "false": False, "null": None}
_OTHER_WORDS = frozenset({"yes", "no", "on", "off", "true", "false", "null"})
"""In any case of letters, YAML 1.1 takes these for booleans or null."""

Plain: TypeAlias = "str | bool | list[Plain] | dict[str, Plain] | None"


class _Line(NamedTuple):
    indent: int
    dash: bool
    key: str | None
    value: str | None


class _OtherError(Exception):
    """The text holds more of YAML than is known here."""


def load(text: str) -> Plain:
    """What the text says. ValueError where it is not plain enough, and PyYAML has to judge."""
    try:
        lines = [_line(line) for line in text.split("\n") if line.strip(" ") and not line.lstrip(" ").startswith("#")]
        value, rest = _block(lines, 0)
    except (_OtherError, IndexError, RecursionError):
        raise ValueError("not plain") from None
    if rest < len(lines):
        raise ValueError("not plain")
    return value


def _line(line: str) -> _Line:
    found = _LINE.fullmatch(line)
    if found is None or (found["key"] is None and not (found["dash"] and found["value"])):
        raise _OtherError
    if found["key"] is not None and found["key"].lower() in _OTHER_WORDS:
        raise _OtherError
    return _Line(len(found["indent"]), bool(found["dash"]), found["key"], found["value"])


def _block(lines: list[_Line], at: int) -> tuple[Plain, int]:
    """The mapping or sequence that begins at this line, and the line behind it."""
    return _sequence(lines, at) if lines[at].dash else _mapping(lines, at)


def _sequence(lines: list[_Line], at: int) -> tuple[list[Plain], int]:
    indent = lines[at].indent
    items: list[Plain] = []
    while at < len(lines) and lines[at].indent == indent and lines[at].dash:
        if lines[at].key is None:
            items.append(_scalar(lines[at].value or ""))
            at += 1
            continue
        lines[at] = lines[at]._replace(indent=indent + 2, dash=False)
        item, at = _mapping(lines, at)
        items.append(item)
    return items, _end(lines, at, indent)


def _mapping(lines: list[_Line], at: int) -> tuple[dict[str, Plain], int]:
    indent = lines[at].indent
    entries: dict[str, Plain] = {}
    while at < len(lines) and lines[at].indent == indent and not lines[at].dash:
        key, value = lines[at].key, lines[at].value
        if key is None or key in entries:
            raise _OtherError
        at += 1
        if value is not None:
            entries[key] = _scalar(value)
        elif at < len(lines) and (lines[at].indent > indent or (lines[at].indent == indent and lines[at].dash)):
            entries[key], at = _block(lines, at)
        else:
            entries[key] = None
    return entries, _end(lines, at, indent)


def _end(lines: list[_Line], at: int, indent: int) -> int:
    """A block ends with the text, or where something stands further to the left, or a key under a sequence."""
    if at < len(lines) and (lines[at].indent > indent or (lines[at].indent == indent and lines[at].dash)):
        raise _OtherError
    return at


def _scalar(value: str) -> Plain:
    if value in _WORDS:
        return _WORDS[value]
    if value.lower() in _OTHER_WORDS:
        raise _OtherError
    if value == "{}":
        return {}
    if value == "[]":
        return []
    return value[1:-1] if value[0] in "\"'" else value
