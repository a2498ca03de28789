"""The plugins that a profile really runs, per extension point, in order.

First the profile is merged with the defaults (`mergePlugins` of pkg/scheduler/apis/config/v1/default_plugins.go), then
multiPoint is spread over the extension points (`expandMultiPointPlugins` of pkg/scheduler/framework/runtime).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

import msgspec

from whypending.schedulerconfig.finding import Facts
from whypending.schedulerconfig.model import MULTI_POINT, PluginSet, PluginUse, Profile
from whypending.schedulerconfig.plugins import POINTS, SCORED, defaults, points_in, points_of
from whypending.schedulerconfig.tree import Node

_EVERY = "*"
_MAX_SCORE, _MAX_TOTAL = 100, 2**63 - 1


class By(StrEnum):
    """What enables a plugin at a point."""

    DEFAULT = "default"
    MULTI_POINT = "multiPoint"
    EXPLICIT = "explicit"


class Enabled(msgspec.Struct, frozen=True):
    """A plugin at an extension point; `weight` is 0 where it scores nothing; `in_tree`: not built in besides."""

    name: str
    by: By
    weight: int = 0
    node: Node | None = None
    in_tree: bool = True


class Trouble(StrEnum):
    """Why kube-scheduler refuses a set of plugins."""

    MISSING = "does not exist"
    WRONG_POINT = "does not extend the point"
    TWICE = "is enabled twice"
    OVERFLOW = "overflows"


class Refusal(msgspec.Struct, frozen=True):
    """A plugin that keeps a profile from being loaded."""

    trouble: Trouble
    point: str
    use: Enabled


class Effective(msgspec.Struct, frozen=True):
    """A profile's plugins by extension point, and what would be refused.

    `unknown` are plugins that are not in-tree, enabled by multiPoint: they run where they have a method for it.
    """

    points: Mapping[str, tuple[Enabled, ...]]
    unknown: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


class _Merged(msgspec.Struct):
    enabled: list[Enabled]
    disabled: frozenset[str]


def effective(profile: Profile, facts: Facts) -> Effective:
    """What a profile runs in the release of `facts`."""
    points = points_in(facts.minor)
    built_in = [Enabled(d.name, By.DEFAULT, d.weight) for d in defaults(facts.minor, facts.gates)]
    everywhere = _merge(built_in, profile.at(MULTI_POINT), By.MULTI_POINT)
    explicit = {p: _merge([], profile.at(p), By.EXPLICIT) for p in points}
    plugins = _Plugins(facts)
    spread = {p: list(_expand(p, explicit[p], everywhere, plugins)) for p in points}
    found = {p: tuple(_weighed(spread[p], p, explicit[p], everywhere, plugins)) for p in points}
    unknown = tuple(e.name for e in everywhere.enabled if plugins.is_foreign(e.name))
    return Effective(found, unknown, tuple(plugins.refusals))


def merged_queue_sort(profile: Profile) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    """What validation compares between profiles: `queueSort` as written, enabled with weights, and disabled."""
    found = profile.at("queueSort")
    return tuple((u.name, u.weight or 0) for u in found.enabled), tuple(u.name for u in found.disabled)


class _Plugins:
    """Which plugin exists and where it can run; keeps what is refused."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.refusals: list[Refusal] = []

    def is_foreign(self, name: str) -> bool:
        return name in self._facts.plugins and points_of(name, self._facts.minor) is None

    def exists(self, name: str) -> bool:
        return self.is_foreign(name) or points_of(name, self._facts.minor) is not None

    def extends(self, name: str, point: str) -> bool:
        return self.is_foreign(name) or point in (points_of(name, self._facts.minor) or ())

    def refuse(self, trouble: Trouble, point: str, use: Enabled) -> None:
        if not any(r.trouble is trouble and r.use == use for r in self.refusals):
            self.refusals.append(Refusal(trouble, point, use))


def _merge(base: list[Enabled], custom: PluginSet, by: By) -> _Merged:
    disabled = frozenset(u.name for u in custom.disabled)
    wanted = {u.name: u for u in custom.enabled}
    kept = [] if _EVERY in disabled else [e for e in base if e.name not in disabled]
    replaced = {id(wanted[e.name]) for e in kept if e.name in wanted}
    enabled = [_used(wanted[e.name], by) if e.name in wanted else e for e in kept]
    return _Merged(enabled + [_used(u, by) for u in custom.enabled if id(u) not in replaced], disabled)


def _used(use: PluginUse, by: By) -> Enabled:
    return Enabled(use.name, by, use.weight or 0, use.node)


def _expand(point: str, explicit: _Merged, everywhere: _Merged, plugins: _Plugins) -> Iterator[Enabled]:
    """Overridden ones first, as the point lists them; then multiPoint's; then the rest of the point's own."""
    own = list(_own(point, explicit, plugins))
    if _EVERY in explicit.disabled or not everywhere.enabled:
        yield from own
        return
    spread = list(_spread(point, explicit, everywhere, plugins))
    names = {e.name for e in everywhere.enabled if plugins.extends(e.name, point) and not plugins.is_foreign(e.name)}
    names -= explicit.disabled
    yield from (e for e in own if e.name in names)
    yield from spread
    yield from (e for e in own if e.name not in names)


def _own(point: str, explicit: _Merged, plugins: _Plugins) -> Iterator[Enabled]:
    seen: set[str] = set()
    for use in explicit.enabled:
        if not plugins.exists(use.name):
            plugins.refuse(Trouble.MISSING, point, use)
        elif not plugins.extends(use.name, point):
            plugins.refuse(Trouble.WRONG_POINT, point, use)
        elif use.name in seen:
            plugins.refuse(Trouble.TWICE, point, use)
        else:
            yield msgspec.structs.replace(use, in_tree=not plugins.is_foreign(use.name))
        seen.add(use.name)


def _spread(point: str, explicit: _Merged, everywhere: _Merged, plugins: _Plugins) -> Iterator[Enabled]:
    own = {e.name for e in explicit.enabled}
    seen: set[str] = set()
    for use in everywhere.enabled:
        if not plugins.exists(use.name):
            plugins.refuse(Trouble.MISSING, MULTI_POINT, use)
            continue
        skipped = use.name in explicit.disabled or use.name in own or plugins.is_foreign(use.name)
        if skipped or not plugins.extends(use.name, point):
            continue
        if use.name in seen:
            plugins.refuse(Trouble.TWICE, MULTI_POINT, use)
            continue
        seen.add(use.name)
        yield use


def _weighed(
    found: list[Enabled], point: str, explicit: _Merged, everywhere: _Merged, plugins: _Plugins
) -> Iterator[Enabled]:
    """With weights: the point's own before multiPoint's, none or 0 is 1; the sum must stay within 64 bits."""
    weights: dict[str, int] = {}
    total = 0
    if point not in SCORED:
        yield from (msgspec.structs.replace(e, weight=0) for e in found)
        return
    for use in (*explicit.enabled, *everywhere.enabled):
        if use.name in weights or not plugins.extends(use.name, point):
            continue
        weights[use.name] = use.weight or 1
        if weights[use.name] * _MAX_SCORE > _wrapped(_MAX_TOTAL - total):
            plugins.refuse(Trouble.OVERFLOW, point, use)
        total += weights[use.name] * _MAX_SCORE
    yield from (msgspec.structs.replace(e, weight=weights.get(e.name, 1)) for e in found)


def _wrapped(value: int) -> int:
    """As a signed 64-bit number."""
    return (value + 2**63) % 2**64 - 2**63


def display_points(found: Effective) -> tuple[str, ...]:
    """The points at which something runs, in the order in which a Pod meets them."""
    return tuple(p for p in POINTS if found.points.get(p))
