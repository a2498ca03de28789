"""The Not looked at section: what could not be read, why, what it would have decided, and what to grant."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.diagnosis import Confidence, Diagnosis
from whypending.evidence import Gap, GapReason
from whypending.renderers.layout import Line, Span, Style

_MOST = 3


def gap_lines(diagnosis: Diagnosis, *, wide: bool) -> Iterator[Line]:
    """Each gap in full where the verdict may hang on it and there are few; else one line a reason."""
    gaps = diagnosis.not_evaluated
    faults = [gap for gap in gaps if gap.reason is GapReason.FAULT]
    others = [gap for gap in gaps if gap.reason is not GapReason.FAULT]
    full = wide or (diagnosis.confidence is not Confidence.PROVED and len(others) <= _MOST)
    for gap in (*others, *faults) if full else faults:
        yield from _gap(gap, wide=wide)
    if not full:
        yield from _by_reason(others)


def _gap(gap: Gap, *, wide: bool) -> Iterator[Line]:
    decides = f"; would decide {gap.would_decide}" if gap.would_decide else ""
    yield Line((Span(f"{gap.what}: {gap.reason}{decides}"),), 2, 4)
    if gap.grant:
        yield Line((Span("needs ", Style.DIM), Span(gap.grant, Style.COMMAND)), 4, 6)
    if gap.detail and (wide or gap.reason is GapReason.FAULT):
        yield Line((Span(gap.detail, Style.DIM),), 4, 6)


def _by_reason(gaps: list[Gap]) -> Iterator[Line]:
    for reason in dict.fromkeys(gap.reason for gap in gaps):
        names = ", ".join(dict.fromkeys(gap.what for gap in gaps if gap.reason is reason))
        yield Line((Span(f"{reason}: ", Style.DIM), Span(names)), 2, 4)
    if any(gap.would_decide or gap.grant for gap in gaps):
        yield Line((Span("-o wide says what each would decide and what it needs", Style.DIM),), 2, 4)
