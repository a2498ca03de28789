"""extender-*: fields of extenders that are refused, or that leave Pods waiting.

Source: validateExtenders of pkg/scheduler/apis/config/validation, buildExtenders of pkg/scheduler/scheduler.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.effective import effective
from whypending.schedulerconfig.finding import Facts, Finding, at, warn
from whypending.schedulerconfig.model import Configuration
from whypending.schedulerconfig.tree import Node
from whypending.schedulerconfig.values import is_extended_resource

RULE = "extender-invalid"
_VERBS = ("filterVerb", "preemptVerb", "prioritizeVerb", "bindVerb")


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """Each extender, and all of them together."""
    extenders = configuration.root.list("extenders")
    seen: set[str] = set()
    for extender in extenders:
        yield from _one(extender)
        for resource in extender.list("managedResources"):
            yield from _resource(resource, seen)
    binders = [e for e in extenders if e.text("bindVerb")]
    if len(binders) > 1:
        yield at(binders[1].get("bindVerb"), RULE, "Only one extender can bind.", "Keep bindVerb in one of them.")
    yield from _without_fit(configuration, extenders, facts)


def _one(extender: Node) -> Iterator[Finding]:
    weight = extender.integer("weight") or 0
    if extender.text("prioritizeVerb") and weight <= 0:
        yield at(extender.get("weight") or extender, RULE, "An extender with prioritizeVerb needs a weight above 0.",
                 "Add weight: 1.")  # fmt: skip
    if not extender.text("urlPrefix"):
        yield warn(extender, "extender-without-url", "The extender has no urlPrefix, so every call to it fails.",
                   "Write its URL, such as http://127.0.0.1:8888/scheduler.")  # fmt: skip
    if not any(extender.text(verb) for verb in _VERBS):
        yield warn(extender, "extender-does-nothing", "The extender has no verb, so it is never called.",
                   f"Add one of {', '.join(_VERBS)}, or remove the extender.")  # fmt: skip


def _resource(resource: Node, seen: set[str]) -> Iterator[Finding]:
    name = resource.text("name") or ""
    if not is_extended_resource(name):
        yield at(resource.get("name") or resource, RULE, f'"{name}" is no extended resource.',
                 "Write one with a domain of its own, such as example.com/gpu.")  # fmt: skip
    elif name in seen:
        yield at(resource.get("name"), RULE, f"{name} is managed twice.", "Keep one of them.")
    seen.add(name)


def _without_fit(configuration: Configuration, extenders: tuple[Node, ...], facts: Facts) -> Iterator[Finding]:
    """What an extender manages alone is told to NodeResourcesFit, which has to have arguments for that."""
    ignored = [r for e in extenders for r in e.list("managedResources") if r.boolean("ignoredByScheduler")]
    for profile in configuration.profiles if ignored else ():
        points = effective(profile, facts).points.values()
        runs = any(plugin.name == "NodeResourcesFit" for plugins in points for plugin in plugins)
        if not runs and not profile.args_of("NodeResourcesFit"):
            yield at(
                ignored[0], RULE,
                f'ignoredByScheduler needs NodeResourcesFit, which profile "{profile.name}" does not run.',
                "Enable NodeResourcesFit, or give it an entry in pluginConfig.",
            )  # fmt: skip
