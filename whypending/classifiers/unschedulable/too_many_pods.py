"""too-many-pods: a node's limit of Pods is reached.

What it means
    Each kubelet takes a fixed number of Pods (`--max-pods`, 110 by default; on some clouds bounded by the network
    addresses that the machine can hold). CPU and memory can be free all the same.

How it is recognised
    `Too many pods` in the scheduler's verdict: proved. The limit is read from `status.allocatable.pods`.

What to do
    Add a node, remove Pods that ended or are not needed, or raise the kubelet's `maxPods` if the network allows it.

Limits
    The Pods on each node are not counted here.

References
    NodeResourcesFit, kube-scheduler 1.2 to 1.37; KubeletConfiguration `maxPods`.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._candidates import size_of
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.quantity import show

CAUSE = Cause("WP306", "too-many-pods", Triage.UNSCHEDULABLE, explained_by=("preemption-in-progress",))


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    size = size_of(evidence, this.pod, "pods")
    limit = f" (at most {show('pods', size.of(size.usable))})" if size.usable and size.of(size.usable) else ""
    verb = this.verb("holds", "hold")
    pod = this.pod.ref
    yield CAUSE.finding(
        sentence(f"{this.subject} already {verb} as many Pods as the kubelet takes{limit}, so {pod} waits{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *((size.cite(size.usable),) if size.usable and limit else ())),
        remedies=(
            look(
                "Count the Pods on each node.",
                "kubectl get pods -A -o custom-columns=NODE:.spec.nodeName | sort | uniq -c",
            ),
            change("Add a node, or remove Pods that are not needed."),
            change("Raise maxPods in the kubelet's configuration where the network has addresses for more."),
        ),
    )
