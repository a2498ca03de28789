"""sandbox-creation-failed: FailedCreatePodSandBox.

What it means
    The Pod's volumes are mounted, but the container runtime cannot make its sandbox: the network namespace and the
    pause container that all its containers share. The kubelet tries again and again.

How it is recognised
    The newest Event FailedCreatePodSandBox of the Pod, with nothing started in it since and the condition
    PodReadyToStartContainers not True. The texts hold a new sandbox id each time, so the API server does not
    aggregate them: the tries are added up here.

What to do
    What follows the wrappers in the text names the part that failed: the CNI plugin, the runtime handler, the pause
    image, or the runtime itself.

Limits
    The Event has the CNI's last word only; its log on the node has the rest.

References
    pkg/kubelet/kuberuntime/kuberuntime_manager.go, Kubernetes 1.37; internal/cri/server/sandbox_run.go, containerd 2.x.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, kubectl, plural
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.event import Event
from whypending.objects.pod import Pod

from ._events import short, standing, times
from ._node import OVER

CAUSE = Cause("WP412", "sandbox-creation-failed", Triage.SCHEDULED_NOT_READY, explained_by=(*OVER, "network-not-ready"))


def failed_sandbox(evidence: Evidence, saying: str = "") -> tuple[Pod, Event] | None:
    """The Pod and the standing Event of its failed sandbox, if the text holds the pattern."""
    pod = evidence.the_pod
    event = standing(evidence, "FailedCreatePodSandBox")
    if pod is None or event is None or pod.status.phase == "Failed":
        return None
    return (pod, event) if not saying or standing(evidence, "FailedCreatePodSandBox", saying=saying) is event else None


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The sandbox could not be made, and still is not there."""
    found = failed_sandbox(evidence)
    if found is None:
        return
    pod, event = found
    node = pod.spec.node_name or "the node"
    yield CAUSE.finding(
        f"The container runtime on {node} cannot create the sandbox of {pod.ref} "
        f"({plural(times(evidence, event), 'try', 'tries')} so far): {short(event.text)}.",
        citations=(event_citation(event),),
        remedies=(
            look(
                "See whether other Pods on that node have the same trouble: then it is the node, not this Pod.",
                kubectl("", "get", "pods", "-A", "-o", "wide", f"--field-selector=spec.nodeName={node}"),
            ),
            look(f"Log in to {node} and read the runtime's log: journalctl -u containerd (or crio)."),
        ),
    )
