"""A DaemonSet's Pod is pinned to one node: which of the verdict's reasons can be that node's."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from whypending.classifiers.unschedulable._memo import once
from whypending.classifiers.unschedulable._taints import taint_groups
from whypending.evidence import Evidence, Gap, seen
from whypending.objects.node import Node
from whypending.objects.pod import Pod
from whypending.objects.selectors import required_terms
from whypending.objects.tolerations import is_cordoned_for


class Pinned(msgspec.Struct, frozen=True):
    """The node that the DaemonSet controller chose. `node`: None where it was not read or does not exist."""

    name: str
    node: Node | None
    exists: bool | None


@once
def pinned_to(evidence: Evidence) -> Pinned | None:
    """The node of a DaemonSet's Pod: `matchFields` metadata.name in its required node affinity; None for others."""
    pod = evidence.the_pod
    owner = pod.metadata.controller if pod else None
    if pod is None or owner is None or owner.kind != "DaemonSet":
        return None
    name = _named(pod)
    if not name:
        return None
    node = next((n for n in seen(evidence.nodes) if n.name == name), None)
    return Pinned(name, node, None if isinstance(evidence.nodes, Gap) else node is not None)


def _named(pod: Pod) -> str:
    fields = [f for term in required_terms(pod.spec) for f in term.match_fields]
    names = {v for f in fields if f.key == "metadata.name" and f.operator == "In" for v in f.values}
    return next(iter(names)) if len(names) == 1 else ""


def of_others(evidence: Evidence, names: Iterable[str]) -> frozenset[str]:
    """Which of these causes can only hold other nodes back; empty where the Pod is not pinned.

    Affinity refuses all nodes but the pinned one. The port is taken by this DaemonSet's own Pods on their nodes, and
    on the pinned one there is none yet. What the Node itself shows rules out taints and cordons that it has not.
    At least one cause is always kept.
    """
    pinned = pinned_to(evidence)
    left = set(names)
    if pinned is None:
        return frozenset()
    for doubtful in (*_not_on(evidence, pinned), "node-selector-mismatch", "host-port-conflict"):
        if doubtful in left and len(left) > 1:
            left.remove(doubtful)
    return frozenset(names) - left


def _not_on(evidence: Evidence, pinned: Pinned) -> tuple[str, ...]:
    pod = evidence.the_pod
    if pinned.node is None or pod is None:
        return ()
    groups = [g for g in taint_groups(evidence) if g.nodes]
    here = {g.name for g in groups for n in g.nodes if n.name == pinned.name}
    found = tuple(g.name for g in groups if g.name not in here)
    return found if is_cordoned_for(pinned.node, pod.spec.tolerations) else (*found, "node-cordoned")
