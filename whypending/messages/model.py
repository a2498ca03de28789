"""What a scheduling message says, as frozen values."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Details: TypeAlias = tuple[tuple[str, str], ...]
"""Named facts out of a text, such as `("taint.key", "dedicated")`; a name may occur more than once."""


class Reason(msgspec.Struct, frozen=True):
    """One reason in a message: `text` as written, without its count and the sentence's full stop.

    `cause` is a name of the catalogue. It is None both for an unknown text and for a known one that names no
    fault; the latter has a `says` detail. A text that the 1,024 character cut of Events hit has a `cut` detail.
    """

    text: str
    count: int | None
    node: str | None = None
    plugin: str | None = None
    cause: str | None = None
    details: Details = ()


class SchedulingMessage(msgspec.Struct, frozen=True):
    """A whole message: `text` as given, what was recognised in it, and `rest`, what was not.

    `preemption` holds what the PostFilter plugins added (preemption's own counts above all), `preemption_total`
    the number of nodes in that tail. `details` holds facts of the head, such as the Pod that an old message names.
    """

    text: str
    family: str
    nodes_total: int | None
    nodes_available: int | None
    reasons: tuple[Reason, ...]
    preemption: tuple[Reason, ...]
    rest: str
    truncated: bool
    preemption_total: int | None = None
    details: Details = ()
