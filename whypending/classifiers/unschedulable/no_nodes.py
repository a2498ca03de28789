"""no-nodes: the cluster has no (ready, registered) node at all.

What it means
    There is nothing to schedule on: no Node object exists, or the scheduler sees none. New clusters, clusters scaled
    to zero and clusters whose nodes can't join look like this.

How it is recognised
    `no nodes available to schedule pods` or `0/0 nodes are available` in the scheduler's verdict: proved. If the
    Nodes could be read and some exist, the scheduler's view is older or its access is broken: likely.

What to do
    Add a node, or find out why nodes do not join (kubelet log, bootstrap token, cloud quota, scaled-down node group).

Limits
    Why machines do not join is not visible through the API.

References
    kube-scheduler ErrNoNodesAvailable; FitError; kubernetes.io "Nodes".
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._verdict import verdict_of
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Confidence, Finding, Role, Triage
from whypending.evidence import Evidence, seen

CAUSE = Cause("WP340", "no-nodes", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    pod, verdict = evidence.the_pod, verdict_of(evidence)
    this = told(evidence, CAUSE.name)
    if pod is None or verdict is None or not (this or verdict.total == 0):
        return
    exist = len(seen(evidence.nodes))
    now = f", though {exist} {'exists' if exist == 1 else 'exist'} now" if exist else ""
    yield CAUSE.finding(
        sentence(f"The scheduler sees no node at all, so {pod.ref} can't go anywhere{now}"),
        confidence=Confidence.LIKELY if exist else Confidence.PROVED,
        role=this.role if this else Role.CAUSE,
        citations=verdict.citations,
        remedies=(
            look("See whether any node is registered.", "kubectl get nodes -o wide"),
            change("Add a node, or repair what keeps the machines from joining."),
        ),
    )
