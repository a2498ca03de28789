"""Volcano's gang messages.

Read in pkg/scheduler/api/job_info.go, pkg/scheduler/cache/cache.go and plugins/gang/gang.go of Volcano 0.4 to 1.15;
recorded texts: volcano-sh/volcano#519, #2416, #2930, #2986, #4116.
"""

from __future__ import annotations

import re

from whypending.messages.cover import Cover
from whypending.messages.kubernetes import AVAILABLE, parse_available
from whypending.patterns import Pattern

GANG = Pattern(
    r"(?:(?P<short>\d{1,9})/(?P<tasks>\d{1,9})\s{1,80}tasks\s{1,80}in\s{1,80}gang\s{1,80}unschedulable:\s{0,80})"
    r"|(?=(?:pod\s{1,80}group|job)\s{1,80}is\s{1,80}not\s{1,80}ready,)",
    re.IGNORECASE,
)
_ORIGIN = Pattern(
    r"\.\s{1,80}Origin\s{1,80}reason\s{1,80}is(?:\s{1,80}(?P<task>[^\s:]{1,253}))?:\s{1,80}", re.IGNORECASE
)


def parse_gang(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay "x/y tasks in gang unschedulable: pod group is not ready, ...", with the origin's own message."""
    cover.family = "volcano"
    if head["tasks"]:
        cover.details += [("unschedulable", head["short"]), ("tasks", head["tasks"])]
    cover.glue(head.start(), head.end())
    origin = _ORIGIN.search(cover.text, head.end(), end)
    if origin is None:
        cover.reason(head.end(), end)
        return
    cover.reason(head.end(), origin.start())
    cover.glue(origin.start(), origin.end())
    if origin["task"]:
        cover.details.append(("task", origin["task"]))
    nested = AVAILABLE.match(cover.text, origin.end(), end)
    if nested is None:
        cover.reason(origin.end(), end)
        return
    parse_available(cover, nested, end)
    cover.family = "volcano"
