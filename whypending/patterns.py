"""Regular expressions that are compiled when they are first used.

The table of scheduler messages alone has two hundred, and compiling all of them takes a fifth of a whole look; the
words of one Pod meet only a few.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any


class Pattern:
    """`re.Pattern[str]`, compiled at the first use; `flags` are those of `re.compile`. A bad pattern raises then."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    def __repr__(self) -> str:
        """As the pattern is written."""
        return f"Pattern({self.pattern!r})"

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The real one."""
        return re.compile(self.pattern, self.flags)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        return self.compiled.match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As `re.Pattern.fullmatch`."""
        return self.compiled.fullmatch(text, start, end)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        return self.compiled.search(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        return self.compiled.finditer(text, start, end)

    def findall(self, text: str) -> list[Any]:
        """As `re.Pattern.findall`: texts, or tuples of them where the pattern has several groups."""
        return self.compiled.findall(text)

    def split(self, text: str) -> list[str]:
        """As `re.Pattern.split`, for a pattern whose groups all match."""
        return self.compiled.split(text)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str) -> str:
        """As `re.Pattern.sub`."""
        return self.compiled.sub(new, text)
