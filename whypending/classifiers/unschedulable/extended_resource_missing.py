"""extended-resource-missing: a device-plugin or vendor resource is exhausted, or no node offers it.

What it means
    The Pod asks for something like `nvidia.com/gpu` or `hugepages-2Mi`. Either every piece of it is taken, or no
    node advertises it: then its device plugin does not run, or the name is misspelt.

How it is recognised
    `Insufficient <resource>` with any name but cpu, memory, ephemeral-storage and pods in the verdict: proved.
    The Nodes' `status.allocatable` says whether it is offered at all.

What to do
    Not offered: repair or install the device plugin on the nodes that have the device, or correct the name.
    Offered: free some, add such a node, or ask for less.

Limits
    Which Pods hold the pieces is not listed here.

References
    NodeResourcesFit, kube-scheduler 1.8 to 1.37; kubernetes.io "Device Plugins"; "Extended Resources".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._candidates import Size, size_of
from whypending.classifiers.unschedulable._owner import edited
from whypending.classifiers.unschedulable._resources import sizes
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import nodes, plural, sentence
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.quantity import show

CAUSE = Cause("WP305", "extended-resource-missing", Triage.UNSCHEDULABLE, explained_by=("preemption-in-progress",))


def classify(evidence: Evidence) -> Iterator[Finding]:
    """One finding a resource."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    for resource in this.facts("resource") or (this.words,):
        size = size_of(evidence, this.pod, resource)
        cited = (size.cite(size.largest),) if size.largest else ()
        yield CAUSE.finding(
            sentence(f"{_message(this, size)}{this.tail}"),
            confidence=this.confidence,
            role=this.role,
            citations=(*this.citations, *_asked(this, size), *cited),
            remedies=_remedies(evidence, this, size),
        )


def _count(this: Told, resource: str) -> int | None:
    counts = [r.count for r in this.reasons if ("resource", resource) in r.details]
    return counts[0] if counts else this.count


def _message(this: Told, size: Size) -> str:
    pod, name = this.pod.ref, size.resource
    wanted = f"the {show(name, size.asked)} that {pod} asks for" if size.asked else f"what {pod} asks for"
    if size.largest and not size.of(size.largest):
        return f"No node offers {name} at all, and {pod} asks for {show(name, size.asked)}"
    if size.fits_none and size.largest:
        most, which = show(name, size.of(size.largest)), "the only" if size.nodes == 1 else "the largest"
        return f"{pod} asks for {size.show(size.asked)}, and {which} node, {size.largest.name}, has only {most}"
    count = _count(this, name)
    if size.largest is None and this.is_beyond_preemption:
        found = f"The scheduler finds less {name} on {nodes(count, this.total)} than {wanted}"
        return f"{found}, and says that ending Pods there would not help: they offer less than that, or none"
    if size.largest is None:
        return f"The scheduler finds too little free {name} on {nodes(count, this.total)} for {wanted}"
    return f"{nodes(count, this.total)} {plural(count, 'has', 'have')} too little free {name} for {wanted}"


def _asked(this: Told, size: Size) -> Iterator[Citation]:
    if size.asked:
        field = f"spec.containers[*].resources.requests[{size.resource}]"
        yield Citation(object=this.pod.ref, field=field, value=show(size.resource, size.asked))


def _remedies(evidence: Evidence, this: Told, size: Size) -> Iterator[Remedy]:
    yield look(f"See which nodes offer {size.resource}.", sizes(size.resource))
    if size.largest is None and this.is_beyond_preemption:
        yield change(f"Add a node that offers {size.resource}, or repair its device plugin where none is offered.")
        yield edited(evidence, this.pod, f"Correct or lower the request for {size.resource}")
        return
    if size.largest and not size.of(size.largest):
        yield change(f"Install or repair the device plugin that offers {size.resource}, on a node that has the device.")
        yield edited(evidence, this.pod, f"Correct or remove the request for {size.resource}")
        return
    more = "" if this.is_beyond_preemption or size.fits_none else ", or end Pods that hold it"
    enough = f"at least {show(size.resource, size.asked)} {size.resource}" if size.fits_none else size.resource
    yield change(f"Add a node with {enough}{more}.")
    yield edited(evidence, this.pod, f"Ask for less {size.resource}")
