"""`whypending schedulers`: every scheduler, the names it serves, who leads, since when, and what proves it."""

from __future__ import annotations

import click

from whypending.cli.look import namespace_in, open_source
from whypending.cli.options import OutputOptions, SourceOptions, output_options, source_options
from whypending.cli.output import canvas, emit, say
from whypending.cli.paths import PathsCommand
from whypending.cli.progress import progress
from whypending.cli.status import ExitStatus
from whypending.evidence import Gap


@click.command(cls=PathsCommand)
@source_options
@output_options
def command(source: SourceOptions, output: OutputOptions) -> ExitStatus:
    """Every scheduler that was found and the schedulerNames it serves, who leads, and Pods that wait for nobody.

    The status is 1 if a Pod waits for a schedulerName that no living scheduler serves. With -n, that namespace's Pods
    and Events are read where those of the whole cluster may not be.
    """
    with open_source(source, quiet=output.quiet) as opened, progress("looking", quiet=output.quiet):
        from whypending.collectors.inventory import roster  # noqa: PLC0415

        evidence = roster(opened, namespace_in(opened, source))
        details, notes = opened.details, opened.notes
    from whypending.inventory.roster import all_served, records  # noqa: PLC0415
    from whypending.renderers.schedulers import render  # noqa: PLC0415

    found = records(evidence)
    if not output.quiet:
        for note in notes:
            say(f"note: {note}")
    emit(render(evidence, details, found, output.form, canvas(output.color)))
    if isinstance(evidence.waiting, Gap):
        return ExitStatus.COULD_NOT_LOOK
    return ExitStatus.NOTHING_STUCK if output.exit_zero or all_served(found) else ExitStatus.STUCK
