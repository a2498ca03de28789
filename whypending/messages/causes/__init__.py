"""The table from a reason's text to the catalogue's cause names, one module a field."""

from __future__ import annotations

from whypending.messages.causes import cycle, filters, gangs, provisioners, resources, storage, taints, vendors
from whypending.messages.causes.rules import Hit, Table
from whypending.messages.model import Details

_MODULES = (filters, taints, storage, cycle, gangs, provisioners, vendors, resources)
_TABLE = Table(
    [entry for module in _MODULES for entry in module.TEXTS],
    [entry for module in _MODULES for entry in module.RULES],
)

CAUSES: frozenset[str] = frozenset(_TABLE.causes).union(
    *(module.CAUSES for module in (filters, taints, storage, cycle, gangs, provisioners, resources, vendors))
)
"""Every cause name that a reason can have."""


def look_up(text: str) -> Hit | None:
    """What the table knows of one reason's text, or None."""
    return _TABLE.look_up(text)


def cause_of_reason(text: str) -> tuple[str | None, Details]:
    """The cause name and the facts of one reason's text, such as `("untolerated-taint", (("taint.key", "a"), ...))`.

    The cause is None where the text is unknown, and where it is known but names no fault (a `says` detail).
    """
    hit = look_up(text)
    if hit is None:
        return None, ()
    return hit.cause, hit.details if hit.plugin is None else (("plugin", hit.plugin), *hit.details)
