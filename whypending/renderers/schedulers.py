"""`whypending schedulers` for a person: a block a scheduler, those in trouble first; `wide` says all that is known."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from whypending import __version__
from whypending.diagnosis import (
    NameState,
    SchedulerLease,
    SchedulerProcess,
    SchedulerRecord,
    SchedulerSettings,
    ServedName,
)
from whypending.evidence import Evidence, Gap
from whypending.renderers import Format
from whypending.renderers.layout import Canvas, Line, Span, Style, draw, readable
from whypending.renderers.schedulers_v1 import trees
from whypending.renderers.words import age, moment

_STATES = {
    NameState.SERVED: ("served", Style.GOOD),
    NameState.NOT_SERVED: ("NOT SERVED", Style.BAD),
    NameState.UNKNOWN: ("not known whether it is served", Style.WARN),
}
_TITLE = 10
_SHOWN = 3


def render(
    evidence: Evidence,
    details: tuple[tuple[str, str], ...],
    records: tuple[SchedulerRecord, ...],
    form: Format,
    canvas: Canvas,
) -> str:
    """The inventory in one format, ending in a line break; with -o ndjson one scheduler a line."""
    if form in {Format.TEXT, Format.WIDE}:
        return draw(_report(evidence, details, records, wide=form is Format.WIDE), readable(canvas))
    if form is Format.YAML:
        from whypending.renderers import yaml_v1  # noqa: PLC0415 (YAML costs 20 ms)

        return yaml_v1.write(document(evidence, details, records))
    from whypending.renderers import json_v1  # noqa: PLC0415

    if form is Format.NDJSON:
        return "".join(json_v1.write(tree, indent=None) for tree in trees(records))
    return json_v1.write(document(evidence, details, records))


def document(
    evidence: Evidence, details: tuple[tuple[str, str], ...], records: tuple[SchedulerRecord, ...]
) -> dict[str, Any]:
    """What -o json prints; `$defs/inventory` of the schema describes it."""
    from whypending.renderers import json_v1  # noqa: PLC0415

    return {
        "schemaVersion": json_v1.SCHEMA_VERSION,
        "tool": {"name": "whypending", "version": __version__},
        "observedAt": json_v1.timestamp(evidence.now),
        "source": {"kind": evidence.source, **{k: v for k, v in details if k != "kind"}},
        "schedulers": trees(records),
        "notEvaluated": [json_v1.gap_tree(gap) for gap in _gaps(evidence)],
    }


def _report(
    evidence: Evidence, details: tuple[tuple[str, str], ...], records: tuple[SchedulerRecord, ...], *, wide: bool
) -> Iterator[Line]:
    yield Line((Span(_summary(evidence, records), Style.STRONG),))
    for record in records:
        yield Line()
        yield from _record(record, evidence.now, wide=wide)
    if gaps := _gaps(evidence):
        yield Line()
        yield Line((Span("Not looked at", Style.STRONG),))
        yield from (line for gap in gaps for line in _gap(gap)) if wide else _by_reason(gaps)
    yield Line()
    told = [value for _, value in details[: None if wide else 1]]
    yield Line((Span(" · ".join((evidence.source, *told, moment(evidence.now))), Style.DIM),), hang=2)


def _gaps(evidence: Evidence) -> tuple[Gap, ...]:
    """Each once: one list can answer several questions."""
    return tuple({(gap.what, gap.would_decide): gap for _, gap in evidence.gaps()}.values())


def _by_reason(gaps: tuple[Gap, ...]) -> Iterator[Line]:
    for reason in dict.fromkeys(gap.reason for gap in gaps):
        names = ", ".join(dict.fromkeys(gap.what for gap in gaps if gap.reason is reason))
        yield Line((Span(f"{reason}: ", Style.DIM), Span(names), Span(" (-o wide tells more)", Style.DIM)), 2, 4)


def _summary(evidence: Evidence, records: tuple[SchedulerRecord, ...]) -> str:
    names = [n for record in records for n in record.names]
    alive = {n.name for n in names if n.state is NameState.SERVED}
    bad = {n.name: n.untouched or n.waiting for n in names if n.waiting and n.name not in alive}
    head = f"{len(alive)} of {len({n.name for n in names})} schedulerNames served"
    if isinstance(evidence.waiting, Gap):
        return f"{head}; which Pods wait could not be read."
    if not bad:
        return f"{head}; no Pod waits for a name that nobody serves."
    pods = sum(bad.values())
    return f"{head}; {pods} {'Pod waits' if pods == 1 else 'Pods wait'} for {', '.join(sorted(bad))}."


def _record(record: SchedulerRecord, now: datetime, *, wide: bool) -> Iterator[Line]:
    family = f" ({record.family})" if record.family and record.family != record.title else ""
    if record.process or len(record.names) != 1:
        yield Line((Span(record.title, Style.STRONG), Span(family)), hang=2)
    for name in record.names:
        yield from _name(name, now, alone=record.process is None, wide=wide)
    if not record.names:
        yield _row("serves", "no name that could be read")
    if record.process:
        yield _row("process", _process(record.title, record.process, now, wide=wide))
    if record.settings:
        yield from _rows("config", _settings(record.settings, now, wide=wide))
    if record.lease:
        yield _row("lease", _lease(record.lease, wide=wide))
    yield from (_row("note", f"{note}.") for note in record.notes)


def _name(name: ServedName, now: datetime, *, alone: bool, wide: bool) -> Iterator[Line]:
    words, style = _STATES[name.state]
    head = (Span(name.name, Style.STRONG), Span(" · "), Span(words, style), Span(f" ({name.confidence})"))
    reason = f": {name.reason}" if name.reason else ""
    lead = () if alone else (Span(f"{'serves':<{_TITLE}}", Style.DIM),)
    yield Line((*lead, *head, Span(f"{reason}.")), 0 if alone else 2, 2 + (0 if alone else _TITLE))
    if name.meant:
        yield _row("meant", f'did you mean "{name.meant}"?')
    if name.waiting:
        yield _row("waiting", _waiting(name, now))
    if name.carried_by and (wide or name.state is not NameState.SERVED):
        yield _row("set by", _some(name.carried_by, wide=wide))
    if name.last_bind:
        at = name.last_bind.at
        ago = f", {age(at, now)} ago{f' ({moment(at)})' if wide else ''}" if at else ", when is not known"
        yield _row("last bind", f"{name.last_bind.pod}{ago}")
    elif not alone or wide or name.state is not NameState.SERVED:
        yield _row("last bind", "none seen")
    if wide:
        yield _row("known by", name.how)


def _waiting(name: ServedName, now: datetime) -> str:
    count = f"{'at least ' if name.at_least else ''}{name.waiting} {'Pod' if name.waiting == 1 else 'Pods'}"
    which = "" if name.untouched == name.waiting else f"{name.untouched} "
    ignored = f", {which}never looked at" if name.untouched else ""
    oldest = f", the oldest for {age(name.oldest, now)}" if name.oldest else ""
    return f"{count}{ignored}{oldest}: {_some(name.pods, wide=False)}"


def _ready(process: SchedulerProcess) -> str:
    if process.wanted is None:
        return "" if process.ready is None else f"{process.ready} ready"
    return f"{process.wanted} wanted" if process.ready is None else f"{process.ready}/{process.wanted} ready"


def _process(title: str, process: SchedulerProcess, now: datetime, *, wide: bool) -> str:
    ready = _ready(process)
    restarts = f"{process.restarts} restart{'s' if process.restarts > 1 else ''}" if process.restarts else ""
    since = f"started {age(process.started, now)} ago" if process.started else ""
    why = f"last end: {process.why}" if process.why else ""
    what = process.image if wide else process.version or process.image.rsplit("/", 1)[-1]
    known = (
        f"ServiceAccount {process.service_account}" if process.service_account else "",
        f"known by {process.known_by}",
    )
    pods = f"Pods {', '.join(process.pods)}" if process.pods else ""
    ref = "" if process.ref == title else process.ref
    return ", ".join(filter(None, (ref, what, ready, since, restarts, why, *((*known, pods) if wide else ()))))


def _settings(settings: SchedulerSettings, now: datetime, *, wide: bool) -> Iterator[str]:
    if settings.source:
        version = {True: "", False: " (this release does not know it)", None: ""}[settings.known_to_release]
        loaded = {True: "", False: ", changed after the process began: NOT LOADED", None: ""}[settings.loaded]
        changed = f", written {age(settings.changed, now)} ago" if settings.changed and (wide or loaded) else ""
        yield f"{settings.source}, data[{settings.key}], {settings.version}{version}{changed}{loaded}"
    if settings.flags and (wide or not settings.source):
        yield " ".join(settings.flags)
    elif not settings.source:
        yield "flags and defaults alone"


def _lease(lease: SchedulerLease, *, wide: bool) -> str:
    path = lease.ref.removeprefix("Lease ")
    if not lease.found:
        return f"{path} does not exist"
    if not lease.holder:
        return f"{path}, held by nobody"
    whose = {True: "one of its own Pods", False: "NOT one of its Pods", None: "whose Pod can't be told"}[lease.is_own]
    who = f"{lease.holder} ({lease.holder_pod or whose}"
    who += f", {lease.confidence})" if lease.is_own is not None else ")"
    renewed = f"renewed {lease.age} s ago" if lease.age is not None else "never renewed"
    state = "" if lease.held else ", EXPIRED"
    moves = f", {lease.transitions} transitions" if lease.transitions and wide else ""
    since = f", since {moment(lease.acquired)}" if lease.acquired and wide else ""
    return f"{path}, held by {who}{since}, {renewed}{state}{moves}"


def _row(title: str, text: str) -> Line:
    return Line((Span(f"{title:<{_TITLE}}", Style.DIM), Span(text)), 2, 2 + _TITLE)


def _rows(title: str, texts: Iterator[str]) -> Iterator[Line]:
    for number, text in enumerate(texts):
        yield _row("" if number else title, text)


def _some(texts: tuple[str, ...], *, wide: bool) -> str:
    shown = texts if wide else texts[:_SHOWN]
    return ", ".join(shown) + (f" and {len(texts) - len(shown)} more" if len(texts) > len(shown) else "")


def _gap(gap: Gap) -> Iterator[Line]:
    decides = f"; would decide {gap.would_decide}" if gap.would_decide else ""
    yield Line((Span(f"{gap.what}: {gap.reason}{decides}"),), 2, 4)
    if gap.grant:
        yield Line((Span(f"to look: {gap.grant}", Style.DIM),), 4, 6)
