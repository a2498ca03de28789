"""A KubeSchedulerConfiguration as the rules see it; what has the wrong type counts as not given."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from whypending.schedulerconfig.plugins import POINTS
from whypending.schedulerconfig.tree import Node, Shape

DEFAULT_NAME = "default-scheduler"
MULTI_POINT = "multiPoint"


class PluginUse(msgspec.Struct, frozen=True):
    """An entry of `enabled` or `disabled`; `weight` is None where none is given."""

    name: str
    weight: int | None
    node: Node


class PluginSet(msgspec.Struct, frozen=True):
    """What a profile says of one extension point, or of multiPoint."""

    enabled: tuple[PluginUse, ...] = ()
    disabled: tuple[PluginUse, ...] = ()
    node: Node | None = None


class PluginArgs(msgspec.Struct, frozen=True):
    """An entry of `pluginConfig`."""

    name: str
    args: Node | None
    node: Node


class Profile(msgspec.Struct, frozen=True):
    """`profiles[]`; `name` is empty where the scheduler would find none."""

    name: str
    node: Node
    sets: Mapping[str, PluginSet]
    args: tuple[PluginArgs, ...] = ()

    def at(self, point: str) -> PluginSet:
        """What is said of a point; empty where nothing is."""
        return self.sets.get(point, PluginSet())

    def args_of(self, plugin: str) -> PluginArgs | None:
        """The arguments given to a plugin."""
        return next((a for a in self.args if a.name == plugin), None)


class Configuration(msgspec.Struct, frozen=True):
    """One document. `file` names the file or the ConfigMap with its key; `holder` is that ConfigMap (else empty).

    `number` is its place among the documents of one text, of which kube-scheduler reads the first alone.
    """

    file: str
    root: Node
    profiles: tuple[Profile, ...]
    holder: str = ""
    number: int = 1

    @property
    def api_version(self) -> str:
        """As written."""
        return self.root.text("apiVersion") or ""

    @property
    def names(self) -> tuple[str, ...]:
        """The schedulerNames it serves."""
        return tuple(p.name for p in self.profiles if p.name)


def read(root: Node, file: str, holder: str = "", number: int = 1) -> Configuration:
    """The configuration of a document."""
    found = root.list("profiles")
    alone = len(found) < 2  # noqa: PLR2004 - a name is filled in for one profile alone
    nodes = found or (Node(root.line, "profiles[0]", Shape.MAP),)
    return Configuration(file, root, tuple(_profile(n, alone=alone) for n in nodes), holder, number)


def _profile(node: Node, *, alone: bool) -> Profile:
    name = node.text("schedulerName") if node.get("schedulerName") else DEFAULT_NAME if alone else ""
    plugins = node.get("plugins")
    sets = {p: _set(plugins.get(p)) for p in (MULTI_POINT, *POINTS)} if plugins else {}
    args = tuple(PluginArgs(n.text("name") or "", n.get("args"), n) for n in node.list("pluginConfig"))
    return Profile(name or "", node, sets, args)


def _set(node: Node | None) -> PluginSet:
    if node is None:
        return PluginSet()
    return PluginSet(_uses(node.list("enabled")), _uses(node.list("disabled")), node)


def _uses(nodes: tuple[Node, ...]) -> tuple[PluginUse, ...]:
    return tuple(PluginUse(n.text("name") or "", n.integer("weight"), n) for n in nodes)
