"""What every part of the test cluster needs: its one error, its cache folder, its locks."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Object = dict[str, Any]
"""A Kubernetes object as JSON has it."""


class ClusterUnavailable(RuntimeError):  # noqa: N818 - it is a finding about the machine, not a mistake
    """The machine can't run the test cluster; the message says why in one sentence."""


def cache_dir() -> Path:
    """Where built output and the state of running clusters are kept."""
    if own := os.environ.get("WHYPENDING_TEST_CACHE"):
        return Path(own).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).absolute() if base else Path.home() / ".cache") / "whypending-test"


def say(text: str) -> None:
    """Prints a line of progress."""
    sys.stderr.write(f"tests.cluster: {text}\n")
    sys.stderr.flush()


@contextlib.contextmanager
def file_lock(name: str) -> Iterator[None]:
    """Holds the cache's lock of that name."""
    folder = cache_dir() / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name.replace('/', '-')}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def until(condition: Callable[[], bool], timeout: float, interval: float = 0.1) -> bool:
    """Asks again and again until the condition holds; False if it did not within the time."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(interval)
    return True
