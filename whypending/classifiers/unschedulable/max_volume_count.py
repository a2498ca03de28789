"""max-volume-count: a node has no free volume attachment slot.

What it means
    A machine can attach only so many volumes of one kind (often 25 to 40 on clouds, network cards counting too). The
    nodes have reached that number; CPU and memory can be free all the same.

How it is recognised
    `exceed max volume count` (up to 1.9: `MaxVolumeCount`, `MaxEBSVolumeCount` …) in the scheduler's verdict: proved.
    The drivers' limits are read from the CSINodes.

What to do
    Add a node, spread the Pods with volumes, or detach volumes of Pods that are gone (stale VolumeAttachments).

Limits
    The volumes attached to each node are not counted here.

References
    NodeVolumeLimits, kube-scheduler 1.7 to 1.37; CSINode `spec.drivers[].allocatable.count`; kubernetes.io
    "Node-specific Volume Limits".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence, seen

CAUSE = Cause("WP321", "max-volume-count", Triage.UNSCHEDULABLE)
_COUNT = "kubectl get volumeattachments -o custom-columns=NODE:.spec.nodeName | sort | uniq -c"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    full = f"{this.subject} {this.verb('has', 'have')} no free slot to attach another volume"
    yield CAUSE.finding(
        sentence(f"{full} for {this.pod.ref}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *tuple(_limits(evidence))[:2]),
        remedies=(
            look("Count the attachments of each node.", _COUNT),
            change("Add a node, or move Pods with volumes off the full ones."),
        ),
    )


def _limits(evidence: Evidence) -> Iterator[Citation]:
    for node in seen(evidence.csi_nodes):
        for driver in node.spec.drivers:
            if driver.allocatable is not None and driver.allocatable.count is not None:
                field = f"spec.drivers[name={driver.name}].allocatable.count"
                yield Citation(object=node.ref, field=field, value=str(driver.allocatable.count))
