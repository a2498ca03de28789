"""What of the costlier reads is wanted, and how far back."""

from __future__ import annotations

import msgspec


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """log_window: seconds of a scheduler's log. check_access: ask the API server what a scheduler may do (a POST)."""

    log_window: float = 3600
    check_access: bool = False
