"""The way in: which form a message has, and its parts as values.

Each form's module says which release of which project it was read in. A form that is not known leaves the whole text
in `rest`; a text that stands alone (a framework error, an extender's, a plugin's) is one reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from whypending.messages import kubernetes, provisioners, vendors, volcano
from whypending.messages.causes import look_up
from whypending.messages.cover import Cover, Kind, Tile
from whypending.messages.model import Reason, SchedulingMessage
from whypending.patterns import Pattern

NOTE_LIMIT = 1_024
"""Bytes of an Event's note that the API server takes, and that schedulers cut their messages to."""

_Parser: TypeAlias = Callable[[Cover, "re.Match[str]", int], None]

# A word that each head holds comes first: looking for it is a hundred times cheaper than looking for the head.
_FORMS: tuple[tuple[str, Pattern, _Parser], ...] = (
    ("scale-up", provisioners.NO_SCALE_UP, provisioners.parse_no_scale_up),
    ("scale-up", provisioners.SCALE_UP, provisioners.parse_scale_up),
    ("should", provisioners.NOMINATED, provisioners.parse_nominated),
    ("schedule", provisioners.KARPENTER, provisioners.parse_karpenter),
    ("incompatible", provisioners.KARPENTER, provisioners.parse_karpenter),
    ("tolerate", provisioners.KARPENTER, provisioners.parse_karpenter),
    ("flavors", provisioners.KUEUE, provisioners.parse_kueue),
    ("ready,", volcano.GANG, volcano.parse_gang),
    ("gang", volcano.GANG, volcano.parse_gang),
    ("found", vendors.KAI, vendors.parse_kai),
    ("conditions", vendors.KAI, vendors.parse_kai),
    ("fargate:", vendors.FARGATE, vendors.parse_fargate),
    ("unschedulable", vendors.YUNIKORN, vendors.parse_yunikorn),
    ("nodes", vendors.HAMI, vendors.parse_hami),
    ("predicates", kubernetes.SUMMARY, kubernetes.parse_summary),
    ("summary", kubernetes.SUMMARY, kubernetes.parse_summary),
    ("fit", kubernetes.PER_NODE, kubernetes.parse_per_node),
    ("available", kubernetes.AVAILABLE, kubernetes.parse_available),
)
_CUT = Pattern(r"\s{0,4}(?:\.\.\.|\u2026)(?:\\?[\"'\s]){0,8}\Z")
_WRAPPED = Pattern(r"(?<=\.)(?:\\?[\"'}\]),\s]){1,16}\Z")
_FAMILIES_BY_PLUGIN = {"VolumeBinding": "volume-binding", "DynamicResources": "dra"}

FAMILIES = frozenset(
    {
        "current",
        "prefilter",
        "braces",
        "legacy-brackets",
        "legacy-per-node",
        "volcano",
        "kai",
        "fargate",
        "yunikorn",
        "hami",
        "koordinator",
        "coscheduling",
        "gang",
        "cluster-autoscaler",
        "karpenter",
        "kueue",
        "volume-binding",
        "dra",
        "extender",
        "framework-error",
        "kubernetes",
        "unknown",
    }
)
"""Every value of `SchedulingMessage.family`; "kubernetes" is a single known text without a head."""


def parse_scheduling_message(text: str) -> SchedulingMessage:
    """The parts of a FailedScheduling, NotTriggerScaleUp, Workload or PodScheduled message. Never raises.

    Every character of `text` is in a reason, in `preemption`, in `rest`, or is a head, a count or punctuation.
    """
    cover, truncated = _covered(text)
    return _message(cover, cover.finish(), truncated=truncated)


def tiles(text: str) -> tuple[Tile, ...]:
    """The tiles that a message is taken apart into, from its first to its last character."""
    return _covered(text)[0].finish()


def _covered(text: str) -> tuple[Cover, bool]:
    limit, truncated = _limit(text)
    cover = Cover(text, limit)
    found = _form(text, limit)
    if found is None:
        _lay_alone(cover)
    else:
        head, parser = found
        parser(cover, head, limit)
    return cover, truncated


def _limit(text: str) -> tuple[int, bool]:
    """Where the words end: before the mark of a cut, or before the quotes and braces of a quoted copy."""
    size = len(text.encode("utf-8", "surrogatepass"))
    cut = _CUT.search(text, max(0, len(text) - 32))
    if cut and (cut[0][0].isspace() or cut[0].startswith("\u2026") or size >= NOTE_LIMIT - 24):
        return cut.start(), True
    wrapped = _WRAPPED.search(text, max(0, len(text) - 33))
    end = wrapped.start() if wrapped else len(text)
    return end, size == NOTE_LIMIT and not text.endswith(".")


def _form(text: str, limit: int) -> tuple[re.Match[str], _Parser] | None:
    """The form whose head comes first; the order of the table decides between heads at one place."""
    best: tuple[re.Match[str], _Parser] | None = None
    lower = text.lower()
    for word, pattern, parser in _FORMS:
        if word not in lower:
            continue
        match = pattern.search(text, 0, limit)
        if match and (best is None or match.start() < best[0].start()):
            best = match, parser
    return best


def _lay_alone(cover: Cover) -> None:
    hit = look_up(cover.text[: cover.limit])
    if hit is None:
        return
    cover.reason(0, cover.limit)
    cover.family = _FAMILIES_BY_PLUGIN.get(hit.plugin or "", hit.source)


def _message(cover: Cover, laid: tuple[Tile, ...], *, truncated: bool) -> SchedulingMessage:
    reasons = [_reason(cover, tile, truncated=truncated) for tile in laid if tile.kind is Kind.REASON]
    preemption = [_reason(cover, tile, truncated=truncated) for tile in laid if tile.kind is Kind.PREEMPTION]
    rest = (cover.text[tile.start : tile.end].strip() for tile in laid if tile.kind is Kind.REST)
    return SchedulingMessage(
        text=cover.text,
        family=cover.family,
        nodes_total=cover.nodes_total,
        nodes_available=cover.nodes_available,
        reasons=_settled(reasons),
        preemption=tuple(preemption),
        rest="\n".join(rest),
        truncated=truncated,
        preemption_total=cover.preemption_total,
        details=tuple(cover.details),
    )


def _reason(cover: Cover, tile: Tile, *, truncated: bool) -> Reason:
    text = cover.text[tile.start : tile.end]
    hit = look_up(text)
    cut = (("cut", "true"),) if truncated and not cover.text[tile.end : cover.limit].strip() else ()
    if hit is None:
        return Reason(text, tile.count, tile.node, details=(*tile.details, *cut))
    return Reason(text, tile.count, tile.node, hit.plugin, hit.cause, (*tile.details, *hit.details, *cut))


def _settled(reasons: list[Reason]) -> tuple[Reason, ...]:
    """The reasons with "pod affinity/anti-affinity" (to 1.19) read by the more exact ones beside it."""
    beside = {reason.cause for reason in reasons if ("or", "pod-affinity") not in reason.details}
    if "pod-affinity" not in beside or "pod-anti-affinity" in beside:
        return tuple(reasons)
    return tuple(
        msgspec.structs.replace(reason, cause="pod-affinity") if ("or", "pod-affinity") in reason.details else reason
        for reason in reasons
    )
