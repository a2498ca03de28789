"""The Timeline section of `-o wide`: what happened, oldest first, and where it is recorded."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.diagnosis import Diagnosis
from whypending.renderers.layout import Line, Span, Style
from whypending.renderers.words import age, moment


def timeline_lines(diagnosis: Diagnosis) -> Iterator[Line]:
    """One line a moment: the time, how long ago, what, and the field or Event that tells."""
    for told in diagnosis.timeline:
        ago = age(told.at, diagnosis.observed_at)
        when = Span(f"{moment(told.at)} ({ago} ago) " if ago != "0s" else f"{moment(told.at)} ", Style.DIM)
        source = told.source.removeprefix(f"{diagnosis.target.ref} ")
        yield Line((when, Span(told.text), Span(f" · {source}", Style.DIM)), 2, 4)
