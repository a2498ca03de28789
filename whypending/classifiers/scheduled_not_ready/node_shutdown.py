"""node-shutdown: the node was shut down under the Pod (graceful node shutdown leftovers).

What it means
    The node was switched off or rebooted in an orderly way. Its kubelet ended the Pods that ran there (`Terminated`)
    and refused those that still came (`NodeShutdown`). Both are final.

How it is recognised
    `status.phase` Failed and `status.reason` Terminated with the message `Pod was terminated in response to imminent
    node shutdown.`, or NodeShutdown, or Shutdown (1.20 and 1.21).

What to do
    Nothing for a Pod with a controller: it has made another. Delete the leftover.

Limits
    Who shut the node down is not in the cluster. A node that died without warning leaves no such status
    (node-not-ready-after-bind).

References
    pkg/kubelet/nodeshutdown, Kubernetes 1.20 to 1.37;
    https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod

from ._admission import cite_status
from ._node import look_at_node
from ._owner import recreate

CAUSE = Cause(
    "WP402", "node-shutdown", Triage.SCHEDULED_NOT_READY, refines=("kubelet-admission-rejected", "job-failed")
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A final status that the shutdown manager wrote."""
    pod = evidence.the_pod
    if pod is None or pod.status.phase != "Failed" or not _by_shutdown(pod):
        return
    node = pod.spec.node_name or "its node"
    said = "refused because node {} was shutting down" if _was_refused(pod) else "ended because node {} was shut down"
    yield CAUSE.finding(
        f"{pod.ref} was {said.format(node)}, and will not run again ({pod.status.reason}).",
        citations=cite_status(evidence, pod),
        remedies=(recreate(evidence), look_at_node(node, "See whether the node is back, and since when.")),
    )


def _was_refused(pod: Pod) -> bool:
    return pod.status.reason == "NodeShutdown"


def _by_shutdown(pod: Pod) -> bool:
    ended = pod.status.reason in {"Terminated", "Shutdown"} and "shut" in pod.status.message.lower()
    return ended or _was_refused(pod)
