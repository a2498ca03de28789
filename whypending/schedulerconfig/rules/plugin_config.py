"""plugin-config-*: which plugin gets arguments, and of which kind.

Source: validatePluginConfig of pkg/scheduler/apis/config/validation, PluginConfig.decodeNestedObjects.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.effective import effective
from whypending.schedulerconfig.finding import Facts, Finding, at, warn
from whypending.schedulerconfig.model import MULTI_POINT, Configuration, PluginArgs, Profile
from whypending.schedulerconfig.plugins import defaults, lifetime, points_of
from whypending.schedulerconfig.releases import API_VERSIONS, CURRENT
from whypending.schedulerconfig.schema import args_type

_MISNAMED = "NodeResourcesFitArgs"
_REFUSED_SINCE = 31
_REFUSED = ("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits")


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """`pluginConfig` of every profile."""
    for profile in configuration.profiles:
        found = effective(profile, facts)
        running = {e.name for plugins in found.points.values() for e in plugins} | set(found.unknown)
        seen: set[str] = set()
        for given in profile.args:
            if given.name in seen:
                yield at(
                    given.node, "plugin-config-repeated", f"{given.name} already has arguments in this profile.",
                    "Put both into one entry.",
                )  # fmt: skip
            seen.add(given.name)
            yield from _one(given, running, configuration, facts)
        yield from _explicitly_refused(profile, facts)
        yield from _without_defaults(profile, facts)


def _one(given: PluginArgs, running: set[str], configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    name = given.name
    if name == _MISNAMED or (name in _REFUSED and facts.minor >= _REFUSED_SINCE):
        fix = "Write name: NodeResourcesFit; the kind of the arguments ends in Args, the plugin's name does not."
        yield at(
            given.node, "plugin-config-refused", f'kube-scheduler refuses arguments for "{name}".',
            fix if name == _MISNAMED else f"Remove the entry: {name} is gone.",
        )  # fmt: skip
    elif name not in running:
        yield warn(
            given.node, "plugin-config-unused", f'"{name}" gets arguments, but this profile does not run it.',
            "Enable the plugin, correct the name, or remove the entry.",
        )  # fmt: skip
    if given.args and args_type(name, facts.minor):
        yield from _kind(given, configuration)


def _kind(given: PluginArgs, configuration: Configuration) -> Iterator[Finding]:
    args, wanted = given.args, f"{given.name}Args"
    kind, version = (args.text("kind"), args.text("apiVersion")) if args else (None, None)
    allowed = configuration.api_version if configuration.api_version in API_VERSIONS else CURRENT
    if args and kind and kind != wanted:
        yield at(args.get("kind"), "plugin-config-kind", f"{given.name} takes {wanted}, not {kind}.",
                 f"Write kind: {wanted}, or leave kind out.")  # fmt: skip
    if args and version and version != allowed:
        yield at(args.get("apiVersion"), "plugin-config-kind", f"The arguments of {given.name} are {version}.",
                 f"Write apiVersion: {allowed}, or leave it out.")  # fmt: skip


def _explicitly_refused(profile: Profile, facts: Facts) -> Iterator[Finding]:
    """1.31 still had the old volume limits and refused to have them enabled."""
    if facts.minor != _REFUSED_SINCE:
        return
    for point, found in profile.sets.items():
        for use in found.enabled:
            if point != "multiPoint" and use.name in _REFUSED and points_of(use.name, facts.minor):
                yield at(use.node, "plugin-removed", f"{use.name} can't be enabled any more in {facts.release}.",
                         f"Remove it: Kubernetes took it out in 1.{lifetime(use.name)[1]}.")  # fmt: skip


def _without_defaults(profile: Profile, facts: Facts) -> Iterator[Finding]:
    """1.37 fills in no arguments for a plugin that is enabled at podGroupPostFilter alone, which then can't start."""
    point = "podGroupPostFilter"
    others = {e.name for p, plugins in effective(profile, facts).points.items() if p != point for e in plugins}
    others |= {u.name for p, found in profile.sets.items() if p != point for u in found.enabled}
    off = {u.name for u in profile.at(MULTI_POINT).disabled}
    others |= set() if "*" in off else {d.name for d in defaults(facts.minor, facts.gates)} - off
    for use in profile.at(point).enabled:
        if use.name not in others and args_type(use.name, facts.minor) and not profile.args_of(use.name):
            yield at(
                use.node, "plugin-args-missing", f"{use.name}, enabled at {point} alone, gets no default arguments.",
                f"Add to pluginConfig: - name: {use.name}",
            )  # fmt: skip
