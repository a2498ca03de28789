"""daemonset-pinned-node: the Pod belongs to a DaemonSet and is pinned to one node; only that node's reason counts.

What it means
    The DaemonSet controller makes one Pod for each node and pins it there. All other nodes are refused by design;
    the reason with the highest count says nothing.

How it is recognised
    The Pod's controller is a DaemonSet and its required node affinity has `matchFields` `metadata.name` with one
    name: proved. It contributes beside the pinned node's own reason, and is the cause where that Node does not exist.

What to do
    Look at the pinned node only: free what it lacks, or exclude it in the DaemonSet.

Limits
    Where several reasons could be that node's, each is only likely.

References
    DaemonSet controller, Kubernetes 1.12 on; kubernetes.io "How Daemon Pods are scheduled".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, destroy, look
from whypending.classifiers.unschedulable._pinned import Pinned, pinned_to
from whypending.classifiers.unschedulable._told import told_all
from whypending.classifiers.unschedulable._verdict import verdict_of
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Citation, Finding, Remedy, Role, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod

CAUSE = Cause("WP315", "daemonset-pinned-node", Triage.UNSCHEDULABLE)
FIELD = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0]"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    pod, pinned, verdict = evidence.the_pod, pinned_to(evidence), verdict_of(evidence)
    if pod is None or pinned is None or verdict is None:
        return
    gone = pinned.exists is False
    yield CAUSE.finding(
        sentence(_message(evidence, pod, pinned)),
        role=Role.CAUSE if gone or not told_all(evidence) else Role.CONTRIBUTING,
        citations=(Citation(object=pod.ref, field=FIELD, value=f"metadata.name={pinned.name}"), *verdict.citations),
        remedies=_remedies(pod, pinned),
    )


def _message(evidence: Evidence, pod: Pod, pinned: Pinned) -> str:
    if pinned.exists is False:
        return f"{pod.ref} is pinned to node {pinned.name}, which does not exist any more"
    own = [t.name for t in told_all(evidence) if t.role is Role.CAUSE]
    which = f": {names(own)}" if own else ""
    return f"{pod.ref} is a DaemonSet's Pod, pinned to node {pinned.name}, so only that node's reason counts{which}"


def _remedies(pod: Pod, pinned: Pinned) -> Iterator[Remedy]:
    if pinned.exists is False:
        command = f"kubectl -n {shlex.quote(pod.namespace)} delete pod {shlex.quote(pod.name)}"
        yield destroy("Delete the Pod; the DaemonSet controller makes Pods only for nodes that exist.", command)
        return
    yield look(
        "Look at that node alone: its requests, taints and Pods.", f"kubectl describe node {shlex.quote(pinned.name)}"
    )
