"""`whypending snapshot NAME -o FILE`: the evidence of one target as a file that --from reads."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from whypending.cli.look import namespace_in, open_source, wanted_metrics, wish_of
from whypending.cli.metrics import MetricsOptions, metrics_options
from whypending.cli.options import NoiseOptions, SourceOptions, noise_options, source_options
from whypending.cli.output import say
from whypending.cli.paths import PathsCommand
from whypending.cli.progress import progress
from whypending.cli.status import ExitStatus
from whypending.cli.target import parse_name
from whypending.evidence import Evidence


@click.command(cls=PathsCommand)
@click.argument("name", nargs=-1, metavar="NAME")
@click.option(
    "-o",
    "--output",
    "file",
    required=True,
    metavar="FILE",
    help="Where to write it: an archive as NAME.tar.gz, else a folder.",
)
@click.option("--force", is_flag=True, help="Overwrite FILE if it is there.")
@source_options
@noise_options
@metrics_options
def command(  # noqa: PLR0913 - each is a group of options
    name: tuple[str, ...],
    file: str,
    source: SourceOptions,
    noise: NoiseOptions,
    metrics: MetricsOptions,
    *,
    force: bool,
) -> ExitStatus:
    """Save what was read about a Pod in a file that --from reads.

    Secrets and environment values are left out. NAME is as in `whypending pod NAME`.
    """
    from whypending.collectors import collect  # noqa: PLC0415
    from whypending.collectors.metrics import add as add_metrics  # noqa: PLC0415
    from whypending.sources.snapshot import RecordingSource  # noqa: PLC0415

    target = parse_name(name, f"snapshot -o {shlex.quote(file)}")
    wanted = wanted_metrics(metrics, source)
    with open_source(source, quiet=noise.quiet) as opened, progress("reading", quiet=noise.quiet):
        recording = RecordingSource(opened)
        place = namespace_in(opened, source)
        evidence = collect(recording, target.kind, place, target.name, wish=wish_of(source))
        evidence = add_metrics(opened, evidence, wanted)
        recording.keep_metrics(evidence.metrics)
        recording.save(Path(file), force=force)
    if not noise.quiet:
        _tell(evidence, file)
    return ExitStatus.NOTHING_STUCK


def _tell(evidence: Evidence, file: str) -> None:
    """What was written, what is not in it, and how to read it."""
    target = evidence.target
    say(f"Wrote what decides about {target.ref} to {file}. Secrets and environment values are left out.")
    missing = [f"{gap.what} ({gap.reason})" for _, gap in evidence.gaps()]
    if missing:
        say(f"Not in it, as it could not be read: {', '.join(missing)}.")
    name = target.name if target.kind == "Pod" else f"{target.kind.lower()}/{target.name}"
    say("Read it with: " + shlex.join(["whypending", "pod", "-n", target.namespace, name, "--from", file]))
