"""`whypending pod NAME`: the main job."""

from __future__ import annotations

import click

from whypending.cli.look import look
from whypending.cli.metrics import MetricsOptions, metrics_options
from whypending.cli.options import OutputOptions, SourceOptions, output_options, source_options
from whypending.cli.paths import PathsCommand
from whypending.cli.status import ExitStatus
from whypending.cli.target import parse_name


@click.command(cls=PathsCommand)
@click.argument("name", nargs=-1, metavar="NAME")
@source_options
@output_options
@metrics_options
def command(name: tuple[str, ...], source: SourceOptions, output: OutputOptions, metrics: MetricsOptions) -> ExitStatus:
    """Why one Pod, or the Pods of one workload, do not run.

    NAME is a Pod's name, or KIND/NAME: pod, deploy, sts, ds, rs, job, cronjob or rc.
    """
    return look(parse_name(name), source, output, metrics)
