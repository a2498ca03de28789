"""Runs the command line inside this process (`run`) and as a process of its own (`process`)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.objects import EVERYTHING
from whypending.cli import edge


class Ended(NamedTuple):
    """How a run ended."""

    status: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str, program: str = "whypending") -> Ended:
        status = edge.run(arguments, program)
        shown = capsys.readouterr()
        return Ended(int(status), shown.out, shown.err)

    return call


@pytest.fixture
def process() -> Run:
    def call(*arguments: str, stdin: str = "", env: dict[str, str] | None = None) -> Ended:
        done = subprocess.run(
            [sys.executable, "-m", "whypending", *arguments],
            input=stdin,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def dump(tmp_path: Path) -> str:
    path = tmp_path / "dump.yaml"
    path.write_text(EVERYTHING)
    return str(path)
