"""The edge of the program: every way to end becomes a status, and a failure one sentence with a next step."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NoReturn

from whypending.cli.status import ExitStatus

if TYPE_CHECKING:
    import click


_GARBAGE = 100_000
"""Objects between two searches for reference cycles: at Python's own 700, imports alone set off a hundred of them."""


def main() -> NoReturn:
    """The console scripts. The process ends at once: a worker that still waits for a server holds nothing up."""
    gc.set_threshold(_GARBAGE)
    status = run(sys.argv[1:], program_name(sys.argv[0]))
    for stream in (sys.stdout, sys.stderr):
        _flush(stream)
    os._exit(status)


def program_name(path: str) -> str:
    """What the user typed: `whypending`, or `kubectl whypending` where kubectl found it as its plugin."""
    return "kubectl whypending" if PurePath(path).stem == "kubectl-whypending" else "whypending"


def run(arguments: Sequence[str], program: str = "whypending") -> int:
    """Do what the command line says and return the exit status; nothing is raised."""
    try:
        return _run(arguments, program)
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    except (BrokenPipeError, SystemExit):  # SystemExit: click completed a word, or nobody reads its help
        return ExitStatus.NOTHING_STUCK
    except Exception as error:  # noqa: BLE001 (the one place where a fault becomes a sentence)
        return _fault(error, arguments, program)


def _run(arguments: Sequence[str], program: str) -> int:
    import click  # noqa: PLC0415 (an interrupt during the import has to end quietly, too)

    from whypending.cli.app import app  # noqa: PLC0415
    from whypending.errors import WhypendingError  # noqa: PLC0415

    try:
        return int(app.main(list(arguments), prog_name=program, standalone_mode=False) or 0)
    except click.Abort:
        return ExitStatus.INTERRUPTED
    except click.ClickException as error:
        return _usage(error, program)
    except WhypendingError as error:
        if "--verbose" in arguments:
            _trace(error)
        _complain(error.message, error.hint.replace("whypending ", f"{program} "))
        return error.exit_status


def _usage(error: click.ClickException, program: str) -> int:
    context = getattr(error, "ctx", None)
    _complain(
        error.format_message(), getattr(error, "hint", "") or f"{context.command_path if context else program} --help"
    )
    return ExitStatus.USAGE


def _fault(error: Exception, arguments: Sequence[str], program: str) -> int:
    import shlex  # noqa: PLC0415

    if "--verbose" in arguments:
        _trace(error)
    _complain(
        f"whypending itself failed ({type(error).__name__}: {error}).",
        "please report it with what this shows: "
        + shlex.join([*program.split(), *arguments, *([] if "--verbose" in arguments else ["--verbose"])]),
    )
    return ExitStatus.FAULT


def _trace(error: BaseException) -> None:
    import traceback  # noqa: PLC0415

    from whypending.cli.output import say  # noqa: PLC0415

    for line in "".join(traceback.format_exception(error)).splitlines():
        say(line)


def _complain(message: str, hint: str) -> None:
    from whypending.cli.output import say  # noqa: PLC0415

    say(f"error: {message}")
    if hint:
        say(f"next: {hint}")


def _flush(stream: object) -> None:
    try:
        stream.flush()  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return
