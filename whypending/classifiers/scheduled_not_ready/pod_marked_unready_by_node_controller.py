"""pod-marked-unready-by-node-controller: Ready=False was written by the node lifecycle controller.

What it means
    All containers were ready when the node was last heard of. The node's heartbeat failed, and the node lifecycle
    controller in kube-controller-manager set the Pod's Ready condition to False so that Services stop sending traffic.

How it is recognised
    The Pod's Ready condition is False without a reason (the kubelet always writes one), while ContainersReady is True
    and every readiness gate is met. Proved with the controller's Event NodeNotReady on the Pod or a Node that is not
    Ready; else likely.

What to do
    Mend the node. Where the node is Ready again and the condition stays False, restart its kubelet: it then posts the
    Pod's status anew.

Limits
    When the node recovers, the kubelet normally sets the condition back within seconds.

References
    pkg/controller/util/node/controller_utils.go (MarkPodsNotReady), Kubernetes 1.10 to 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.words import condition_citation, event_citation, newest
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod

from ._gates import unmet
from ._node import cite_ready, is_well, look_at_node
from ._ready import is_true

CAUSE = Cause(
    "WP432",
    "pod-marked-unready-by-node-controller",
    Triage.SCHEDULED_NOT_READY,
    refines=("node-not-ready-after-bind",),
    explained_by=("node-not-found",),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Ready=False that no kubelet wrote."""
    pod = evidence.the_pod
    if pod is None or not _marked(pod):
        return
    ready, node = pod.condition("Ready"), evidence.the_node
    event = newest(seen(evidence.events), "NodeNotReady")
    sick = node is not None and not is_well(evidence)
    name = pod.spec.node_name or "its node"
    again = f"; {name} is Ready again, but its kubelet has not set it back" if is_well(evidence) else ""
    yield CAUSE.finding(
        f"The containers of {pod.ref} were ready when {name} was last heard of; the node lifecycle controller set "
        f"Ready to False because {name} stopped posting{again}.",
        confidence=Confidence.PROVED if event or sick else Confidence.LIKELY,
        citations=(
            *(condition_citation(pod, c) for c in (ready, pod.condition("ContainersReady")) if c),
            *((event_citation(event),) if event else ()),
            *(cite_ready(node) if node else ()),
        ),
        remedies=(
            look_at_node(name, "See why the node's heartbeat failed."),
            look(f"Log in to {name}, or ask the cloud for its state: see whether it is up and its kubelet runs."),
            change("If the node is Ready and the Pod stays so, restart the kubelet on it: systemctl restart kubelet."),
        ),
    )


def _marked(pod: Pod) -> bool:
    ready = pod.condition("Ready")
    unexplained = ready is not None and ready.status == "False" and not ready.reason and not ready.message
    return unexplained and is_true(pod.condition("ContainersReady")) and not unmet(pod)
