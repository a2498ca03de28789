"""Lists that KAI, YuniKorn, HAMi and Fargate print; the sources are named in `causes/vendors.py`.

Recorded texts: kai-scheduler/KAI-Scheduler#118, #577 and #1876, kubernetes-sigs/aws-efs-csi-driver#589,
aws/containers-roadmap#1382.
"""

from __future__ import annotations

import re
from itertools import islice

from whypending.messages.cover import Cover
from whypending.messages.lists import MAX_ITEMS, bracketed, counted
from whypending.patterns import Pattern

KAI = Pattern(
    r"(?:Node-Pool\s{1,80}'(?P<pool>[^']{1,253})':\s{1,80})?"
    r"(?:(?:PodSchedulingErrors|Unable\s{1,80}to\s{1,80}schedule\s{1,80}podgroup):\s{1,80})?"
    r"(?:(?=Resources\s{1,80}were\s{1,80}found\s{1,80}for\s{1,80}\d)"
    r"|Resources\s{1,80}were\s{1,80}not\s{1,80}found\s{1,80}for\s{1,80}pod\s{1,80}(?P<pod>\S{1,506})"
    r"\s{1,80}due\s{1,80}to:\s{1,80}"
    r"|(?=Scheduling\s{1,80}conditions\s{1,80}were\s{1,80}not\s{1,80}met\s{1,80}for\s{1,80}pod\b)"
    r"|(?=no\s{1,80}nodes\s{1,80}with\s{1,80}enough\s{1,80}resources\s{1,80}were\s{1,80}found))"
)
_KAI_GANG = Pattern(
    r"\.\s{1,80}Additional\s{1,80}pods\s{1,80}cannot\s{1,80}be\s{1,80}scheduled"
    r"(?:\s{1,80}in\s{1,80}this\s{1,80}sub-group)?\s{1,80}due\s{1,80}to:\s{1,80}"
)
_KAI_LIST = Pattern(r"no\s{1,80}nodes\s{1,80}with\s{1,80}enough\s{1,80}resources\s{1,80}were\s{1,80}found:")
_KAI_CONDITIONS = Pattern(
    r"Scheduling\s{1,80}conditions\s{1,80}were\s{1,80}not\s{1,80}met\s{1,80}for\s{1,80}pod\s{1,80}(?P<pod>\S{1,506})"
)
_LINES = Pattern(r"(?:\r?\n|\\n)\s{0,80}")
YUNIKORN = Pattern(r"Unschedulable\s{1,80}request\s{1,80}'(?P<request>[^']{1,253})':\s{1,80}")
HAMI = Pattern(r"(?P<count>\d{1,9})\s{1,80}nodes\s{1,80}(?=[A-Z]\w{1,80}\()")
FARGATE = Pattern(r"Pod\s{1,80}not\s{1,80}supported\s{1,80}on\s{1,80}Fargate:\s{1,80}", re.IGNORECASE)
_FARGATE_PART = Pattern(
    r",\s{1,80}(?=fields\s{1,80}not\s{1,80}supported:|invalid\s{1,80}SecurityContext\s{1,80}fields:"
    r"|volumes\s{1,80}not\s{1,80}supported:|port\s{1,80}contains\s)",
    re.IGNORECASE,
)


def parse_kai(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay KAI's message about a Pod or PodGroup, with the list of node reasons at its end."""
    text = cover.text
    cover.family = "kai"
    cover.details += [(name, head[name]) for name in ("pool", "pod") if head[name]]
    cover.glue(head.start(), head.end())
    start = head.end()
    gang = _KAI_GANG.search(text, start, end)
    if gang:
        cover.reason(start, gang.start())
        cover.glue(gang.start(), gang.end())
        start = gang.end()
    nodes = _KAI_LIST.match(text, start, end)
    conditions = _KAI_CONDITIONS.match(text, start, end)
    items = counted(text, nodes.end(), end, None) if nodes else []
    if nodes and items:
        cover.nodes_available = 0
        cover.glue(start, nodes.end())
        for item in items:
            cover.item(item)
    elif conditions and text[conditions.end() : end].strip(" \t\r\n.,;:"):
        cover.glue(start, conditions.end())
        cover.details += [] if head["pod"] else [("pod", conditions["pod"].rstrip(":"))]
        _lay_lines(cover, conditions.end() + text.startswith(":", conditions.end()), end)
    else:
        cover.reason(start, end)


def _lay_lines(cover: Cover, start: int, end: int) -> None:
    for line in islice(_LINES.finditer(cover.text, start, end), MAX_ITEMS):
        cover.reason(start, line.start())
        start = line.end()
    cover.reason(start, end)


def parse_yunikorn(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay "Unschedulable request 'x': reason (5x); "."""
    cover.family = "yunikorn"
    cover.details.append(("request", head["request"]))
    cover.glue(head.start(), head.end())
    items = bracketed(cover.text, head.end(), end)
    if not items:
        cover.reason(head.end(), end)
    for item in items:
        cover.item(item)


def parse_hami(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay "2 nodes CardInsufficientMemory(node-a,node-b)"."""
    cover.family = "hami"
    cover.glue(head.start(), head.end())
    cover.reason(head.end(), end, count=int(head["count"]))


def parse_fargate(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay "Pod not supported on Fargate: ...", one reason a kind of trouble."""
    cover.family = "fargate"
    cover.glue(head.start(), head.end())
    start = head.end()
    for part in islice(_FARGATE_PART.finditer(cover.text, start, end), MAX_ITEMS):
        cover.reason(start, part.start())
        cover.glue(part.start(), part.end())
        start = part.end()
    cover.reason(start, end)
