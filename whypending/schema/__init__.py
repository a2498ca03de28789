"""The JSON Schema of each version of the output, shipped as it is published."""

from __future__ import annotations

from pathlib import Path

VERSIONS = ("1",)


def text(version: str = VERSIONS[-1]) -> str:
    """The schema of a version as JSON text."""
    return (Path(__file__).parent / f"v{version}.json").read_text(encoding="utf-8")
