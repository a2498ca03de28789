"""startup-taint-left: a taint that an agent (CNI, CSI, device driver) should have removed from a Ready node is there.

What it means
    The node joined with a taint that keeps Pods away until some agent has set it up: a network plugin, a CSI driver,
    a device driver, Karpenter or Cluster API. The node is Ready, the agent has not finished or does not run there.

How it is recognised
    Keys known for it (`node.kubernetes.io/network-unavailable`, `node.cilium.io/agent-not-ready`,
    `ebs.csi.aws.com/agent-not-ready`, `karpenter.sh/unregistered`, `startup-taint.cluster-autoscaler.kubernetes.io/…`
    and the like), named by the scheduler or found on the Nodes. Likely where the node is not Ready: then the taint is
    a consequence.

What to do
    Look at the agent's Pod on that node; it takes the taint off by itself. Take it off by hand only if that agent is
    not used any more.

Limits
    A taint that a private agent sets under its own key looks like any other: untolerated-taint.

References
    Documentation of Cilium, the EBS CSI driver, Karpenter; kubernetes.io "Well-Known Labels, Annotations and Taints".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._node_taints import TAINTS, named, remove_taint
from whypending.classifiers.unschedulable._taints import TaintGroup, spelled
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import nodes, plural, sentence
from whypending.diagnosis import Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.node import Node

CAUSE = Cause("WP313", "startup-taint-left", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """One finding a taint."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    for index, group in enumerate(this.taints):
        sure = group.is_proved and bool(group.nodes) and all(_is_ready(n) for n in group.nodes)
        yield CAUSE.finding(
            sentence(f"{_message(this, group)}{this.tail if index == 0 else ''}"),
            confidence=Confidence.PROVED if sure else Confidence.LIKELY,
            role=this.role,
            citations=(*this.verdict.citations, *group.citations),
            remedies=_remedies(group),
        )


def _is_ready(node: Node) -> bool:
    ready = node.condition("Ready")
    return ready is not None and ready.status == "True"


def _message(this: Told, group: TaintGroup) -> str:
    which = named(n.name for n in group.nodes)
    subject, verb = nodes(group.count, this.total), plural(group.count, "keeps", "keep")
    return (
        f"{subject}{which} still {verb} the start-up taint {spelled(group.taint)}, which its agent has not removed,"
        f" and {this.pod.ref} does not tolerate it"
    )


def _remedies(group: TaintGroup) -> Iterator[Remedy]:
    if not group.nodes:
        yield look("See which nodes have it.", TAINTS)
        return
    name = shlex.quote(group.nodes[0].name)
    yield look(
        "Look at the agent's Pod on the node and its log.",
        f"kubectl get pods -A --field-selector spec.nodeName={name}",
    )
    yield change("Repair the agent; it takes the taint off by itself.")
    yield remove_taint(group)
