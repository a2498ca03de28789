r"""A sweep in Prometheus' text format 0.0.4, for the node exporter's textfile collector.

A label's value has backslash, double quote and line feed escaped (`\\`, `\"`, `\n`), and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from whypending.renderers.escape import visible
from whypending.sweep.model import Sweep

Labels = tuple[tuple[str, str], ...]
_NOT_KNOWN = "unknown"


def render_prometheus(sweep: Sweep) -> str:
    """The metrics; a series that would be 0 is left out."""
    return "".join(f"{line}\n" for line in _lines(sweep))


def _lines(sweep: Sweep) -> Iterator[str]:
    pods, workloads, orphans = Counter[Labels](), Counter[Labels](), Counter[Labels]()
    for group in sweep.groups:
        cause = group.causes[0] if group.causes else _NOT_KNOWN
        for target in (member.target for member in group.members):
            place = ("namespace", visible(target.namespace))
            if target.kind != "Pod":
                workloads[place, ("cause", cause)] += 1
                continue
            pods[place, ("triage", str(group.triage)), ("cause", cause)] += 1
            if group.scheduler_name:
                orphans[place, ("scheduler_name", visible(group.scheduler_name))] += 1
    yield from _metric("whypending_stuck_pods", "Pods that do not run, by class and primary cause.", pods)
    yield from _metric("whypending_orphan_scheduler_pods", "Pods that no scheduler took up, by the name they ask for.",
                       orphans)  # fmt: skip
    yield from _metric("whypending_workloads_without_pods", "Workloads whose Pods could not be made.", workloads)
    yield from _metric("whypending_sweep_timestamp_seconds", "When it was looked at, by the server's clock.",
                       {(): int(sweep.observed_at.timestamp())})  # fmt: skip


def _metric(name: str, told: str, series: Mapping[Labels, int]) -> Iterator[str]:
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} gauge"
    for labels, value in sorted(series.items()):
        inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels)
        yield f"{name}{{{inside}}} {value}" if inside else f"{name} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
