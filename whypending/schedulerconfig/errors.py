"""Why a text can't be judged as a configuration."""

from __future__ import annotations


class UnreadableTextError(Exception):
    """A text that is no configuration: `reason` completes "can't be read: …", `line` counts from 1 (0: unknown)."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
