"""A function of the evidence that is asked by many causes and answered once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from whypending.evidence import Evidence

T = TypeVar("T")


def once(function: Callable[[Evidence], T]) -> Callable[[Evidence], T]:
    """Remember the answer for the evidence seen last; the function must be pure."""
    last: tuple[Evidence, T] | None = None

    @wraps(function)
    def remembered(evidence: Evidence) -> T:
        nonlocal last
        seen = last
        if seen is not None and seen[0] is evidence:
            return seen[1]
        answer = function(evidence)
        last = (evidence, answer)
        return answer

    return remembered
