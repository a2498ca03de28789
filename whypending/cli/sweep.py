"""`whypending sweep`: every stuck Pod, grouped by cause."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

import click
from msgspec import structs

from whypending.cli.look import namespace_in, open_source, wish_of
from whypending.cli.options import OutputOptions, SourceOptions, output_options_of, source_options
from whypending.cli.output import canvas, emit, say
from whypending.cli.paths import PathsCommand
from whypending.cli.progress import progress
from whypending.cli.status import ExitStatus
from whypending.diagnosis import Triage
from whypending.renderers.sweep import SweepForm, render
from whypending.sources.base import Source
from whypending.sweep.model import Scope, Sweep

if TYPE_CHECKING:
    from whypending.collectors.wish import Wish

_TIMEOUT = 300.0
"""Seconds for all reads together, where --timeout does not say: pages of a large cluster, each by its own limit."""


@click.command(cls=PathsCommand)
@click.option("-A", "--all-namespaces", "everywhere", is_flag=True, help="In all namespaces; wins over -n.")
@click.option("-l", "--selector", "labels", default="", metavar="SELECTOR", help="Only Pods with these labels.")
@click.option("--not-ready", is_flag=True, help="Also Pods that run but are not Ready: reads every Pod, page by page.")
@source_options
@output_options_of(SweepForm)
def command(  # noqa: PLR0913 (each is an option)
    source: SourceOptions, output: OutputOptions, form: str, labels: str, *, everywhere: bool, not_ready: bool
) -> ExitStatus:
    """Every stuck Pod of a namespace or a cluster, by cause; scheduler names that nobody serves come first.

    Reads Pods that are Pending or Failed, not all Pods, and judges those that are alike once. A Pod whose containers
    crash counts as running: --not-ready finds those as well.
    """
    state = _State()
    start = perf_counter()
    if source.timeout is None and not source.from_paths:
        source = structs.replace(source, timeout=_TIMEOUT)
    with open_source(source, quiet=output.quiet) as opened, progress(state, quiet=output.quiet):
        namespace = "" if everywhere else namespace_in(opened, source)
        swept = sweep(opened, Scope(namespace=namespace, labels=labels, not_ready=not_ready), state, wish_of(source))
    if not output.quiet:
        for note in swept.notes:
            say(f"note: {note}")
    if output.verbose:
        say(f"note: read and judged in {perf_counter() - start:.2f} s.")
    emit(render(swept, SweepForm(form), canvas(output.color)))
    return ExitStatus.STUCK if swept.groups and not output.exit_zero else ExitStatus.NOTHING_STUCK


class _State:
    """What a waiting person is shown."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0

    def __call__(self) -> str:
        return f"judging, {self.done} of {self.total}" if self.total else "looking for stuck Pods"


def sweep(source: Source, scope: Scope, state: _State | None = None, wish: Wish | None = None) -> Sweep:
    """Find, judge and group what is stuck. Raises SourceError where Pods can't be listed."""
    from whypending.collectors import sweep as collector  # noqa: PLC0415 (not needed where nothing can be read)
    from whypending.collectors.wish import Wish  # noqa: PLC0415
    from whypending.engine import diagnose, prepare  # noqa: PLC0415
    from whypending.evidence import Evidence  # noqa: PLC0415
    from whypending.sweep.cases import case_of  # noqa: PLC0415
    from whypending.sweep.groups import gaps_of, grouped  # noqa: PLC0415
    from whypending.sweep.model import Case  # noqa: PLC0415

    state = state or _State()
    found = collector.find(source, scope)
    state.total = len(found.alike)

    def verdict(alike: collector.Alike, evidence: Evidence) -> Case | None:
        case = case_of(alike, evidence, diagnose(evidence, source))
        state.done += 1
        return case

    on_class: Callable[[Triage], object] = prepare
    judged, unread = collector.judge(source, found, verdict, on_class, wish or Wish())
    cases = [case for case in judged if case is not None]
    starting = sum(len(a.pods) for a, case in zip(found.alike, judged, strict=True) if case is None)
    return Sweep(
        scope=scope,
        observed_at=source.now,
        source=source.kind,
        source_details=source.details,
        groups=grouped(cases),
        young=found.young + starting,
        not_evaluated=gaps_of(cases, (*found.gaps, *unread)),
        notes=source.notes,
    )
