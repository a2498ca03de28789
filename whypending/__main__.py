"""`python -m whypending`."""

from __future__ import annotations

from whypending.cli import main

main()
