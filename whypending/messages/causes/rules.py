"""The engine of the table: a reason's text -> its cause, the facts in it and who says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

import msgspec

from whypending.messages.model import Details
from whypending.patterns import Pattern

MAX_TEXT = 4_096
"""Characters of a reason that are looked at; a longer text is judged by its beginning."""

_SPACE = Pattern(r"(?:\s|\\[nrt])+")
_ESCAPES = (
    ('\\"', '"'),
    ("\\u0027", "'"),
    ("\\u003e", ">"),
    ("\\u003c", "<"),
    ("&#39;", "'"),
    ("&quot;", '"'),
    ("\u2019", "'"),
    ("''", "'"),
)
_FIRST_WORD = Pattern(r"((?:[\w/'-]|\\[()'.])+)(?=[ :,\\]|\Z)")


class Hit(NamedTuple):
    """What the table knows of one text."""

    cause: str | None
    details: Details = ()
    source: str = "kubernetes"
    plugin: str | None = None


Facts: TypeAlias = dict[str, str]
Choose: TypeAlias = Callable[[Facts], str | None]


class Rule(msgspec.Struct, frozen=True):
    """One pattern. A group `a__b` becomes the detail `a.b`; the group `inner` is looked up in its own right.

    With an `inner` group, `cause` holds where the inner text is unknown; with `own` it always holds, and with
    `needs_inner` the rule fits only where the inner text is known.
    """

    pattern: Pattern
    cause: str | Choose | None
    details: Details = ()
    source: str = "kubernetes"
    own: bool = False
    needs_inner: bool = False


def rule(
    pattern: str,
    cause: str | Choose | None,
    *details: tuple[str, str],
    source: str = "kubernetes",
    own: bool = False,
    needs_inner: bool = False,
) -> Rule:
    """A rule whose pattern fits the whole text, in any case of letters."""
    return Rule(Pattern(pattern, re.IGNORECASE | re.DOTALL), cause, details, source, own, needs_inner)


def says(fact: str) -> tuple[str, str]:
    """The detail of a known text that names no fault."""
    return ("says", fact)


def plain(text: str) -> str:
    """A text as the patterns expect it: single spaces, straight quotes, no escapes, no full stop at the end."""
    text = text[:MAX_TEXT]
    for written, meant in _ESCAPES:
        if written in text:
            text = text.replace(written, meant)
    return _SPACE.sub(" ", text).strip(" .,;")


class Table:
    """Fixed texts by hash, patterns by their first word: a look-up costs little, however large the table."""

    def __init__(self, texts: Iterable[tuple[str, Hit]], rules: Iterable[Rule]) -> None:
        self._texts = {plain(text).casefold(): hit for text, hit in texts}
        self._rules: dict[str, list[Rule]] = {}
        self.causes: set[str] = {hit.cause for hit in self._texts.values() if hit.cause}
        for entry in rules:
            self._rules.setdefault(_first_word(entry.pattern.pattern), []).append(entry)
            if isinstance(entry.cause, str):
                self.causes.add(entry.cause)

    def look_up(self, text: str) -> Hit | None:
        """What is known of a text, or None."""
        return self._look_up(plain(text), 3)

    def _look_up(self, text: str, depth: int) -> Hit | None:
        fixed = self._texts.get(text.casefold())
        if fixed is not None:
            return fixed
        word = text.partition(" ")[0].rstrip(":,").casefold()
        for key in (word, "") if word else ("",):
            for entry in self._rules.get(key, ()):
                match = entry.pattern.fullmatch(text)
                hit = self._hit(entry, match, depth) if match else None
                if hit is not None:
                    return hit
        return None

    def _hit(self, entry: Rule, match: re.Match[str], depth: int) -> Hit | None:
        facts = {name.replace("__", "."): value for name, value in match.groupdict().items() if value is not None}
        plugin, inner_text = facts.pop("plugin", None), facts.pop("inner", None)
        inner = self._inner(inner_text, depth) if inner_text and depth else None
        if inner is None and entry.needs_inner:
            return None
        cause = entry.cause(facts) if callable(entry.cause) else entry.cause
        details = (*facts.items(), *entry.details)
        if inner is None:
            return Hit(cause, details, entry.source, plugin)
        return Hit(
            cause if entry.own else inner.cause,
            tuple(dict.fromkeys((*details, *inner.details))),
            inner.source if inner.source != "kubernetes" else entry.source,
            plugin or inner.plugin,
        )

    def _inner(self, text: str, depth: int) -> Hit | None:
        """A nested text as a whole, else the last of its comma-separated parts that is known."""
        whole = self._look_up(text.strip(" .,;"), depth - 1)
        if whole is not None or ", " not in text:
            return whole
        parts = (self._look_up(part.strip(" .,;"), depth - 1) for part in reversed(text.split(", ")[-4:]))
        return next((hit for hit in parts if hit is not None), None)


def _first_word(pattern: str) -> str:
    found = _FIRST_WORD.match(pattern)
    return re.sub(r"\\(.)", r"\1", found[1]).casefold() if found else ""
