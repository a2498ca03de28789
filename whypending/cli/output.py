"""Where output goes: the report to stdout, all else to stderr; colour, width, and readers that hang up early."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from enum import StrEnum

from whypending.errors import RenderError
from whypending.renderers.escape import visible
from whypending.renderers.layout import Canvas

_COMMANDS = ("kubectl", "whypending", "pip ", "--")


class Color(StrEnum):
    """What `--color` takes."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def emit(text: str) -> None:
    """Write a report. A reader that has hung up (`| head`) has what it wanted: the rest is dropped quietly."""
    stream = sys.stdout
    if stream is None:
        return
    try:
        try:
            stream.write(text)
        except UnicodeEncodeError:
            encoding = stream.encoding or "ascii"
            stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        _discard()
    except OSError as error:
        _discard()
        reason = error.strerror or str(error)
        raise RenderError(f"The report could not be written: {reason}.", "write it somewhere else") from error


def say(text: str) -> None:
    """One line on stderr, with what a terminal would act on shown as escapes."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(_wrapped(visible(text)) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return


def _wrapped(text: str) -> str:
    """Prose broken between words on a terminal; what may hold a command to copy stays in one piece."""
    is_prose = text.startswith(("error: ", "note: ")) or (
        text.startswith("next: ") and not any(word in text for word in _COMMANDS)
    )
    if not is_prose or not sys.stderr.isatty():
        return text
    width = max(shutil.get_terminal_size().columns, 20)
    return textwrap.fill(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def canvas(color: Color) -> Canvas:
    """What stdout can show. In a pipe nothing is wrapped, so that each fact stays on one line for grep."""
    stream = sys.stdout
    terminal = stream is not None and stream.isatty()
    width = max(shutil.get_terminal_size().columns, 20) if terminal else None
    return Canvas(width, _colored(color, terminal=terminal), _unicode(getattr(stream, "encoding", None)))


def _colored(color: Color, *, terminal: bool) -> bool:
    """Flag, then environment (no-color.org), then terminal."""
    if color is not Color.AUTO:
        return color is Color.ALWAYS
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in {"dumb", "unknown"}


def _unicode(encoding: str | None) -> bool:
    try:
        "\N{MIDDLE DOT}\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}".encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _discard() -> None:
    """Nothing that is still buffered can fail again when the process ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
