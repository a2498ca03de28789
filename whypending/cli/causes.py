"""`whypending causes`: the catalogue."""

from __future__ import annotations

import click

from whypending.classifiers import catalogue
from whypending.cli.options import OutputOptions, form_options
from whypending.cli.output import canvas, emit
from whypending.cli.status import ExitStatus


@click.command
@form_options
def command(output: OutputOptions) -> ExitStatus:
    """Every cause that whypending knows, by class: code, name and meaning."""
    from whypending.renderers import catalogue as pages  # noqa: PLC0415

    emit(pages.render_list(catalogue(), output.form, canvas(output.color)))
    return ExitStatus.NOTHING_STUCK
