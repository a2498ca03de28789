"""How a container's run ended, in words."""

from __future__ import annotations

from whypending.classifiers.words import age
from whypending.objects.pod import StateTerminated

_CODES = {
    0: "no error",
    126: "usually means that the command cannot be executed",
    127: "usually means that the command was not found",
    137: "usually means SIGKILL",
    139: "usually means a segmentation fault",
    143: "usually means SIGTERM",
}
"""What a shell or runtime means by them; a program can end itself with any of them."""
_LONGEST = 160


def how(end: StateTerminated, *, said: bool = True) -> str:
    """`exit code 1 after 2 seconds`, what well-known codes mean, and (if `said`) the container's own last message."""
    meaning = _CODES.get(end.exit_code, "")
    reason = end.reason if end.reason not in {"", "Error", "Completed", "OOMKilled"} else ""
    notes = ", ".join(x for x in (reason, meaning) if x)
    ran = end.finished_at - end.started_at if end.finished_at and end.started_at else None
    after = f" after {age(ran)}" if ran is not None and ran.total_seconds() >= 1 else ""
    return f"exit code {end.exit_code}{f' ({notes})' if notes else ''}{after}{_said(end) if said else ''}"


def _said(end: StateTerminated) -> str:
    text = " ".join(end.message.split())
    if not text:
        return ""
    cut = text if len(text) <= _LONGEST else "… " + text[-_LONGEST:].split(" ", 1)[-1]
    return f", saying: {cut.rstrip('. ')}"
