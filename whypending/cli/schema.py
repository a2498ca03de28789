"""`whypending schema`: what -o json promises, as JSON Schema."""

from __future__ import annotations

import click

from whypending.cli.options import NoiseOptions, noise_options
from whypending.cli.output import emit
from whypending.cli.status import ExitStatus


@click.command
@noise_options
def command(**_: NoiseOptions) -> ExitStatus:
    """The JSON Schema of -o json (and of each line of -o ndjson)."""
    from whypending import schema  # noqa: PLC0415

    emit(schema.text())
    return ExitStatus.NOTHING_STUCK
