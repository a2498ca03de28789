"""Splitting of lists of reasons by their structure: a count, then a text that may hold commas itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from whypending.patterns import Pattern

MAX_ITEMS = 5_000
"""Reasons read out of one message; what follows the last one stays part of its text."""

_MAX_BRACKETS = 20_000
_BRACKETS = Pattern(r"[(){}\[\]\"]")
_CLOSES = {")": "(", "}": "{", "]": "["}
_FIRST_COUNT = Pattern(r"\s{0,80}(\d{1,9})\s{1,80}(?=\S)")
_NEXT_COUNT = Pattern(
    r"(?:,(?:\s|\\n){1,80}|\.\s{0,80}(?:\n|\\n)\s{0,80})(\d{1,9})(?:\s|\\n){1,80}(?=\S)",
)
_BRACKETED_COUNT = Pattern(r"\s{0,80}\((\d{1,9})x?\)(?:[,;.]\s{0,80}|\s{0,80}\Z|(?=\s))")
_SENTENCE = Pattern(r"\.(?:\s|\\n)+")


class Item(NamedTuple):
    """One counted text: `start` to `stop` with count and separator, `body` to `end` the text alone."""

    number: int
    start: int
    body: int
    end: int
    stop: int


def protected(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The outermost stretches between matching quotes, braces, brackets and parentheses, in order.

    What has no partner protects nothing. A text with too many of them is left unprotected, to stay linear.
    """
    found = list(islice(_BRACKETS.finditer(text, start, end), _MAX_BRACKETS + 1))
    if len(found) > _MAX_BRACKETS:
        return []
    quotes = [mark.start() for mark in found if mark[0] == '"']
    spans = list(zip(quotes[0::2], quotes[1::2], strict=False))
    stack: list[tuple[str, int]] = []
    for mark in found:
        if mark[0] in "([{":
            stack.append((mark[0], mark.start()))
        elif mark[0] != '"' and stack and stack[-1][0] == _CLOSES[mark[0]]:
            spans.append((stack.pop()[1], mark.start()))
    return _outermost(spans)


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if not kept or first > kept[-1][1]:
            kept.append((first, last))
    return kept


def outside(matches: Iterator[re.Match[str]], spans: list[tuple[int, int]]) -> Iterator[re.Match[str]]:
    """The matches that do not begin inside a protected stretch."""
    index = 0
    for match in matches:
        while index < len(spans) and spans[index][1] < match.start():
            index += 1
        if index == len(spans) or match.start() <= spans[index][0]:
            yield match


def counted(text: str, start: int, end: int, total: int | None) -> list[Item]:
    """The items of "3 Insufficient cpu, 1 node(s) had ..."; empty where no count opens the list.

    A number above `total` opens no new item, unless the first one is above it as well.
    """
    first = _FIRST_COUNT.match(text, start, end)
    if first is None:
        return []
    most = total if total is not None and int(first[1]) <= total else None
    heads = [first]
    for match in outside(_NEXT_COUNT.finditer(text, first.end(), end), protected(text, first.end(), end)):
        if most is None or int(match[1]) <= most:
            heads.append(match)
        if len(heads) == MAX_ITEMS:
            break
    ends = [head.start() for head in heads[1:]] + [end]
    return [Item(int(head[1]), head.start(), head.end(), stop, stop) for head, stop in zip(heads, ends, strict=True)]


def bracketed(text: str, start: int, end: int) -> list[Item]:
    """The items of "Insufficient cpu (3), MatchNodeSelector (1)" or "... (5x); ", counts behind the texts."""
    items: list[Item] = []
    begin = start
    for match in islice(_BRACKETED_COUNT.finditer(text, start, end), MAX_ITEMS):
        items.append(Item(int(match[1]), begin, begin, match.start(), match.end()))
        begin = match.end()
    return items


def sentence_ends(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Bounds of each full stop with white space behind it, outside quotes and brackets: (stop, next sentence)."""
    matches = outside(_SENTENCE.finditer(text, start, end), protected(text, start, min(end, start + 8_192)))
    return ((match.start(), match.end()) for match in islice(matches, 8))
