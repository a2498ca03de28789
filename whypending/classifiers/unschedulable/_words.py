"""Small words that sentences of this folder share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_NAMED = 3
_ALL = {1: "the only node", 2: "both nodes"}


def nodes(count: int | None, total: int | None) -> str:
    """`9 of 12 nodes`, `all 12 nodes`, `both nodes`, `the only node`, `23 nodes`, `the nodes`."""
    if count is None:
        return "the nodes" if total is None else f"the {total} nodes" if total > 1 else "the only node"
    if total is None or count > total:
        return "1 node" if count == 1 else f"{count} nodes"
    if count == total:
        return _ALL.get(total, f"all {total} nodes")
    return f"{count} of {total} nodes"


def sentence(text: str) -> str:
    """The text with a capital first letter and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip(' .')}."


def names(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c and 9 more`."""
    if len(items) > _NAMED + 1:
        return f"{', '.join(items[:_NAMED])} and {len(items) - _NAMED} more"
    if len(items) > 1:
        return f"{', '.join(items[:-1])} and {items[-1]}"
    return "".join(items)


def held_by(pods: Sequence[str], places: Sequence[str], own: str, verb: tuple[str, str]) -> str:
    """`its sibling web-1 holds it on n1`, `its siblings web-1 and web-2 hold it on n1 and n2`."""
    one = len(pods) == 1
    return f"{own} {'sibling' if one else 'siblings'} {names(pods)} {verb[0 if one else 1]} on {names(places)}"


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """Each text once, in order, without empty ones."""
    return tuple(dict.fromkeys(x for x in items if x))


def plural(count: int | None, one: str, many: str) -> str:
    """The form that goes with the count; None counts as many."""
    return one if count == 1 else many
