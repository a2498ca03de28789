"""The report of a sweep for a person: a few lines a group, orphan scheduler names first; and the choice of a form.

The short form is made to fit one screen; `wide` adds codes, the example's own sentence, every Pod and each gap in full.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from enum import StrEnum
from importlib import import_module

from whypending.diagnosis import Confidence, Safety, Triage
from whypending.evidence import Gap, GapReason
from whypending.renderers.layout import Canvas, Line, Span, Style, draw, readable
from whypending.renderers.words import CLASS_WORDS, REFINED_BY, age, moment
from whypending.sweep.model import Group, Member, Sweep


class SweepForm(StrEnum):
    """What `sweep -o` takes."""

    TEXT = "text"
    WIDE = "wide"
    JSON = "json"
    YAML = "yaml"
    NDJSON = "ndjson"
    PROMETHEUS = "prometheus"


_DOT = " · "
_FEW = 3
_NAME_UNKNOWN = ("scheduler-name-unknown",)
"""Its line says already what is to be done: to correct the name, or to start who serves it."""
_MOST = 50
"""Members of a group that `wide` names."""


def render(sweep: Sweep, form: SweepForm, canvas: Canvas) -> str:
    """The sweep in one form, ending in a line break. Only text looks at the canvas."""
    if form in {SweepForm.TEXT, SweepForm.WIDE}:
        return draw(_report(sweep, wide=form is SweepForm.WIDE), readable(canvas))
    name = "sweep_prometheus" if form is SweepForm.PROMETHEUS else "sweep_v1"
    text: str = getattr(import_module(f"whypending.renderers.{name}"), f"render_{form}")(sweep)
    return text


def _report(sweep: Sweep, *, wide: bool) -> Iterator[Line]:
    yield _head(sweep)
    orphans = sweep.orphans
    if orphans:
        yield Line()
        yield Line((Span("No scheduler took these up, by the schedulerName that they ask for", Style.STRONG),))
    for group in orphans:
        yield from _orphan(group, sweep, wide=wide)
    others = tuple(group for group in sweep.groups if group not in orphans)
    if others:
        yield Line()
    for group in others:
        yield from _other(group, sweep, wide=wide)
    yield from _gaps(sweep.not_evaluated, wide=wide)
    yield _foot(sweep)


def _head(sweep: Sweep) -> Line:
    where = f"namespace {sweep.scope.namespace}" if sweep.scope.namespace else "all namespaces"
    if sweep.scope.labels:
        where += f" with {sweep.scope.labels}"
    rest = "" if sweep.scope.not_ready else " (running ones: --not-ready)"
    rest += f"{_DOT}{_count(sweep.young, 'Pod')} too young to tell" if sweep.young else ""
    if not sweep.groups:
        return Line((Span("Nothing is stuck", Style.GOOD), Span(f" in {where}{rest}")), hang=2)
    stuck = [_count(sweep.pods, "stuck Pod")] if sweep.pods or not sweep.workloads else []
    stuck += [f"{_count(sweep.workloads, 'workload')} without all Pods"] if sweep.workloads else []
    told = f" in {where}, {_count(len(sweep.groups), 'group')}{rest}"
    return Line((Span(" and ".join(stuck), Style.STRONG), Span(told)), hang=2)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _orphan(group: Group, sweep: Sweep, *, wide: bool) -> Iterator[Line]:
    """The name, how many, how old, whose; what was probably meant, and whether the name ever worked."""
    of = (_listed(group.owners),) if group.owners else ()
    yield Line((Span(group.scheduler_name, Style.STRONG), Span(_DOT.join(("", *_size(group, sweep), *of)))), 2, 6)
    bound = f"last bind {age(group.last_bind, sweep.observed_at)} ago" if group.last_bind else "no bind seen"
    near = f"{_DOT}near {group.nearest}" if group.nearest else ""
    yield Line((*_causes(group, wide=wide), Span(f"{near}{_DOT}{bound}")), 6, 8)
    yield from _body(group, sweep, wide=wide, remedy=wide or group.causes != _NAME_UNKNOWN)


def _other(group: Group, sweep: Sweep, *, wide: bool) -> Iterator[Line]:
    style = Style.WARN if group.triage in {Triage.HELD, Triage.UNKNOWN} else Style.BAD
    count, *old = _size(group, sweep)
    spans = [Span(count, Style.STRONG), Span(_DOT), *_causes(group, wide=wide)]
    spans += [Span(_DOT), Span(CLASS_WORDS[group.triage], style), Span(_DOT.join(("", *old)))]
    yield Line(tuple(spans), 2, 6)
    yield from _body(group, sweep, wide=wide)


def _causes(group: Group, *, wide: bool) -> Iterator[Span]:
    code = f"{group.code} " if wide and group.code else ""
    yield Span(code + (REFINED_BY.join(group.causes) or "cause not known"), Style.STRONG)
    if group.causes and group.confidence is not Confidence.PROVED:
        yield Span(f" ({group.confidence})", Style.WARN)


def _size(group: Group, sweep: Sweep) -> tuple[str, ...]:
    """How many, and how old the oldest is."""
    counts = [_count(group.pods, "Pod")] if group.pods else []
    counts += [_count(group.workloads, "workload")] if group.workloads else []
    old = (f"{age(group.oldest, sweep.observed_at)} old",) if group.oldest else ()
    return (", ".join(counts), *old)


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more


def _body(group: Group, sweep: Sweep, *, wide: bool, remedy: bool = True) -> Iterator[Line]:
    """What to do, and the command that tells all of the oldest."""
    if wide:
        yield Line((Span(group.example.diagnosis.summary),), 6, 8)
    if group.remedy and remedy:
        safe = group.remedy.safety
        tag = () if safe is Safety.READ else (Span(f" [{safe}]", Style.WARN),)
        yield Line((Span(group.remedy.text), *tag), 6, 8)
    if wide and group.remedy and group.remedy.command:
        yield from (Line((Span(x, Style.COMMAND),), 8, 8, wrap=False) for x in group.remedy.command.split("\n"))
    yield Line((Span(_command(group.example.members[0], sweep), Style.COMMAND),), 6, 6, wrap=False)
    if wide:
        yield from _members(group, sweep)


def _members(group: Group, sweep: Sweep) -> Iterator[Line]:
    for member in group.members[:_MOST]:
        old = f" ({age(member.since, sweep.observed_at)})" if member.since else ""
        owner = f" of {member.owner}" if member.owner else ""
        yield Line((Span(f"{member.target.ref}{owner}{old}", Style.DIM),), 8, 10)
    if len(group.members) > _MOST:
        yield Line((Span(f"… and {len(group.members) - _MOST:,} more, all in -o json", Style.DIM),), 8, 10)


def _command(member: Member, sweep: Sweep) -> str:
    target = member.target
    name = target.name if target.kind == "Pod" else f"{target.kind.lower()}/{target.name}"
    paths = dict(sweep.source_details).get("paths", "") if sweep.source == "files" else ""
    saved = ["--from", *paths.split(", ")] if paths else []
    return shlex.join(["whypending", "pod", "-n", target.namespace, name, *saved])


def _gaps(gaps: Iterable[Gap], *, wide: bool) -> Iterator[Line]:
    """Each with what it would decide and what to grant (`wide`), else one line a reason."""
    found = tuple(gap for gap in gaps if wide or gap.reason is not GapReason.NOT_GIVEN)
    if not found:
        return
    yield Line()
    if wide:
        yield Line((Span("Not looked at", Style.STRONG),))
        for gap in found:
            decides = f"; would decide {gap.would_decide}" if gap.would_decide else ""
            grant = f" To look: {gap.grant}." if gap.grant else ""
            yield Line((Span(f"{gap.what}: {gap.reason}{decides}."), Span(grant, Style.DIM)), 2, 4)
        return
    for reason in dict.fromkeys(gap.reason for gap in found):
        names = tuple(dict.fromkeys(gap.what for gap in found if gap.reason is reason))
        told = f"Not looked at ({reason}): {_listed(names)}"
        yield Line((Span(told), Span(" (-o wide tells more)", Style.DIM)), 0, 2)


def _foot(sweep: Sweep) -> Line:
    details = [value for _, value in sweep.source_details[:1]]
    return Line((Span(_DOT.join([" ".join((sweep.source, *details)), moment(sweep.observed_at)]), Style.DIM),), hang=2)
