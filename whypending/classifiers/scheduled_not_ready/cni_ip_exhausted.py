"""cni-ip-exhausted: the CNI plugin has no IP address to give.

What it means
    The node's address range, or the cloud subnet behind it, is used up (or its plugin cannot get more), so no new Pod
    gets a network there. Room in CPU and memory does not help.

How it is recognised
    A standing FailedCreatePodSandBox whose text is a plugin's word for it: host-local `no IP addresses available in
    range set`, Cilium `range is full` and `No more IPs available`, Azure `No available addresses`, Calico `No more free
    affine blocks`, AWS `failed to assign an IP address to container` or `InsufficientFreeAddressesInSubnet`, and
    others. AWS's first text is likely only: its daemon says the same when it cannot reach the EC2 API.

What to do
    Count the Pods on the node against its address range (AWS: what the instance type's interfaces hold), and the free
    addresses of the subnet. Give it more, or lower the node's max-pods so that the scheduler stops sending Pods.

Limits
    Addresses leaked by Pods that died uncleanly (files in /var/lib/cni/networks) look the same.

References
    The error texts of containernetworking/plugins (host-local), amazon-vpc-cni-k8s, Cilium, Calico, Azure CNI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, field_citation, kubectl
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._events import short
from ._node import OVER
from .sandbox_creation_failed import failed_sandbox

CAUSE = Cause(
    "WP413",
    "cni-ip-exhausted",
    Triage.SCHEDULED_NOT_READY,
    refines=("sandbox-creation-failed",),
    explained_by=OVER,
)
_SAYS_FULL = Pattern(
    r"no ip addresses available in range set|range is full|all cidr ranges are exhausted|no more ips? available"
    r"|no available (?:ip )?address(?:es| pools)?|no free (?:ip )?address|no more free affine blocks"
    r"|assigned 0 out of \d+ requested ipv[46] addresses|could not allocate ip in range"
    r"|insufficient(?:freeaddressesinsubnet|cidrblocks)|ip_space_exhausted|noavailableaddress|ipam pool exhausted"
    r"|no addresses? available",
    re.IGNORECASE,
)
_AWS = Pattern(r"failed to assign an IP address to container")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The sandbox failed for want of an address."""
    found = failed_sandbox(evidence)
    if found is None:
        return
    pod, event = found
    full, aws = _SAYS_FULL.search(event.text), _AWS.search(event.text)
    if not full and not aws:
        return
    node = pod.spec.node_name or "the node"
    yield CAUSE.finding(
        f"The network plugin on {node} has no IP address left for {pod.ref}: {short(event.text)}.",
        confidence=Confidence.PROVED if full else Confidence.LIKELY,
        citations=(event_citation(event), *_room(evidence)),
        remedies=(
            look(
                "Count the Pods on the node that need an address (those without hostNetwork).",
                kubectl("", "get", "pods", "-A", "-o", "wide", f"--field-selector=spec.nodeName={node}"),
            ),
            look(
                "Compare that with the free addresses of the subnet and what the instance type's interfaces hold, and "
                "see that aws-node runs there: enlarge the subnet, use prefix delegation or lower the node's max-pods."
                if aws
                else "Compare that with the node's address range (spec.podCIDR or the plugin's own pool): enlarge the "
                "range, or lower the node's max-pods.",
            ),
        ),
    )


def _room(evidence: Evidence) -> Iterator[Citation]:
    node = evidence.the_node
    if node is not None and "pods" in node.status.allocatable:
        yield field_citation(node, "status.allocatable.pods", node.status.allocatable["pods"])
