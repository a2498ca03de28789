"""The report for a person: the verdict, the sentence, the proof, what to do, what else, what was not looked at.

Each section is a function from Diagnosis to Lines; nothing is said in two of them. The short form fits a screen;
`wide` adds codes, every citation and remedy of every finding, moments, and where each cause is explained.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.diagnosis import Confidence, Diagnosis, Finding, Role, Triage
from whypending.renderers.chain import chain_lines
from whypending.renderers.gaps import gap_lines
from whypending.renderers.layout import Canvas, Line, Span, Style, draw, readable
from whypending.renderers.metrics import metrics_lines, without_own_gap
from whypending.renderers.proof import distinct, proof_lines
from whypending.renderers.remedies import brief, remedy_lines
from whypending.renderers.timeline import timeline_lines
from whypending.renderers.words import REFINED_BY, ago, chain_of, class_words, moment

_CLASS_STYLES = {Triage.NOT_STUCK: Style.GOOD, Triage.HELD: Style.WARN, Triage.UNKNOWN: Style.WARN}
_ROLE_WORDS = {Role.CAUSE: "another cause", Role.CONTRIBUTING: "contributing", Role.SYMPTOM: "symptom"}


def render(diagnosis: Diagnosis, canvas: Canvas) -> str:
    """The report in its short form (`-o text`)."""
    return draw(_report(diagnosis, wide=False), readable(canvas))


def render_wide(diagnosis: Diagnosis, canvas: Canvas) -> str:
    """The report with everything in it (`-o wide`)."""
    return draw(_report(diagnosis, wide=True), readable(canvas))


def _report(diagnosis: Diagnosis, *, wide: bool) -> Iterator[Line]:
    chain = chain_of(diagnosis)
    yield _verdict(diagnosis, chain, wide=wide)
    yield Line((Span(diagnosis.summary, Style.STRONG),))
    yield from _section("Proof", proof_lines(distinct(reversed(chain)), diagnosis, wide=wide))
    yield from _section("Chain", chain_lines(diagnosis, wide=wide))
    yield from _section("Do", remedy_lines(tuple(reversed(chain)), wide=wide))
    yield from _section("Also", _others(diagnosis, chain, wide=wide))
    yield from _section("Scheduler metrics", metrics_lines(diagnosis, wide=wide))
    yield from _section("Timeline", timeline_lines(diagnosis) if wide else iter(()))
    yield from _section("Not looked at", gap_lines(without_own_gap(diagnosis), wide=wide))
    yield Line()
    yield from _foot(diagnosis, wide=wide)


def _verdict(diagnosis: Diagnosis, chain: tuple[Finding, ...], *, wide: bool) -> Line:
    """Whose answer it is, its class in words, the causes from the broadest to the exact one, and how sure."""
    spans = [
        Span(diagnosis.target.ref, Style.STRONG),
        Span(" · "),
        Span(class_words(diagnosis), _CLASS_STYLES.get(diagnosis.triage, Style.BAD)),
    ]
    for number, finding in enumerate(chain):
        code = f"{finding.code} " if wide else ""
        spans += [Span(REFINED_BY if number else " · "), Span(f"{code}{finding.name}", Style.STRONG)]
    if not chain and diagnosis.triage not in {Triage.NOT_STUCK, Triage.UNKNOWN}:
        spans.append(Span(" · cause not known", Style.WARN))
    sure = diagnosis.confidence is Confidence.PROVED
    spans.append(Span(f" ({diagnosis.confidence})", Style.PLAIN if sure else Style.WARN))
    return Line(tuple(spans), hang=2)


def _section(title: str, body: Iterator[Line]) -> Iterator[Line]:
    """A blank line, the title and the body; nothing where the body is empty."""
    for number, line in enumerate(body):
        if not number:
            yield Line()
            yield Line((Span(title, Style.STRONG),))
        yield line


def _others(diagnosis: Diagnosis, chain: tuple[Finding, ...], *, wide: bool) -> Iterator[Line]:
    """The findings that the verdict does not name, one line each; `wide` also gives their proof and remedies."""
    for finding in diagnosis.findings:
        if finding in chain:
            if wide:
                yield from _broader(finding, diagnosis)
            continue
        yield _other(finding, wide=wide)
        if not wide and finding.role is Role.CAUSE:
            yield from brief(finding)
        if wide:
            yield from (
                line._replace(indent=line.indent + 2, hang=line.hang + 2) for line in _detail(finding, diagnosis)
            )


def _other(finding: Finding, *, wide: bool) -> Line:
    what = f"symptom of {finding.explained_by}" if finding.explained_by else _ROLE_WORDS[finding.role]
    sure = "" if finding.confidence is Confidence.PROVED else f", {finding.confidence}"
    code = f"{finding.code} " if wide else ""
    head = Span(f"{code}{finding.name}", Style.STRONG)
    return Line((head, Span(f" ({what}{sure}): {finding.message}")), indent=2, hang=4)


def _broader(finding: Finding, diagnosis: Diagnosis) -> Iterator[Line]:
    """The sentence of a cause that the summary's cause refines."""
    if finding.message != diagnosis.summary:
        yield Line((Span(f"{finding.code} {finding.name}", Style.STRONG), Span(f": {finding.message}")), 2, 4)


def _detail(finding: Finding, diagnosis: Diagnosis) -> Iterator[Line]:
    yield from proof_lines(distinct((finding,)), diagnosis, wide=True)
    yield from remedy_lines((finding,), wide=True)


def _foot(diagnosis: Diagnosis, *, wide: bool) -> Iterator[Line]:
    """Where it was read, by which clock, and how old the newest proof is."""
    details = diagnosis.source_details
    told = [f"{name} {value}" for name, value in details] if wide else [value for _, value in details[:1]]
    parts = [" ".join((diagnosis.source, *told[:1])), *told[1:], moment(diagnosis.observed_at)]
    times = [c.at for f in diagnosis.findings for c in f.citations if c.at]
    if times:
        when = ago(max(times), diagnosis.observed_at)
        old = when.removesuffix(" ago")
        parts.append(f"newest proof {when if old == when else f'{old} old'}")
    yield Line((Span(" · ".join(parts), Style.DIM),), hang=2)
    if wide:
        for name in dict.fromkeys(finding.name for finding in diagnosis.findings):
            yield Line((Span(f"whypending explain {name}", Style.DIM),), wrap=False)
