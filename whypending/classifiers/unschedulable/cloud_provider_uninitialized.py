"""cloud-provider-uninitialized: nodes still carry the cloud provider's uninitialized taint.

What it means
    A kubelet with `--cloud-provider=external` registers its node with this taint. The cloud-controller-manager (CCM)
    takes it off once it has set the node up. It has not done so: it does not run, is not allowed to, or does not
    know the machine.

How it is recognised
    The taint `node.cloudprovider.kubernetes.io/uninitialized`, named by the scheduler or found on the Nodes.

What to do
    Repair the cloud-controller-manager: it must run, tolerate this taint itself, and have working credentials.

Limits
    Why the CCM does not work is in its own Pod and log, which this cause does not read.

References
    kubernetes.io "Cloud Controller Manager Administration"; "Well-Known Labels, Annotations and Taints".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._node_taints import named
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import sentence, unique
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP309", "cloud-provider-uninitialized", Triage.UNSCHEDULABLE)
_COMMAND = "kubectl get pods -A -o wide | grep -E 'cloud-controller|cloud-provider|ccm'"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    which = named(unique(n.name for g in this.taints for n in g.nodes))
    verb = this.verb("waits", "wait")
    yield CAUSE.finding(
        sentence(
            f"{this.subject}{which} still {verb} for the cloud-controller-manager to initialize"
            f" {this.verb('it', 'them')}, and {this.pod.ref} does not tolerate that taint{this.tail}"
        ),
        confidence=this.confidence,
        role=this.role,
        citations=this.citations,
        remedies=(
            look("Find the cloud-controller-manager and read its log.", _COMMAND),
            change("Repair the cloud-controller-manager; it takes the taint off by itself once it works."),
        ),
    )
