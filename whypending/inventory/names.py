"""schedulerNames: which are known, and which one a mistyped name was meant to be; pure."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_SIMILAR = 0.8
_SUFFIX = "-scheduler"
_LONG = 253


def near_name(name: str, known: Iterable[str]) -> str:
    """The known name that this one is probably a slip of, empty if none is; a common `-scheduler` says nothing."""
    ends = name.endswith(_SUFFIX)
    stems = {n.removesuffix(_SUFFIX) if ends and n.endswith(_SUFFIX) else n: n for n in sorted(known) if len(n) < _LONG}
    stem = name.removesuffix(_SUFFIX)[:_LONG] if ends else name[:_LONG]
    near = get_close_matches(stem, [s for s in stems if s], n=1, cutoff=_SIMILAR)
    return stems[near[0]] if near and stem else ""
