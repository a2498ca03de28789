"""plugin-*: names and places of plugins.

Source: updatePluginList and expandMultiPointPlugins of pkg/scheduler/framework/runtime/framework.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from whypending.schedulerconfig.effective import Refusal, Trouble, effective
from whypending.schedulerconfig.finding import Facts, Finding, Severity, at, warn
from whypending.schedulerconfig.model import MULTI_POINT, Configuration, PluginUse, Profile
from whypending.schedulerconfig.plugins import defaults, in_tree, lifetime, points_in, points_of


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """Every profile by itself."""
    for profile in configuration.profiles:
        for refusal in effective(profile, facts).refusals:
            yield from _refused(refusal, facts)
        yield from _disabled(profile, facts)


def _refused(refusal: Refusal, facts: Facts) -> Iterator[Finding]:
    use, name = refusal.use, refusal.use.name
    if refusal.trouble is Trouble.MISSING:
        yield _not_in_tree(refusal, facts)
    elif refusal.trouble is Trouble.WRONG_POINT:
        runs = ", ".join(p for p in points_in(facts.minor) if p in (points_of(name, facts.minor) or ()))
        yield at(
            use.node, "plugin-at-wrong-point", f"{name} has nothing to do at {refusal.point} in {facts.release}.",
            f"Enable it where it works ({runs}), or at multiPoint.",
        )  # fmt: skip
    elif refusal.trouble is Trouble.TWICE:
        yield at(
            use.node, "plugin-enabled-twice", f"{name} is enabled twice at {refusal.point}.",
            "Keep one of the two entries.",
        )  # fmt: skip


def _not_in_tree(refusal: Refusal, facts: Facts) -> Finding:
    name, node = refusal.use.name, refusal.use.node
    if not name:
        return at(node, "plugin-without-name", "An enabled plugin has no name.", "Add name, or remove the entry.")
    said = f'"{name}" is not in-tree in {facts.release}'
    came, went = lifetime(name)
    if went and facts.minor >= went:
        fix = f"Remove it: Kubernetes took it out in 1.{went}."
        return at(node, "plugin-removed", f"{said}: kube-scheduler does not start.", fix)
    if came > facts.minor:
        return at(node, "plugin-too-new", f"{said}: it came with 1.{came}.", "Remove it, or upgrade kube-scheduler.")
    near = [n for n in in_tree(facts.minor) if n.lower() == name.lower()]
    near = near or get_close_matches(name, in_tree(facts.minor), n=1, cutoff=0.8)
    severity = Severity.WARNING if _own_build(facts) and not near else Severity.ERROR
    meant = f'Write "{near[0]}", if that is meant; otherwise run' if near else "Run"
    return at(
        node, "plugin-not-in-tree", f"{said}: kube-scheduler itself does not start with it.",
        f"{meant} a scheduler that is built with this plugin (then give --plugin {name} here).", severity,
    )  # fmt: skip


def _own_build(facts: Facts) -> bool:
    return bool(facts.deployed) and not any(d.is_stock for d in facts.deployed)


def _disabled(profile: Profile, facts: Facts) -> Iterator[Finding]:
    """What is disabled and would not have been enabled anyway: mostly a slip of the pen."""
    on = {d.name for d in defaults(facts.minor, facts.gates)}
    everywhere = {u.name for u in profile.at(MULTI_POINT).enabled}
    for use in profile.at(MULTI_POINT).disabled:
        if use.name not in on and use.name != "*":
            yield _idle(use, MULTI_POINT, facts)
    for point in points_in(facts.minor):
        for use in profile.at(point).disabled:
            foreign = use.name in everywhere and points_of(use.name, facts.minor) is None
            runs = use.name in on | everywhere and point in (points_of(use.name, facts.minor) or ())
            if not runs and not foreign and use.name != "*":
                yield _idle(use, point, facts)


def _idle(use: PluginUse, point: str, facts: Facts) -> Finding:
    near = get_close_matches(use.name, in_tree(facts.minor), n=1, cutoff=0.8)
    meant = f'Write "{near[0]}", if that is meant, or remove' if near and near[0] != use.name else "Remove"
    return warn(
        use.node, "disabled-but-never-enabled",
        f'"{use.name}" is disabled at {point}, where nothing enables it.', f"{meant} the entry.",
    )  # fmt: skip
