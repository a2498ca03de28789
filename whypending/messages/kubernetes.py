"""kube-scheduler's own messages, in each of their forms, and those of schedulers that print like it.

Form by release, read in FitError.Error() of each: 1.2.7 and 1.4.12 one line a node; 1.5.8 "fit failure summary on
nodes : reason (n)"; 1.8.15 "No nodes are available that match all of the predicates: reason (n)"; from 1.9.11 on
"0/N nodes are available: n reason, n reason."; from 1.24.17 on with a PostFilter tail "preemption: ...", from 1.26 on
with one uncounted PreFilter reason in place of the counted ones. An Event's note is cut at 1,024 bytes, the cut marked
by " ..." (truncateMessage in 1.19 on). Volcano (pkg/scheduler/api/unschedule_info.go, 0.4 to 1.15) prints
"0/N nodes are unavailable: ..." or "all nodes are unavailable: ...".
"""

from __future__ import annotations

import re
from itertools import islice

from whypending.messages.causes import look_up
from whypending.messages.cover import Cover, Kind
from whypending.messages.lists import MAX_ITEMS, Item, bracketed, counted, sentence_ends
from whypending.patterns import Pattern

AVAILABLE = Pattern(
    r"(?:(?P<placements>\d{1,9}/\d{1,9})\s{1,80}placements\s{1,80}are\s{1,80}available,"
    r"\s{1,80}first\s{1,80}placement\s{1,80}status:\s{1,80})?"
    r"(?:In\s{1,80}hyperNode\s{1,80}(?P<hyperNode>[^\s:]{1,253}):\s{1,80})?"
    r"(?:(?P<free>\d{1,9})/(?P<total>\d{1,9})|\ball)(?:\s|\\n){1,80}nodes(?:\s|\\n){1,80}are(?:\s|\\n){1,80}"
    r"(?P<not>un)?available\b:?",
    re.IGNORECASE,
)
SUMMARY = Pattern(
    r"No\s{1,80}nodes\s{1,80}are\s{1,80}available\s{1,80}that\s{1,80}match\s{1,80}all\s{1,80}of\s{1,80}the\s{1,80}"
    r"(?:following\s{1,80})?predicates:{0,3}"
    r"|(?:pod\s{1,80}\((?P<pod>[^()\s]{1,253})\)\s{1,80}failed\s{1,80}to\s{1,80}fit\s{1,80}in\s{1,80}any\s{1,80}node"
    r"(?:\s|\\n|-){1,80})?fit\s{1,80}failure\s{1,80}summary\s{1,80}on\s{1,80}nodes\s{0,80}:",
    re.IGNORECASE,
)
PER_NODE = Pattern(
    r"pod\s{1,80}\((?P<pod>[^()\s]{1,253})\)\s{1,80}failed\s{1,80}to\s{1,80}fit\s{1,80}in\s{1,80}any\s{1,80}node"
    r"|(?=fit\s{1,80}failure\s{1,80}on\s{1,80}node\s{1,80}\()",
    re.IGNORECASE,
)
_NODE_LINE = Pattern(r"fit\s{1,80}failure\s{1,80}on\s{1,80}node\s{1,80}\((?P<node>[^()\s]{1,253})\):", re.IGNORECASE)
_NODE_REASON = Pattern(r",\s{0,80}(?!\s|requested:|used:|capacity:)")
_TAIL = Pattern(r"(?<![\w-])(?:pod\s{1,80}group\s{1,80})?preemption:(?=\s)", re.IGNORECASE)
_BRACES = Pattern(r"taint \{")
_LINE_END = Pattern(r"\r?\n|\\n")


def parse_available(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay "0/N nodes are available: ..." from its head up to `end`."""
    bare = _TAIL.search(cover.text, max(0, head.start() - 80), head.start())
    if bare and not cover.text[bare.end() : head.start()].strip():
        _lay_tail(cover, bare, end)
        cover.family = "current"
        return
    tail = _TAIL.search(cover.text, head.end(), end)
    cover.nodes_available = int(head["free"]) if head["free"] else 0
    cover.nodes_total = int(head["total"]) if head["total"] else None
    cover.details += [(name, head[name]) for name in ("placements", "hyperNode") if head[name]]
    body_end = tail.start() if tail else end
    empty = not cover.text[head.end() : body_end].strip(" \t\r\n.,:")
    if empty and (cover.nodes_total == 0 or head["free"] is None):
        cover.reason(head.start(), head.end() - cover.text.endswith(":", head.start(), head.end()), count=None)
    else:
        cover.glue(head.start(), head.end())
    cover.family = _lay_body(cover, head.end(), body_end, volcano=bool(head["not"]))
    if tail:
        _lay_tail(cover, tail, end)


def _lay_body(cover: Cover, start: int, end: int, *, volcano: bool) -> str:
    items = _joined(cover.text, counted(cover.text, start, end, cover.nodes_total))
    if not items:
        kept = _lay_sentences(cover, start, end, None)
        return "volcano" if volcano else "prefilter" if kept else "current"
    for item in items[:-1]:
        cover.item(item)
    cover.glue(items[-1].start, items[-1].body)
    _lay_sentences(cover, items[-1].body, end, items[-1].number)
    if volcano:
        return "volcano"
    return "braces" if _BRACES.search(cover.text, start, end) else "current"


def _joined(text: str, items: list[Item]) -> list[Item]:
    """The items with those put back together whose parts are unknown alone, and known as one text."""
    kept: list[Item] = []
    for item in items:
        last = kept[-1] if kept else None
        parts = last and (text[last.body : last.end], text[item.body : item.end], text[last.body : item.end])
        if last and parts and look_up(parts[0]) is None and look_up(parts[1]) is None and look_up(parts[2]) is not None:
            kept[-1] = last._replace(end=item.end, stop=item.stop)
        else:
            kept.append(item)
    return kept


def _lay_sentences(cover: Cover, start: int, end: int, count: int | None) -> bool:
    """Lay the last (or only) reason and, where its sentence ends early, what PostFilter plugins added to it."""
    text = cover.text
    if not text[start:end].strip(" \t\r\n.,:"):
        return False
    stop, after = end, end
    if look_up(text[start:end]) is None:
        for candidate, following in sentence_ends(text, start, end):
            if look_up(text[start:candidate]) is not None or look_up(text[following:end]) is not None:
                stop, after = candidate, following
                break
    cover.reason(start, stop, count=count)
    if after < end and look_up(text[after:end]) is not None:
        cover.reason(after, end, kind=Kind.PREEMPTION)
    return True


def _lay_tail(cover: Cover, tail: re.Match[str], end: int) -> None:
    cover.glue(tail.start(), tail.end())
    head = AVAILABLE.search(cover.text, tail.end(), min(end, tail.end() + 120))
    if head is None or cover.text[tail.end() : head.start()].strip():
        cover.reason(tail.end(), end, kind=Kind.PREEMPTION)
        return
    cover.preemption_total = int(head["total"]) if head["total"] else None
    cover.glue(head.start(), head.end())
    items = counted(cover.text, head.end(), end, cover.preemption_total)
    for item in items:
        cover.item(item, Kind.PREEMPTION)
    if not items:
        cover.reason(head.end(), end, kind=Kind.PREEMPTION)


def parse_summary(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay the form of 1.5 to 1.8, counts in brackets behind the reasons."""
    cover.family = "legacy-brackets"
    cover.nodes_available = 0
    if head["pod"]:
        cover.details.append(("pod", head["pod"]))
    cover.glue(head.start(), head.end())
    for item in bracketed(cover.text, head.end(), end):
        cover.item(item)


def parse_per_node(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay the form of 1.2 to 1.4, one line a node; the nodes listed are all nodes there were."""
    cover.family = "legacy-per-node"
    cover.nodes_available = 0
    if head["pod"]:
        cover.details.append(("pod", head["pod"]))
    lines = list(islice(_NODE_LINE.finditer(cover.text, head.end(), end), MAX_ITEMS))
    if not lines:
        cover.reason(head.start(), end)
        return
    cover.glue(head.start(), head.end())
    ends = [line.start() for line in lines[1:]] + [end]
    for line, stop in zip(lines, ends, strict=True):
        line_end = _LINE_END.search(cover.text, line.end(), stop)
        last = line_end.start() if line_end else stop
        if cover.text[line.end() : last].strip(" \t\r\n.,;"):
            cover.glue(line.start(), line.end())
            _lay_node(cover, line.end(), last, line["node"])
    cover.nodes_total = len({line["node"] for line in lines}) or None


def _lay_node(cover: Cover, start: int, end: int, node: str) -> None:
    for separator in islice(_NODE_REASON.finditer(cover.text, start, end), MAX_ITEMS):
        cover.reason(start, separator.start(), node=node)
        cover.glue(separator.start(), separator.end())
        start = separator.end()
    cover.reason(start, end, node=node)
