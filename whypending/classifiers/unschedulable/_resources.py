"""Shortage of a resource: too little left on nodes, or nodes too small ever to hold the Pod."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._candidates import Size, size_of, why_closed
from whypending.classifiers.unschedulable._owner import edited, owner_of
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import nodes, sentence
from whypending.diagnosis import Citation, Finding, Remedy
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.objects.quantity import show

ALLOCATED = "kubectl describe nodes | grep -A 9 'Allocated resources'"


def shortage(cause: Cause, evidence: Evidence, resource: str) -> Iterator[Finding]:
    """The finding for cpu, memory or ephemeral-storage, if the verdict speaks of it."""
    this = told(evidence, cause.name)
    if this is None:
        return
    size = size_of(evidence, this.pod, resource)
    yield cause.finding(
        sentence(_message(this, size)),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *_citations(this.pod, size)),
        remedies=_remedies(evidence, this, size),
    )


def _message(this: Told, size: Size) -> str:
    pod, asked = this.pod.ref, size.show(size.asked)
    if not size.asked:
        return f"{this.subject} {_has(this)} too little unrequested {size.resource} for {pod}{this.tail}"
    if size.fits_none and size.largest:
        return f"{pod} asks for {asked}, and no node can ever hold that: {_top(size)}{this.tail}"
    if size.fits_none_usable and size.usable and size.largest:
        return (
            f"{pod} asks for {asked}, more than any node it may use has in all ({size.usable.name} has"
            f" {show(size.resource, size.of(size.usable))}); {size.largest.name} with"
            f" {show(size.resource, size.of(size.largest))} {why_closed(this.pod, size.largest)}{this.tail}"
        )
    if this.is_beyond_preemption and size.largest is None:
        return (
            f"{_refused(this, size)} and says that ending Pods there would not help, so they are too small{this.tail}"
        )
    room = f" ({_room(this, size, size.usable.name)} {_offer(size)} in all)" if size.usable else ""
    less = f"{this.subject} {_has(this)} less {size.resource} unrequested than the {show(size.resource, size.asked)}"
    return f"{less} that {pod} asks for{room}{this.tail}"


def _refused(this: Told, size: Size) -> str:
    asked = show(size.resource, size.asked)
    return f"The scheduler finds less {size.resource} on {this.subject} than the {asked} that {this.pod.ref} asks for"


def _room(this: Told, size: Size, name: str) -> str:
    if this.pinned == name:
        return "it has"
    return f"{name} has" if size.usable_nodes == 1 else f"the largest, {name}, has"


def _top(size: Size) -> str:
    name = size.largest.name if size.largest else ""
    which = "the only node" if size.nodes == 1 else f"the largest of {nodes(size.nodes, None)}"
    return f"{which}, {name}, has {_offer(size)} allocatable"


def _offer(size: Size) -> str:
    node = size.largest if size.fits_none else size.usable
    return show(size.resource, size.of(node)) if node else "none"


def _has(this: Told) -> str:
    return "has" if this.is_one else "have"


def _citations(pod: Pod, size: Size) -> Iterator[Citation]:
    if size.asked:
        field = f"spec.containers[*].resources.requests[{size.resource}]"
        yield Citation(object=pod.ref, field=field, value=show(size.resource, size.asked))
    node = size.largest if size.fits_none or size.usable is None else size.usable
    if node is not None:
        yield size.cite(node)


def _remedies(evidence: Evidence, this: Told, size: Size) -> Iterator[Remedy]:
    pod = this.pod
    if this.pinned:
        node = this.pinned
        yield look(f"See what is requested on node {node}.", f"kubectl describe node {shlex.quote(node)}")
        yield change(f"Move other Pods off node {node}, or lower their {size.resource} requests.")
        yield edited(evidence, pod, f"Lower the {size.resource} request")
        return
    if size.asked and size.fits_none and size.largest:
        most = size.of(size.largest)
        yield change(f"Add a node with an allocatable of at least {size.show(size.asked)}.")
        if most > 0:
            yield lowered(evidence, pod, size)
        return
    if size.asked and size.fits_none_usable:
        yield change(f"Open a larger node to it, or add one with an allocatable of at least {size.show(size.asked)}.")
        yield edited(evidence, pod, f"Lower the {size.resource} request")
        return
    if this.is_beyond_preemption and size.largest is None:
        yield look("See how large the nodes are.", sizes(size.resource))
        yield change(f"Add a node with an allocatable of at least {size.show(size.asked)}.")
        yield edited(evidence, pod, f"Or lower the {size.resource} request")
        return
    yield look(f"See how much {size.resource} is requested on each node.", ALLOCATED)
    yield change(f"Add a node, or remove Pods that hold {size.resource} requests they do not need.")
    if size.asked:
        yield edited(evidence, pod, f"Or lower the {size.resource} request")


def sizes(resource: str) -> str:
    """A command that shows how much of a resource each node offers in all."""
    path = f".status.allocatable.{resource.replace('.', chr(92) + '.')}"
    return f"kubectl get nodes -o {shlex.quote(f'custom-columns=NODE:.metadata.name,OFFERS:{path}')}"


def lowered(evidence: Evidence, pod: Pod, size: Size) -> Remedy:
    """Lower the request below what the largest node has; exact where one container asks for all of it."""
    most = show(size.resource, size.of(size.largest)) if size.largest else "0"
    text = f"Lower the {size.resource} request below {most}"
    owner = owner_of(evidence, pod)
    if not owner.is_editable:
        return edited(evidence, pod, text)
    asking = [c.name for c in pod.spec.containers if size.resource in {**c.resources.requests, **c.resources.limits}]
    boxes = f" -c {shlex.quote(asking[0])}" if len(asking) == 1 and len(pod.spec.containers) > 1 else ""
    half = show(size.resource, size.of(size.largest) / 2) if size.largest else "0"
    if len(asking) != 1 or owner.kind == "CronJob":
        return edited(evidence, pod, text)
    command = f"{owner.kubectl('set resources')}{boxes} --requests={shlex.quote(f'{size.resource}={half}')}"
    return change(f"{text} in {owner.ref}, for example to {half}.", command)
