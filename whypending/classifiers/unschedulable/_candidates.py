"""Which Nodes the Pod may use at all, and how large they are: arithmetic on `status.allocatable`, no replay."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from whypending.classifiers.unschedulable._taints import spelled
from whypending.diagnosis import Citation
from whypending.evidence import Evidence, seen
from whypending.objects.node import Node
from whypending.objects.pod import Pod
from whypending.objects.quantity import show
from whypending.objects.requests import allocatable, requests_of
from whypending.objects.selectors import matches_pod
from whypending.objects.tolerations import first_untolerated, is_cordoned_for


class Size(msgspec.Struct, frozen=True):
    """One resource: what the Pod asks for, the largest node it may use, and the largest of all.

    `usable` and `largest` are None where no Node was read (or none may be used).
    """

    resource: str
    asked: Fraction
    nodes: int
    usable_nodes: int
    usable: Node | None
    largest: Node | None

    def of(self, node: Node) -> Fraction:
        """What that node offers in all."""
        return allocatable(node, self.resource)

    def show(self, value: Fraction) -> str:
        """The amount with its resource: `2 cpu`, `4Gi memory`."""
        return f"{show(self.resource, value)} {self.resource}"

    @property
    def fits_none(self) -> bool:
        """No node of the cluster is large enough, even if it were empty."""
        return self.largest is not None and self.of(self.largest) < self.asked

    @property
    def fits_none_usable(self) -> bool:
        """Nor is any that selector, affinity, taints and cordons leave."""
        return self.largest is not None and (self.usable is None or self.of(self.usable) < self.asked)

    def cite(self, node: Node) -> Citation:
        """What that node offers, as its status says."""
        offered = str(node.status.allocatable.get(self.resource, "absent"))
        return Citation(object=node.ref, field=f"status.allocatable[{self.resource}]", value=offered)


def may_use(pod: Pod, node: Node) -> bool:
    """Whether nodeSelector, node affinity, taints and cordon leave the node to the Pod."""
    return (
        matches_pod(pod.spec, node)
        and first_untolerated(node, pod.spec.tolerations) is None
        and not is_cordoned_for(node, pod.spec.tolerations)
    )


def why_closed(pod: Pod, node: Node) -> str:
    """What keeps the Pod off the node, whatever its size: `has the taint team=ml:NoSchedule`."""
    taint = first_untolerated(node, pod.spec.tolerations)
    if is_cordoned_for(node, pod.spec.tolerations):
        return "is cordoned"
    if taint is not None:
        return f"has the taint {spelled(taint)}"
    return "does not match its node selector or affinity"


def obstacle(pod: Pod, node: Node) -> str:
    """What keeps the Pod off the node whatever labels it gets, as far as arithmetic tells; empty if nothing."""
    if is_cordoned_for(node, pod.spec.tolerations) or first_untolerated(node, pod.spec.tolerations) is not None:
        return why_closed(pod, node)
    for resource, asked in requests_of(pod.spec).items():
        has = allocatable(node, resource)
        if asked > has:
            return f"has {show(resource, has)} {resource} in all and the Pod asks for {show(resource, asked)}"
    return ""


def size_of(evidence: Evidence, pod: Pod, resource: str) -> Size:
    """The Pod's request of one resource beside what the Nodes offer."""
    every = seen(evidence.nodes)
    usable = [n for n in every if may_use(pod, n)]
    return Size(
        resource=resource,
        asked=requests_of(pod.spec).get(resource, Fraction(0)),
        nodes=len(every),
        usable_nodes=len(usable),
        usable=_largest(usable, resource),
        largest=_largest(every, resource),
    )


def _largest(nodes: list[Node] | tuple[Node, ...], resource: str) -> Node | None:
    return max(nodes, key=lambda n: (allocatable(n, resource), n.name), default=None)
