"""queue-sort-differs: all profiles of a process share one queue, so queueSort and its arguments have to be the same.

Source: validateCommonQueueSort compares queueSort as written, profile by profile (a list that says the default is not
the same as no list); pkg/scheduler/profile compares the plugin that comes out, and its arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.effective import Effective, effective, merged_queue_sort
from whypending.schedulerconfig.finding import Facts, Finding, at
from whypending.schedulerconfig.model import Configuration, Profile
from whypending.schedulerconfig.tree import Node, Shape

RULE = "queue-sort-differs"
_FIX = "Write the same queueSort, and the same pluginConfig for it, in every profile."


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """Every profile against the first."""
    first, *others = configuration.profiles
    if len(merged_queue_sort(first)[0]) > 1:
        yield at(
            first.at("queueSort").node, "queue-sort-several", "Only one queueSort plugin can be enabled.",
            "Keep one, and disable the default one (PrioritySort) if it is another.",
        )  # fmt: skip
    sorts = [_sort(effective(profile, facts)) for profile in configuration.profiles]
    for profile, sort in zip(others, sorts[1:], strict=True):
        if merged_queue_sort(profile) != merged_queue_sort(first):
            yield _differs(profile, first, f"queueSort is not written as in profile {_name(first)}")
        elif sort and sorts[0] and sort != sorts[0]:
            yield _differs(profile, first, f"queueSort is {sort}, but {sorts[0]} in profile {_name(first)}")
        elif sort and _args(profile, sort) != _args(first, sort):
            yield _differs(profile, first, f"the arguments of {sort} are not those of profile {_name(first)}")


def _differs(profile: Profile, first: Profile, what: str) -> Finding:
    node = profile.at("queueSort").node or first.at("queueSort").node or profile.node
    return at(node, RULE, f"In profile {_name(profile)} {what}: kube-scheduler does not start.", _FIX)


def _sort(found: Effective) -> str:
    plugins = found.points["queueSort"]
    return plugins[0].name if plugins else ""


def _args(profile: Profile, plugin: str) -> object:
    given = profile.args_of(plugin)
    return _plain(given.args) if given and given.args else None


def _plain(node: Node) -> object:
    if node.shape is Shape.MAP:
        return {e.key: _plain(e.value) for e in node.entries}
    return [_plain(item) for item in node.items] if node.shape is Shape.LIST else node.value


def _name(profile: Profile) -> str:
    return f'"{profile.name}"'
