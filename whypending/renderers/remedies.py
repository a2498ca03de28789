"""The Do section: what to do in order, each command on a line of its own that can be copied as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.diagnosis import Finding, Remedy, Safety
from whypending.renderers.layout import Line, Span, Style

_SAFETY_STYLES = {Safety.READ: Style.DIM, Safety.CHANGE: Style.WARN, Safety.DESTRUCTIVE: Style.BAD}


def remedy_lines(findings: tuple[Finding, ...], *, wide: bool) -> Iterator[Line]:
    """The remedies of the first finding that has any, or (`wide`) of all; the exact cause comes first."""
    able = [finding for finding in findings if finding.remedies]
    chosen = able if wide else able[:1]
    remedies = {(r.text, r.command): r for finding in chosen for r in finding.remedies}
    for number, remedy in enumerate(remedies.values(), 1):
        yield from _remedy(f"{number}. ", remedy)


def _remedy(number: str, remedy: Remedy) -> Iterator[Line]:
    spans = [Span(f"{number}{remedy.text}")]
    if remedy.command or remedy.patch or remedy.safety is not Safety.READ:
        spans.append(Span(f" [{remedy.safety}]", _SAFETY_STYLES[remedy.safety]))
    if remedy.verified:
        spans.append(Span(f" Tested: {remedy.verified}.", Style.DIM))
    hang = 2 + len(number)
    yield Line(tuple(spans), 2, hang)
    for row in remedy.command.strip().split("\n") if remedy.command else ():
        yield Line((Span(row, Style.COMMAND),), hang + 2, hang + 2, wrap=False)
    patch = "" if remedy.patch in remedy.command else remedy.patch
    if remedy.command and patch:
        yield Line((Span("as a patch:", Style.DIM),), hang, hang)
    for row in patch.strip("\n").split("\n") if patch else ():
        yield Line((Span(row, Style.COMMAND),), hang + 2, hang + 2, wrap=False)
