"""The options that commands share, in kubectl's spelling, and the values that commands get from them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from functools import wraps
from typing import Any, TypeVar

import click
import msgspec

from whypending.cli.output import Color
from whypending.renderers import Format

MIN_YEAR, MAX_YEAR = 2000, 9000
Command = TypeVar("Command", bound=Callable[..., Any])


class SourceOptions(msgspec.Struct, frozen=True):
    """Where to look."""

    namespace: str = ""
    context: str = ""
    kubeconfig: str = ""
    as_user: str = ""
    as_groups: tuple[str, ...] = ()
    from_paths: tuple[str, ...] = ()
    now: datetime | None = None
    timeout: float | None = None
    request_timeout: float | None = None
    insecure: bool = False
    log_window: float | None = None
    check_access: bool = False


class NoiseOptions(msgspec.Struct, frozen=True):
    """How much to say on stderr."""

    quiet: bool = False
    verbose: bool = False


class OutputOptions(NoiseOptions, frozen=True):
    """How to answer."""

    form: Format = Format.TEXT
    color: Color = Color.AUTO
    exit_zero: bool = False


def duration(value: str | float) -> float:
    """Seconds, or Go's form as kubectl takes it: `30`, `1.5`, `90s`, `2m`, `1m30s`."""
    text = str(value).strip()
    parts = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?", text)
    hours, minutes, seconds = (float(part or 0) for part in parts.groups()) if parts else (0, 0, 0)
    total = hours * 3600 + minutes * 60 + seconds
    if not total:
        raise click.BadParameter(f'"{text}" is no time to wait: write seconds, or 90s, or 2m.')
    return total


def moment(value: str | datetime) -> datetime:
    """A time as the API writes it, aware; without an offset it is UTC. Years that no cluster has are refused."""
    try:
        when = value if isinstance(value, datetime) else datetime.fromisoformat(value.strip())
    except ValueError as error:
        raise click.BadParameter(f'"{value}" is no time: write it as 2026-11-30T22:15:00Z.') from error
    if not MIN_YEAR <= when.year <= MAX_YEAR:
        raise click.BadParameter(f'"{value}" is no time of a cluster.')
    return when if when.tzinfo else when.replace(tzinfo=UTC)


_SOURCE = (
    click.option("-n", "--namespace", default="", metavar="NS", help="The Pod's namespace (else the context's)."),
    click.option("--context", default="", metavar="NAME", help="A context of the kubeconfig."),
    click.option("--kubeconfig", default="", metavar="FILE", help="A kubeconfig (else $KUBECONFIG, ~/.kube/config)."),
    click.option("--as", "as_user", default="", metavar="USER", help="Impersonate this user."),
    click.option("--as-group", "as_groups", multiple=True, metavar="GROUP", help="Impersonate a group (repeatable)."),
    click.option(
        "--from",
        "from_paths",
        multiple=True,
        metavar="PATH...",
        help="Read files instead of a cluster: kubectl's YAML or JSON, folders, archives, bundles, - for stdin.",
    ),
    click.option("--now", type=moment, metavar="TIME", help="With --from: when it was saved, as 2026-11-30T22:15:00Z."),
    click.option("--timeout", type=duration, metavar="SECONDS", help="For all reads together (else 30)."),
    click.option("--request-timeout", type=duration, metavar="SECONDS", help="For each read (else 10)."),
    click.option("--insecure-skip-tls-verify", "insecure", is_flag=True, help="Do not check the server's certificate."),
    click.option(
        "--log-window", type=duration, metavar="TIME", help="How far back to read a scheduler's log (else 1h)."
    ),
    click.option(
        "--check-access",
        is_flag=True,
        help="Ask the API server what a scheduler may do, by SubjectAccessReview: a POST that changes nothing.",
    ),
)
_NOISE = (
    click.option("--quiet", is_flag=True, help="No notes on stderr, errors alone."),
    click.option("--verbose", is_flag=True, help="More notes on stderr; a traceback with an error."),
)
_OUTPUT = (
    click.option(
        "-o",
        "--output",
        "form",
        type=click.Choice([form.value for form in Format]),
        default=Format.TEXT.value,
        show_default=True,
        help="The form of the report.",
    ),
    click.option(
        "--color",
        type=click.Choice([color.value for color in Color]),
        default=Color.AUTO.value,
        show_default=True,
        help="Colour; auto heeds NO_COLOR, TERM and pipes.",
    ),
    *_NOISE,
)
_EXIT_ZERO = click.option("--exit-zero", is_flag=True, help="Exit with 0 where it would be 1.")


def source_options(command: Command) -> Command:
    """Adds the options of where to look; the command gets them as `source: SourceOptions`."""
    return _add(_SOURCE, _gather(command, "source", SourceOptions))


def output_options(command: Command) -> Command:
    """Adds the options of how to answer; the command gets them as `output: OutputOptions`."""
    return _add((*_OUTPUT, _EXIT_ZERO), _gather(command, "output", _output, OutputOptions))


def form_options(command: Command) -> Command:
    """The same for a command that ends with 0 whatever it shows."""
    return _add(_OUTPUT, _gather(command, "output", _output, OutputOptions))


def _output(**values: Any) -> OutputOptions:  # noqa: ANN401
    return OutputOptions(**{**values, "form": Format(values["form"]), "color": Color(values["color"])})


def output_options_of(forms: type[StrEnum]) -> Callable[[Command], Command]:
    """As `output_options`, for a command with forms of its own; it gets the one that was chosen as `form`."""
    form, *others = _OUTPUT
    del form
    keys = tuple(key for key in OutputOptions.__struct_fields__ if key != "form")
    own = click.option(
        "-o", "--output", "form", type=click.Choice([form.value for form in forms]), default=next(iter(forms)).value,
        show_default=True, help="The form of the report.",
    )  # fmt: skip

    def build(**values: Any) -> OutputOptions:  # noqa: ANN401
        return OutputOptions(**{**values, "color": Color(values["color"])})

    return lambda command: _add((own, *others, _EXIT_ZERO), _gather(command, "output", build, keys=keys))


def noise_options(command: Command) -> Command:
    """Adds `--quiet` and `--verbose` alone; the command gets them as `noise: NoiseOptions`."""
    return _add(_NOISE, _gather(command, "noise", NoiseOptions))


def _gather(
    command: Command, name: str, build: Callable[..., Any], shape: type | None = None, keys: tuple[str, ...] = ()
) -> Command:
    keys = keys or (shape or build).__struct_fields__  # type: ignore[attr-defined]

    @wraps(command)
    def gathered(**values: Any) -> Any:  # noqa: ANN401
        return command(**{name: build(**{key: values.pop(key) for key in keys if key in values})}, **values)

    return gathered  # type: ignore[return-value]


def _add(options: tuple[Callable[[Command], Command], ...], command: Command) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
