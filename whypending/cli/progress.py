"""A sign of life on stderr, for a terminal alone and only when a look takes longer than a moment."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_MOMENT = 0.8
"""Seconds: most looks are over by then, and rich (60 ms to import) is not paid for."""
_STEP = 0.25


@contextmanager
def progress(what: str | Callable[[], str], *, quiet: bool) -> Iterator[None]:
    """Show `what` (asked again and again where it is called) with a spinner from the first moment on."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_spin, args=(what, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _spin(what: str | Callable[[], str], over: threading.Event) -> None:
    if over.wait(_MOMENT):
        return
    from rich.console import Console  # noqa: PLC0415 (only a slow look pays for it)

    with Console(stderr=True).status(_text(what)) as status:
        while not over.wait(_STEP):
            status.update(_text(what))


def _text(what: str | Callable[[], str]) -> str:
    return what if isinstance(what, str) else what()
