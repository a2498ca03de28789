"""The Chain section: the links of two proofs, that a scheduler serves the Pod, and that nobody does."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.diagnosis import Diagnosis, Link, LinkState
from whypending.renderers.layout import Line, Span, Style
from whypending.renderers.words import age

_TITLES = {"served": "what would show that a scheduler serves it", "orphan": "what would show that nobody does"}
_WORDS = {LinkState.SEEN: "seen", LinkState.MISSING: "missing", LinkState.NOT_READABLE: "unread"}
_STYLES = {LinkState.SEEN: Style.PLAIN, LinkState.MISSING: Style.WARN, LinkState.NOT_READABLE: Style.DIM}
_HANG = 13


def chain_lines(diagnosis: Diagnosis, *, wide: bool) -> Iterator[Line]:
    """A line a state and chain; `wide` gives each link its own, with what was seen or why it could not be."""
    for chain, title in _TITLES.items():
        links = [link for link in diagnosis.chain if link.chain == chain]
        if links:
            yield Line((Span(f"{title}:", Style.DIM),), 2, 4)
            yield from (_link(link, diagnosis) for link in links) if wide else _by_state(links)


def _by_state(links: list[Link]) -> Iterator[Line]:
    for state in LinkState:
        if told := [link.text for link in links if link.state is state]:
            yield Line((_head(state), Span("; ".join(told))), 4, _HANG)


def _link(link: Link, diagnosis: Diagnosis) -> Line:
    detail = f": {link.detail}" if link.detail else ""
    ago = f" ({age(link.at, diagnosis.observed_at)} ago)" if link.at else ""
    return Line((_head(link.state), Span(f"{link.text}{detail}"), Span(ago, Style.DIM, whole=True)), 4, _HANG)


def _head(state: LinkState) -> Span:
    return Span(f"{_WORDS[state]:<{_HANG - 4}}", _STYLES[state])
