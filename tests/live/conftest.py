"""The clusters of the live tests, and whypending run against them as a person would."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cluster.fixtures import cluster, control_plane
from whypending import schema

__all__ = ["cluster", "control_plane"]


@dataclass(frozen=True)
class Run:
    """One run of the command line."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f["name"] for f in self.json["findings"])


def run(*arguments: str, kubeconfig: Path | None = None, env: dict[str, str] | None = None) -> Run:
    """`whypending ARGUMENTS` as a process of its own."""
    where = [f"--kubeconfig={kubeconfig}"] if kubeconfig else []
    command = [sys.executable, "-m", "whypending", *arguments, *where]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=env)
    return Run(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def valid() -> Callable[[Any], None]:
    """Raises for JSON output that the shipped schema does not allow."""
    validator = jsonschema.Draft202012Validator(json.loads(schema.text()))
    return validator.validate
