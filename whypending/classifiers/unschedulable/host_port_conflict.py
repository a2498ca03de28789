"""host-port-conflict: the requested host port is taken on the nodes.

What it means
    The Pod wants a port of the node itself (`hostPort`, or any port with `hostNetwork`). Only one Pod on a node can
    have it, so there is room for one such Pod a node at most.

How it is recognised
    `didn't have free ports for the requested pod ports` in the scheduler's verdict: proved. The Pod's host ports are
    read from its spec; siblings that hold them are named.

What to do
    Drop the hostPort and use a Service, choose another port, or run no more replicas than there are nodes.

Limits
    Which other Pod holds the port is known only for Pods of the same controller.

References
    NodePorts, kube-scheduler 1.2 to 1.37; kubernetes.io "Configuration Best Practices" on hostPort.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._owner import edited
from whypending.classifiers.unschedulable._pinned import pinned_to
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import held_by, names, sentence, unique
from whypending.diagnosis import Citation, Finding, Remedy, Role, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod

CAUSE = Cause("WP318", "host-port-conflict", Triage.UNSCHEDULABLE)
_BOUND = "kubectl get pods -A --field-selector spec.nodeName!="
"""The Pod that waits has no node, and is no holder."""
_COLUMNS = "NODE:.spec.nodeName,NAMESPACE:.metadata.namespace,POD:.metadata.name"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    ports = host_ports(this.pod)
    yield CAUSE.finding(
        sentence(f"{_message(evidence, this, ports)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(_cite(this.pod, p) for p in ports)),
        remedies=_remedies(evidence, this, ports),
    )


def host_ports(pod: Pod) -> tuple[str, ...]:
    """`8080/TCP` for each port that the Pod wants of its node."""
    return unique(
        f"{port}/{p.protocol or 'TCP'}"
        for c in pod.spec.containers
        for p in c.ports
        if (port := p.host_port or (p.container_port if pod.spec.host_network else 0))
    )


def _message(evidence: Evidence, this: Told, ports: tuple[str, ...]) -> str:
    which = f"host port {names(ports)}" if ports else "the host port"
    taken = f"{this.subject} already {this.verb('has', 'have')} {which} in use, which {this.pod.ref} needs"
    if this.role is Role.CONTRIBUTING and pinned_to(evidence):
        if not seen(evidence.siblings):
            return f"{taken}; the other Pods of its DaemonSet, which were not read, may hold it there"
        return f"{taken}; these are the nodes of its DaemonSet's other Pods, so this does not decide"
    holders = [p for p in seen(evidence.siblings) if p.spec.node_name and set(host_ports(p)) & set(ports)]
    if not holders:
        return taken
    places = unique(p.spec.node_name for p in holders)
    return f"{taken}; {held_by([p.name for p in holders], places, 'its', ('holds it', 'hold it'))}"


def _cite(pod: Pod, port: str) -> Citation:
    return Citation(object=pod.ref, field="spec.containers[*].ports[*].hostPort", value=port)


def _remedies(evidence: Evidence, this: Told, ports: tuple[str, ...]) -> Iterator[Remedy]:
    number = ports[0].partition("/")[0] if ports else ""
    columns = f"{_COLUMNS},PORTS:.spec.containers[*].ports[*].hostPort"
    find = f" | grep -w {number}" if number else ""
    yield look("Find the Pods that hold the port.", f"{_BOUND} -o 'custom-columns={columns}'{find}")
    if this.role is Role.CAUSE:
        yield edited(evidence, this.pod, "Drop the hostPort and use a Service, or choose another port,")
    if this.role is Role.CAUSE and this.pod.metadata.controller is not None:
        yield change("Or run no more replicas than there are nodes with the port free.")
