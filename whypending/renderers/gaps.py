"""The Not looked at section: what could not be read, why, what it would have decided, and what to grant."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.diagnosis import Confidence, Diagnosis
from whypending.evidence import Gap, GapReason
from whypending.renderers.layout import Line, Span, Style

_MOST = 3
_FEW = 2
_DECIDING = (("Events of",), ("Node objects", "Node ", "Lease"), ("PersistentVolumeClaim",))


def gap_lines(diagnosis: Diagnosis, *, wide: bool) -> Iterator[Line]:
    """Each gap in full where the verdict may hang on it and there are few; else one line a reason."""
    gaps = diagnosis.not_evaluated
    full = gaps if wide else _in_full(diagnosis)
    for gap in full:
        yield from _gap(gap, wide=wide)
    yield from _by_reason([gap for gap in gaps if gap not in full])


def _in_full(diagnosis: Diagnosis) -> tuple[Gap, ...]:
    """Nothing that is missing can change a proved verdict; of a long list only what decides most."""
    gaps = diagnosis.not_evaluated
    if diagnosis.confidence is Confidence.PROVED:
        return tuple(gap for gap in gaps if gap.reason is GapReason.FAULT)
    if len(gaps) <= _MOST:
        return gaps
    able = sorted((gap for gap in gaps if gap.grant), key=_weight)[:_FEW]
    return tuple(gap for gap in gaps if gap in able or gap.reason is GapReason.FAULT)


def _weight(gap: Gap) -> int:
    """What people ask for first: the Pod's Events, then Nodes and Leases, then the rest in the order of reading."""
    return next((n for n, words in enumerate(_DECIDING) if gap.what.startswith(words)), len(_DECIDING))


def _gap(gap: Gap, *, wide: bool) -> Iterator[Line]:
    decides = f"; would decide {gap.would_decide}" if gap.would_decide else ""
    yield Line((Span(f"{gap.what}: {gap.reason}{decides}"),), 2, 4)
    if gap.grant:
        yield Line((Span("to look: ", Style.DIM), *_grant(gap.grant)), 4, 6)
    if gap.detail and (wide or gap.reason is GapReason.FAULT):
        yield Line((Span(gap.detail, Style.DIM),), 4, 6)


def _grant(text: str) -> Iterator[Span]:
    """Prose with commands in backquotes; a shell would run those, so the command stands without, in one piece."""
    for number, part in enumerate(text.split("`")):
        yield Span(part, Style.COMMAND, whole=True) if number % 2 else Span(part)


def _by_reason(gaps: list[Gap]) -> Iterator[Line]:
    for reason in dict.fromkeys(gap.reason for gap in gaps):
        names = ", ".join(dict.fromkeys(gap.what for gap in gaps if gap.reason is reason))
        more = any(gap.would_decide or gap.grant for gap in gaps if gap.reason is reason)
        hint = (Span(" (-o wide tells more)", Style.DIM),) if more else ()
        yield Line((Span(f"{reason}: ", Style.DIM), Span(names), *hint), 2, 4)
