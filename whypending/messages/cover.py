"""Tiles that cover a message from its first to its last character, so that nothing can get lost."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from whypending.messages.lists import Item
from whypending.messages.model import Details
from whypending.patterns import Pattern

_PUNCTUATION = Pattern(r"(?:[\s.,;:\"'│]|\\[nrt\"\\])*+")
_LEADING = Pattern(r"(?:\s|\\[nrt])*+")


class Kind(StrEnum):
    """What a tile is."""

    GLUE = "glue"
    REASON = "reason"
    PREEMPTION = "preemption"
    REST = "rest"


class Tile(msgspec.Struct, frozen=True):
    """One stretch of the message."""

    kind: Kind
    start: int
    end: int
    count: int | None = None
    node: str | None = None
    details: Details = ()


class Cover(msgspec.Struct):
    """The tiles laid so far over `text`, of which a parser reads up to `limit`; gaps become rest or glue."""

    text: str
    limit: int
    tiles: list[Tile] = msgspec.field(default_factory=list)
    family: str = "unknown"
    nodes_total: int | None = None
    nodes_available: int | None = None
    preemption_total: int | None = None
    details: list[tuple[str, str]] = msgspec.field(default_factory=list)

    @property
    def end(self) -> int:
        """Where the last tile ends."""
        return self.tiles[-1].end if self.tiles else 0

    def glue(self, start: int, end: int) -> None:
        """Lay words that only join: heads, counts, separators."""
        self._lay(Tile(Kind.GLUE, start, end))

    def reason(  # noqa: PLR0913 -- one keyword a field of the tile
        self,
        start: int,
        end: int,
        *,
        count: int | None = None,
        node: str | None = None,
        details: Details = (),
        kind: Kind = Kind.REASON,
    ) -> None:
        """Lay one reason, trimmed of white space and of the sentence's full stop."""
        start, end = trimmed(self.text, start, end)
        if start < end:
            self._lay(Tile(kind, start, end, count, node, details))

    def item(self, item: Item, kind: Kind = Kind.REASON) -> None:
        """Lay a counted reason with its count; an item without words is left to the rest."""
        start, end = trimmed(self.text, item.body, item.end)
        if start < end:
            self.glue(max(item.start, self.end), start)
            self.reason(start, end, count=item.number, kind=kind)
            self.glue(end, item.stop)

    def finish(self) -> tuple[Tile, ...]:
        """All tiles, without a gap from 0 to the length of the text."""
        self._gap(self.limit)
        self._lay(Tile(Kind.GLUE, self.limit, len(self.text)))
        return tuple(self.tiles)

    def _lay(self, tile: Tile) -> None:
        self._gap(tile.start)
        if tile.start < self.end:
            raise ValueError(f"a tile at {tile.start} would cover what is covered up to {self.end}")
        if tile.start < tile.end:
            self.tiles.append(tile)

    def _gap(self, until: int) -> None:
        start = self.end
        if start >= until:
            return
        punctuation = _PUNCTUATION.match(self.text, start, until)
        words = punctuation.end() if punctuation else start
        if words > start:
            self.tiles.append(Tile(Kind.GLUE, start, words))
        if words < until:
            self.tiles.append(Tile(Kind.REST, words, until))


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The bounds without white space at either side and without full stops and commas at the end."""
    lead = _LEADING.match(text, start, end)
    if lead:
        start = lead.end()
    for _ in range(8):
        kept = start + len(text[start:end].rstrip(" \t\r\n.,;"))
        if text.endswith(("\\n", "\\r", "\\t"), start, kept):
            kept -= 2
        if kept == end:
            break
        end = kept
    return start, end
