"""What an exit status says."""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class ExitStatus(IntEnum):
    """Every status that whypending ends with; scripts rely on them."""

    NOTHING_STUCK = 0, "looked, and nothing is stuck"
    STUCK = 1, "a stuck Pod was found and reported (also when the reason stays unknown)"
    USAGE = 2, "the command line is wrong"
    COULD_NOT_LOOK = 3, "could not look: unreachable, forbidden, not found, unreadable file"
    FAULT = 4, "a fault of whypending itself"
    INTERRUPTED = 130, "ended by Ctrl-C"

    meaning: str

    def __new__(cls, value: int, meaning: str) -> Self:
        """A member with its sentence."""
        member = int.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member
