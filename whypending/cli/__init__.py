"""The commands, one file each."""

from __future__ import annotations

from whypending.cli.edge import main

__all__ = ["main"]
