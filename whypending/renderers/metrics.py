"""The Scheduler metrics section: each question with its figures, or why it has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from whypending.diagnosis import Diagnosis, Figure, Reading, SchedulerMetrics
from whypending.evidence import Gap
from whypending.renderers.layout import Line, Span, Style
from whypending.renderers.words import moment
from whypending.sources.metrics.gaps import WHAT

_MOST = 6
"""Groups of figures in one line of the short form."""
_MILLI, _MICRO = 1e-3, 1e-6


def metrics_lines(diagnosis: Diagnosis, *, wide: bool) -> Iterator[Line]:
    """Nothing where metrics were not asked for; why not, where they could not be read."""
    for gap in _own(diagnosis):
        yield Line((Span(f"not read ({gap.reason}): {gap.detail or gap.what}"),), 2, 4)
        if gap.grant:
            yield Line((Span("to look: ", Style.DIM), Span(gap.grant)), 4, 6)
    for scheduler in diagnosis.metrics or ():
        yield Line((Span(_head(scheduler), Style.DIM),), 2, 4)
        if _stands_by(scheduler) and not wide:
            yield Line((Span("this process does not lead, so it schedules nothing (-o wide tells more)"),), 4, 6)
        else:
            yield from _readings(scheduler.readings, wide=wide)
        yield from (Line((Span(warning, Style.WARN),), 4, 6) for warning in scheduler.warnings)


def without_own_gap(diagnosis: Diagnosis) -> Diagnosis:
    """The diagnosis for the section Not looked at: metrics that could not be read have a section of their own."""
    own = _own(diagnosis)
    if not own:
        return diagnosis
    others = tuple(gap for gap in diagnosis.not_evaluated if gap not in own)
    return msgspec.structs.replace(diagnosis, not_evaluated=others)


def missing_words(*, lazy: bool) -> str:
    """Why a question has no figures; a counter of a label begins to exist with its first use."""
    return f"{'nothing counted yet, or ' if lazy else ''}not exposed by this release"


def _own(diagnosis: Diagnosis) -> tuple[Gap, ...]:
    return tuple(gap for gap in diagnosis.not_evaluated if gap.what == WHAT)


def _stands_by(scheduler: SchedulerMetrics) -> bool:
    """Whether its leader status says that another replica does the work."""
    states = [f.value for r in scheduler.readings if r.metric and not r.unit for f in r.figures]
    return bool(states) and not any(states)


def _head(scheduler: SchedulerMetrics) -> str:
    parts = [scheduler.origin, scheduler.version]
    if scheduler.started:
        parts.append(f"process since {moment(scheduler.started)}")
    if scheduler.at:
        parts.append(f"as of {moment(scheduler.at)}")
    return " · ".join(part for part in parts if part)


def _readings(readings: tuple[Reading, ...], *, wide: bool) -> Iterator[Line]:
    """Each with its figures; what is missing in one line for each way to miss."""
    for reading in readings:
        if reading.metric:
            name = (Span(f" ({reading.metric})", Style.DIM),) if wide else ()
            yield Line((Span(f"{reading.question}: {_figures(reading, wide=wide)}"), *name), 4, 6)
    for lazy in (False, True):
        missing = [reading.question for reading in readings if not reading.metric and reading.lazy is lazy]
        if missing:
            yield Line((Span(f"{missing_words(lazy=lazy)}: {', '.join(missing)}", Style.DIM),), 4, 6)


def _figures(reading: Reading, *, wide: bool) -> str:
    groups: dict[tuple[tuple[str, str], ...], list[Figure]] = {}
    for figure in reading.figures:
        groups.setdefault(_telling(figure.labels, reading), []).append(figure)
    if reading.unit in {"Pods", "attempts"} and not wide:
        return _counts(groups)
    if not reading.unit and len(groups) == 1:
        return f"this process {_words(reading.figures, reading)}"
    parts = [" ".join(filter(None, (_labels(labels), _words(mine, reading)))) for labels, mine in groups.items()]
    return _cut(parts, wide=wide)


def _telling(labels: tuple[tuple[str, str], ...], reading: Reading) -> tuple[tuple[str, str], ...]:
    """Without the profile, where the question is not about profiles and there is only one."""
    only = len({value for f in reading.figures for name, value in f.labels if name == "profile"}) == 1
    return tuple(x for x in labels if x[0] != "profile") if only and "profile" not in reading.question else labels


def _counts(groups: dict[tuple[tuple[str, str], ...], list[Figure]]) -> str:
    """The largest first; groups with nothing in them together."""
    values = {labels: figures[0].value for labels, figures in groups.items()}
    some = sorted((kv for kv in values.items() if kv[1]), key=lambda kv: -kv[1])
    none = [_labels(labels) for labels, value in values.items() if not value]
    parts = [f"{_labels(labels)} {value:g}".strip() for labels, value in some]
    if none:
        parts.append(f"{', '.join(filter(None, none))} 0".strip())
    return _cut(parts, wide=False)


def _cut(parts: list[str], *, wide: bool) -> str:
    left = len(parts) - _MOST
    return "; ".join(parts) if wide or left <= 0 else "; ".join(parts[:_MOST]) + f"; … and {left} more"


def _labels(labels: tuple[tuple[str, str], ...]) -> str:
    return " ".join(value or '""' for _, value in labels)


def _words(figures: Sequence[Figure], reading: Reading) -> str:
    """The figures of one group: a count, a mean and a percentile, a share of all, or a state."""
    by = {figure.statistic: figure.value for figure in figures}
    if reading.unit == "":
        return "leads" if by.get("value") else "does not lead"
    if reading.unit != "seconds":
        return " ".join(f"{value:g} in all" if name == "count" else f"{value:g}" for name, value in by.items())
    parts = ["once" if by["count"] == 1 else f"{by['count']:g} times"] if "count" in by else []
    parts += [f"{seconds(by['mean'])} on average"] if "mean" in by else []
    parts += [f"99 % below {seconds(by['p99'])}"] if "p99" in by else []
    return ", ".join(parts)


def seconds(value: float) -> str:
    """A duration as a person says it: 12 µs, 3.4 ms, 2.1 s."""
    if abs(value) < _MILLI:
        return f"{value / _MICRO:.3g} \N{MICRO SIGN}s"
    return f"{value / _MILLI:.3g} ms" if abs(value) < 1 else f"{value:.3g} s"
