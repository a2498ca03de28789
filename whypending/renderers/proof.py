"""The Proof section: citations by object, each as `field = value (age ago)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from whypending.diagnosis import Citation, Diagnosis, Finding
from whypending.renderers.layout import Line, Span, Style
from whypending.renderers.words import ago, moment

_MOST = 6
_LONGEST = 600
"""Characters of one value in the short form: a screen has room for so much, and it is longer than most messages."""
_LONG_ENOUGH = 24
"""A shorter text costs less to read than "the same text"."""
_EVERYTHING = "the cluster"
"""What a field is of that is counted over all objects."""
_QUOTED_WHOLE = "unrecognised-message"


def distinct(findings: Iterable[Finding]) -> tuple[Citation, ...]:
    """The findings' citations in order, each object's field with one value once."""
    return tuple({(c.object, c.field, c.value): c for f in findings for c in f.citations}.values())


def proof_lines(citations: tuple[Citation, ...], diagnosis: Diagnosis, *, wide: bool) -> Iterator[Line]:
    """The citations, those of one object together; what an unknown message says is never cut."""
    whole = wide or any(f.name == _QUOTED_WHOLE for f in diagnosis.findings)
    shown = citations if whole else citations[:_MOST]
    writer = _Writer(diagnosis, whole, wide, set())
    order = list(dict.fromkeys(c.object for c in shown))
    for name, group in groupby(sorted(shown, key=lambda c: order.index(c.object)), key=lambda c: c.object):
        yield from writer.object(name, tuple(group))
    if left := len(citations) - len(shown):
        yield Line((Span(f"… and {left} more, shown by -o wide", Style.DIM),), 2, 4)


class _Writer(NamedTuple):
    diagnosis: Diagnosis
    whole: bool
    wide: bool
    said: set[str]

    def object(self, name: str, group: tuple[Citation, ...]) -> Iterator[Line]:
        """Fields of the target, which the verdict names, or of no object, alone; else the object in front, or above."""
        target = self.diagnosis.target.ref
        short = name.removesuffix(f" on {target}")
        if name in {target, _EVERYTHING}:
            yield from (Line(self.spans(citation), 2, 4) for citation in group)
        elif len(group) == 1:
            joint = ": " if _is_event(group[0]) else " "
            yield Line((Span(short + joint), *self.spans(group[0])), 2, 4)
        else:
            yield Line((Span(short),), 2, 4)
            yield from (Line(self.spans(citation), 4, 6) for citation in group)

    def spans(self, citation: Citation) -> tuple[Span, ...]:
        field = () if _is_event(citation) else (Span(f"{citation.field} = ", Style.DIM),)
        return (*field, Span(self.value(citation)), *self.when(citation))

    def value(self, citation: Citation) -> str:
        """The value, cut where it is very long; a text that was shown already is not shown again."""
        value = citation.value.strip(" \n")
        text = value.removeprefix("Error: ")
        if len(text) > _LONG_ENOUGH and not self.wide:
            if text in self.said:
                return "the same text"
            if _is_text(citation) and any(text in earlier for earlier in self.said):
                return "part of the text above"
            self.said.add(text)
        if self.whole or len(value) <= _LONGEST:
            return value or '""'
        return f"{value[:_LONGEST].rstrip()}… ({len(value)} characters, whole with -o wide)"

    def when(self, citation: Citation) -> tuple[Span, ...]:
        if citation.at is None:
            return ()
        when = ago(citation.at, self.diagnosis.observed_at)
        return (Span(f" ({moment(citation.at)}, {when})" if self.wide else f" ({when})", Style.DIM, whole=True),)


def _is_text(citation: Citation) -> bool:
    """Somebody's words, of which a part is as good as the whole; of any other field the value itself counts."""
    return citation.field.endswith(("message", "note")) or ".conditions[" in citation.field


def _is_event(citation: Citation) -> bool:
    """An Event is known by its message; its reason is part of the object's name."""
    return citation.object.startswith("Event ") and citation.field in {"message", "note"}
