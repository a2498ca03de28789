"""The Do section: what to do in order, each command on a line of its own that can be copied as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.diagnosis import Finding, Remedy, Safety
from whypending.renderers.layout import Line, Span, Style

_SAFETY_STYLES = {Safety.READ: Style.DIM, Safety.CHANGE: Style.WARN, Safety.DESTRUCTIVE: Style.BAD}


_MOST = 5


def remedy_lines(findings: tuple[Finding, ...], *, wide: bool) -> Iterator[Line]:
    """The remedies of all findings, the exact cause's first; the short form looks closer at the exact cause alone."""
    remedies = distinct_remedies(findings)
    wanted = remedies if wide else _deciding(findings, remedies)
    for number, remedy in enumerate(wanted if wide else wanted[:_MOST], 1):
        yield from _remedy(f"{number}. ", remedy)
    if not wide and len(wanted) > _MOST:
        yield Line((Span(f"… and {len(wanted) - _MOST} more, shown by -o wide", Style.DIM),), 2, 4)


def distinct_remedies(findings: tuple[Finding, ...]) -> tuple[Remedy, ...]:
    """Each remedy once: neither the same sentence nor the same command comes again."""
    found: list[Remedy] = []
    for remedy in (r for finding in findings for r in finding.remedies):
        again = (r for r in found if r.text == remedy.text or (r.command and r.command == remedy.command))
        if next(again, None) is None:
            found.append(remedy)
    return tuple(found)


def _deciding(findings: tuple[Finding, ...], remedies: tuple[Remedy, ...]) -> tuple[Remedy, ...]:
    """All of the first finding that has any, and of the broader ones what mends something."""
    own = next((f.remedies for f in findings if f.remedies), ())
    return tuple(r for r in remedies if r in own or r.safety is not Safety.READ)


def brief(finding: Finding) -> Iterator[Line]:
    """The first remedy of another cause in one line, its command where it has one; what changes comes before looks."""
    remedy = next((r for r in finding.remedies if r.safety is Safety.CHANGE), next(iter(finding.remedies), None))
    if remedy is None:
        return
    command = remedy.command.strip()
    if not command or "\n" in command:
        yield Line((Span("do: ", Style.DIM), Span(remedy.text), Span(f" [{remedy.safety}]", Style.DIM)), 4, 6)
        return
    spans = (Span("do: ", Style.DIM), Span(command, Style.COMMAND), Span(f"  # {remedy.safety}", Style.DIM))
    yield Line(spans, 4, 6, wrap=False)


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
