"""Prometheus' `/api/v1/query`: what is asked, and what its answers hold (Prometheus documentation, HTTP API)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from whypending.evidence import Sample
from whypending.metrics.names import are_of_a_scheduler

OF_SCHEDULERS = (
    '{__name__=~"scheduler_.+|cluster_autoscaler_nodes_count",'
    '__name__!~"scheduler_(plugin|framework|event|store|get)_.+"}'
)
"""Every metric that is called as a scheduler's, in one query; the autoscaler's name tells its scheduler apart."""
_OF_PROCESSES = (
    "rest_client_requests_total|rest_client_rate_limiter_duration_seconds_(sum|count)|leader_election_.+"
    "|process_start_time_seconds|kubernetes_build_info"
)
MAX_SERIES = 50_000
_OWN = {
    "profile", "queue", "result", "plugin", "le", "name", "code", "method", "verb", "host", "event", "status", "type",
}  # fmt: skip
"""Labels of the metrics themselves; each other one that a process' series share is the scrape's and not shown."""
_ESCAPED = re.compile(r"([\\.+*?()|\[\]{}^$])")


class _Series(msgspec.Struct):
    metric: dict[str, str] = {}
    value: tuple[Any, Any] | None = None
    histogram: tuple[Any, Any] | None = None


class _Data(msgspec.Struct, rename="camel"):
    result_type: str = ""
    result: msgspec.Raw = msgspec.Raw(b"[]")


class _Answer(msgspec.Struct, rename="camel"):
    status: str = ""
    error_type: str = ""
    error: str = ""
    data: _Data | None = None
    warnings: tuple[str, ...] = ()
    infos: tuple[str, ...] = ()


class Vector(NamedTuple):
    """An answer: samples with all their labels, when they were evaluated (seconds since 1970), and warnings."""

    samples: tuple[Sample, ...]
    at: float | None = None
    warnings: tuple[str, ...] = ()


class Process(NamedTuple):
    """The samples of one scraped process, without the labels that Prometheus put on all of them (`target`)."""

    target: tuple[tuple[str, str], ...]
    samples: tuple[Sample, ...]


class AnswerError(ValueError):
    """No answer to a query; `kind` is Prometheus' errorType, empty where it is none of its answers."""

    def __init__(self, message: str, kind: str = "") -> None:
        super().__init__(message)
        self.kind = kind


def decode(body: bytes) -> Vector:
    """The vector of a `status: success`; AnswerError for its refusal and for anything else."""
    try:
        answer = msgspec.json.decode(body, type=_Answer)
        if answer.status == "error":
            raise AnswerError(f"{answer.error_type}: {answer.error}".strip(": "), answer.error_type or "error")
        if answer.status != "success" or answer.data is None:
            raise AnswerError("it is no answer of Prometheus' HTTP API")
        if answer.data.result_type != "vector":
            raise AnswerError(f"its result is a {answer.data.result_type or 'nothing'}, not a vector")
        series = msgspec.json.decode(answer.data.result, type=list[_Series])
    except msgspec.DecodeError as error:
        raise AnswerError(f"it is no answer of Prometheus' HTTP API ({error})") from error
    samples = tuple(sample for one in series[:MAX_SERIES] for sample in _samples(one))
    times = [when for one in series if (pair := one.value or one.histogram) and (when := _number(pair[0])) is not None]
    more = (f"Only the first {MAX_SERIES} series were read.",) if len(series) > MAX_SERIES else ()
    return Vector(samples, max(times, default=None), (*answer.warnings, *more))


def _samples(series: _Series) -> Iterator[Sample]:
    labels = dict(series.metric)
    name = labels.pop("__name__", "")
    if series.value is not None:
        yield from _sample(name, labels, series.value[1])
    elif series.histogram is not None and isinstance(series.histogram[1], dict):
        for part in ("count", "sum"):  # a native histogram: its buckets have no fixed bounds
            yield from _sample(f"{name}_{part}", labels, series.histogram[1].get(part))


def _sample(name: str, labels: dict[str, str], told: object) -> Iterator[Sample]:
    value = _number(told)
    if name and value is not None:
        yield Sample(name=name, labels=tuple(sorted(labels.items())), value=value)


def _number(told: object) -> float | None:
    """A finite number, as Prometheus writes it: a string."""
    try:
        value = float(told) if isinstance(told, str | int | float) else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def of_processes(targets: Sequence[tuple[str, str]]) -> str:
    """The query for what else the processes of these (job, instance) expose."""
    jobs, instances = ("|".join(sorted({_quoted(x[i]) for x in targets})) for i in (0, 1))
    return f'{{__name__=~"{_OF_PROCESSES}",job=~"{jobs}",instance=~"{instances}"}}'


def _quoted(value: str) -> str:
    """A value in a regular expression (RE2) in a PromQL string."""
    plain = _ESCAPED.sub(r"\\\1", value)
    return plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def targets_of(samples: Sequence[Sample]) -> list[tuple[str, str]]:
    """The (job, instance) of schedulers, where Prometheus knows both."""
    return [key for key, mine in _by_target(samples).items() if all(key) and are_of_a_scheduler(s.name for s in mine)]


def processes(samples: Sequence[Sample]) -> tuple[Process, ...]:
    """The schedulers among them, each with its own samples, in the order of their targets."""
    found = sorted(_by_target(samples).items())
    return tuple(_process(mine) for _, mine in found if are_of_a_scheduler(s.name for s in mine))


def _by_target(samples: Sequence[Sample]) -> dict[tuple[str, str], list[Sample]]:
    groups: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        groups.setdefault((sample.label("job"), sample.label("instance")), []).append(sample)
    return groups


def _process(samples: list[Sample]) -> Process:
    shared = set(samples[0].labels)
    for sample in samples[1:]:
        shared &= set(sample.labels)
    target = {(name, value) for name, value in shared if name not in _OWN}
    own = tuple(
        Sample(name=s.name, labels=tuple(x for x in s.labels if x not in target), value=s.value) for s in samples
    )
    return Process(tuple(sorted(target)), own)
