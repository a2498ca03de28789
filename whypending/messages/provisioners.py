"""Messages of cluster-autoscaler, Karpenter and Kueue; the sources are named in `causes/provisioners.py`.

Recorded texts: kubernetes/autoscaler#1470, #3268 and #5692, 2i2c-org/infrastructure#2185,
aws/karpenter-provider-aws#4738, #7574 and #8000, kubernetes-sigs/karpenter#1162 and #2441, kubernetes-sigs/kueue#5039.
"""

from __future__ import annotations

import re
from itertools import islice

from whypending.messages.cover import Cover
from whypending.messages.lists import MAX_ITEMS, counted, outside, protected
from whypending.patterns import Pattern

NO_SCALE_UP = Pattern(
    r"pod\s{1,80}didn['\u2019]{1,2}t\s{1,80}trigger\s{1,80}scale-up"
    r"(?:\s{1,80}\(it\s{1,80}wouldn['\u2019]{1,2}t\s{1,80}fit\s{1,80}if\s{1,80}a\s{1,80}new\s{1,80}node\s{1,80}is"
    r"\s{1,80}added\))?",
    re.IGNORECASE,
)
SCALE_UP = Pattern(r"pod\s{1,80}triggered\s{1,80}scale-up:", re.IGNORECASE)
_GROUP = Pattern(r"\{(\S{1,2000}) (\d{1,9})->(\d{1,9}) \(max: (\d{1,9})\)\}")
KARPENTER = Pattern(
    r"(?:Failed\s{1,80}to|Could\s{1,80}not)\s{1,80}schedule\s{1,80}pod,\s{1,80}"
    r"|(?=incompatible\s{1,80}with\s{1,80}(?:nodepool|provisioner)\s)|(?=did\s{1,80}not\s{1,80}tolerate\s{1,80}taint\s)",
    re.IGNORECASE,
)
NOMINATED = Pattern(r"Pod\s{1,80}should\s{1,80}schedule\s{1,80}on:", re.IGNORECASE)
_TARGET = Pattern(r"\b(node|nodeclaim|machine)/([\w.-]{1,253})")
_SEMICOLON = Pattern(r";\s{1,80}")
KUEUE = Pattern(
    r"couldn['\u2019]{1,2}t\s{1,80}assign\s{1,80}flavors\s{1,80}to\s{1,80}pod\s{1,80}set\s{1,80}"
    r"(?P<set>[^\s:]{1,253}):\s{0,80}",
    re.IGNORECASE,
)
_FLAVOR = Pattern(
    r"(?:,\s{1,80}|\.\s{1,80})(?=insufficient\s|untolerated\s|flavor\s|skipping\s|could\s{1,80}not\s|topology\s|no\s"
    r"|resource\s|Pending\s{1,80}the\s|Preempting\s)"
)


def parse_no_scale_up(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay NotTriggerScaleUp: counts are of node groups, and there may be none at all."""
    cover.family = "cluster-autoscaler"
    items = counted(cover.text, head.end() + cover.text.startswith(":", head.end()), end, None)
    following = cover.text[head.end() : end].strip(" \t\r\n.:")
    if not items and not following:
        cover.reason(head.start(), head.end())
        return
    cover.glue(head.start(), head.end())
    for item in items:
        cover.item(item)
    if not items:
        cover.reason(head.end() + cover.text.startswith(":", head.end()), end)


def parse_scale_up(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay TriggeredScaleUp, each node group with its sizes as details."""
    cover.family = "cluster-autoscaler"
    groups = islice(_GROUP.finditer(cover.text, head.end(), end), 20)
    facts = [(name, value) for group in groups for name, value in _sizes(group)]
    cover.reason(head.start(), end, details=tuple(facts))


def _sizes(group: re.Match[str]) -> list[tuple[str, str]]:
    return list(zip(("group", "from", "to", "max"), group.groups(), strict=True))


def parse_karpenter(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay Karpenter's FailedScheduling, one reason a NodePool."""
    cover.family = "karpenter"
    cover.glue(head.start(), head.end())
    start = head.end()
    spans = protected(cover.text, start, end)
    for separator in islice(outside(_SEMICOLON.finditer(cover.text, start, end), spans), MAX_ITEMS):
        cover.reason(start, separator.start())
        cover.glue(separator.start(), separator.end())
        start = separator.end()
    cover.reason(start, end)


def parse_nominated(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay Karpenter's Nominated, with the node and the NodeClaim as details."""
    cover.family = "karpenter"
    targets = islice(_TARGET.finditer(cover.text, head.end(), end), 20)
    cover.reason(head.start(), end, details=tuple((target[1], target[2]) for target in targets))


def parse_kueue(cover: Cover, head: re.Match[str], end: int) -> None:
    """Lay a Workload's "couldn't assign flavors to pod set x: ...", the pod set as a detail of each reason."""
    cover.family = "kueue"
    heads = [head, *islice(KUEUE.finditer(cover.text, head.end(), end), MAX_ITEMS)]
    stops = [found.start() for found in heads[1:]] + [end]
    for found, stop in zip(heads, stops, strict=True):
        start, facts = found.end(), (("podSet", found["set"]),)
        if not cover.text[start:stop].strip(" \t\r\n.,;"):
            cover.reason(found.start(), stop, details=facts)
            continue
        cover.glue(found.start(), start)
        for separator in islice(_FLAVOR.finditer(cover.text, start, stop), MAX_ITEMS):
            cover.reason(start, separator.start(), details=facts)
            cover.glue(max(cover.end, separator.start()), separator.end())
            start = separator.end()
        cover.reason(start, stop, details=facts)
