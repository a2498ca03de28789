"""Causes that are one well-known taint, or the node condition behind it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._owner import patched, template_of
from whypending.classifiers.unschedulable._taints import TaintGroup, spelled
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import names, sentence, unique
from whypending.diagnosis import Citation, Finding, Remedy
from whypending.evidence import Evidence, seen
from whypending.objects.base import Condition
from whypending.objects.node import Node, Taint
from whypending.objects.pod import Pod, Toleration

MOST_NAMED = 12
"""Nodes that a command names one by one."""
TAINTS = "kubectl get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints"


def node_trouble(
    cause: Cause,
    evidence: Evidence,
    condition: tuple[str, str],
    message: Callable[[Told, str], str],
    remedies: Callable[[str], Iterable[Remedy]],
) -> Iterator[Finding]:
    """The finding for a node condition such as ("Ready", "Unknown"); `message` and `remedies` get the node's names."""
    this = told(evidence, cause.name)
    if this is None:
        return
    sick = nodes_with(evidence, *condition)
    shown = unique(n.name for group in this.taints for n in group.nodes) or unique(n.name for n, _ in sick)
    yield cause.finding(
        sentence(f"{message(this, named(shown))}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(cite(n, c) for n, c in sick[:2])),
        remedies=remedies(shown[0] if shown else ""),
    )


def nodes_with(evidence: Evidence, type_: str, status: str) -> list[tuple[Node, Condition]]:
    """Nodes whose condition of that type has that status."""
    found = [(n, n.condition(type_)) for n in seen(evidence.nodes)]
    return [(n, c) for n, c in found if c is not None and c.status == status]


def named(found: Iterable[str]) -> str:
    """` (n1 and n2)`, empty where no node was read."""
    listed = names(tuple(found))
    return f" ({listed})" if listed else ""


def cite(node: Node, condition: Condition) -> Citation:
    """A node's condition."""
    value = f"{condition.status} ({condition.reason}: {condition.message})" if condition.reason else condition.status
    return Citation(
        object=node.ref,
        field=f"status.conditions[type={condition.type}]",
        value=value,
        at=condition.last_transition_time,
    )


def describe(node: str) -> Remedy:
    """Look at one node, or at all where its name is not known."""
    if node:
        return look("Read the node's conditions and Events.", f"kubectl describe node {shlex.quote(node)}")
    return look("See which nodes it is.", TAINTS)


def remove_taint(group: TaintGroup) -> Remedy:
    """Take the taint off the nodes that have it; exact where they are few enough to name."""
    found = tuple(n.name for n in group.nodes)
    text = f"Take the taint {spelled(group.taint)} off {names(found)} if nothing needs it."
    return change(text, on_nodes("kubectl taint nodes", found, f"{spelled(group.taint)}-"))


def on_nodes(verb: str, found: tuple[str, ...], argument: str = "") -> str:
    """A command on named nodes; none where they are too many for a line."""
    if not 0 < len(found) <= MOST_NAMED:
        return ""
    return " ".join((verb, *(shlex.quote(n) for n in found), *((shlex.quote(argument),) if argument else ())))


def tolerate(evidence: Evidence, pod: Pod, taint: Taint) -> Remedy:
    """Add the toleration to the object that owns the Pod's spec, beside those that it has."""
    wanted = {"key": taint.key, "operator": "Equal" if taint.value else "Exists"}
    wanted |= {"value": taint.value} if taint.value else {}
    wanted |= {"effect": taint.effect} if taint.effect else {}
    have = [_as_json(t) for t in template_of(evidence, pod).tolerations]
    text = f"Tolerate the taint {spelled(taint)}, if the Pod belongs on such nodes,"
    return patched(evidence, pod, text, {"tolerations": [*have, wanted]}, additive=True)


def _as_json(toleration: Toleration) -> dict[str, str | int]:
    parts: dict[str, str | int | None] = {
        "key": toleration.key,
        "operator": toleration.operator,
        "value": toleration.value,
        "effect": toleration.effect,
        "tolerationSeconds": toleration.toleration_seconds,
    }
    return {key: value for key, value in parts.items() if value not in (None, "")}
