"""Text as logical lines of styled spans, laid out in rows for a terminal or left whole for a pipe.

Style is never part of the text, so every character of a span is data and goes through `escape`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from whypending.renderers.escape import visible_lines


class Style(StrEnum):
    """What a span is; the value is its SGR code, so that a terminal's own palette decides on the colour."""

    PLAIN = ""
    STRONG = "1"
    DIM = "2"
    BAD = "1;31"
    GOOD = "1;32"
    WARN = "33"
    COMMAND = "36"


class Span(NamedTuple):
    """A piece of text in one style; a line break inside it starts a new row. `whole`: no row ends inside it."""

    text: str
    style: Style = Style.PLAIN
    whole: bool = False


class Line(NamedTuple):
    """A logical line: `indent` columns in front of its first row, `hang` in front of those that follow.

    Not `wrap`: a command, which has to stay in one piece to be copied.
    """

    spans: tuple[Span, ...] = ()
    indent: int = 0
    hang: int = 0
    wrap: bool = True


class Canvas(NamedTuple):
    """Where text goes: columns (None: nothing is wrapped), colour, and whether more than ASCII can be shown."""

    width: int | None = None
    color: bool = False
    unicode: bool = True


_ASCII = str.maketrans(
    {"·": "-", "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}": ">", "…": "...", "—": "-", "→": "->"}
)


_READABLE = 120


def readable(canvas: Canvas) -> Canvas:
    """The canvas, no wider than prose is easy to read, however wide the terminal is."""
    return canvas if canvas.width is None else canvas._replace(width=min(canvas.width, _READABLE))


def draw(lines: Iterable[Line], canvas: Canvas) -> str:
    """The lines as one text that ends with a line break."""
    drawn = "".join(_paint(row, canvas) + "\n" for line in lines for row in rows(line, canvas.width))
    return drawn if canvas.unicode else drawn.translate(_ASCII)


def rows(line: Line, width: int | None) -> Iterator[list[Span]]:
    """A line's rows, broken at spaces alone: a word that is longer than the row stays whole and overflows."""
    limit = width if width is not None and line.wrap else None
    row, used, margin = [Span(" " * line.indent)], line.indent, line.indent
    for word in _words(line.spans):
        size = sum(cells(span.text) for span in word)
        fresh = used == margin
        if word[0].text == "\n":
            yield row
            margin = line.hang
            row, used = [Span(" " * margin)], margin
        elif limit is not None and used + size > limit and not fresh:
            yield row
            margin = line.hang
            word[0] = Span(word[0].text.lstrip(" "), word[0].style)
            row, used = [Span(" " * margin), *word], margin + sum(cells(span.text) for span in word)
        else:
            row += word
            used += size
    yield row


def _words(spans: Iterable[Span]) -> Iterator[list[Span]]:
    """Words with the space in front of them; a word may have several styles; a line break stands alone."""
    word: list[Span] = []
    for span in spans:
        for number, text in enumerate(visible_lines(span.text)):
            if number:
                yield from filter(None, (word,))
                yield [Span("\n")]
                word = []
            for piece in [text] if span.whole else _pieces(text):
                if piece.startswith(" ") and word:
                    yield word
                    word = []
                word.append(Span(piece, span.style))
    if word:
        yield word


def _pieces(text: str) -> Iterator[str]:
    """`a  b c` as `a`, `  b`, ` c`."""
    start = 0
    for end in range(1, len(text)):
        if text[end] == " " and text[end - 1] != " ":
            yield text[start:end]
            start = end
    if text:
        yield text[start:]


def cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(_cells_of(char) for char in text)


def _cells_of(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _paint(row: list[Span], canvas: Canvas) -> str:
    if not canvas.color:
        return "".join(span.text for span in row).rstrip()
    return "".join(f"\x1b[{s.style}m{s.text}\x1b[0m" if s.style and s.text.strip() else s.text for s in row).rstrip()
