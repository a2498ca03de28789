"""kubelet-admission-rejected: the kubelet refused the bound Pod (phase Failed with an admission reason).

What it means
    The Pod had a node, and the kubelet of that node said no before it started anything. That is final: the same Pod
    is never tried again, only a new one can run.

How it is recognised
    `status.phase` is Failed and `status.reason` is one of the kubelet's admission reasons (`OutOfcpu` and kin,
    `NodeAffinity`, `UnexpectedAdmissionError`, `NodeShutdown`, `TopologyAffinityError`, …), or `status.message` starts
    with `Pod was rejected:` or `Pod Predicate … failed`. The status is the proof; the Event of the same reason adds
    when. FailedScheduling and FailedMount Events beside it are noise.

What to do
    Mend what the reason names, then delete the Pod so that its owner makes a new one. After a reboot or a kubelet
    restart, `NodeAffinity` often means only that the kubelet had not yet read its node's labels.

Limits
    Which admission check failed is known, not always why: see the finding shown below it. `Evicted` from a running
    Pod is the cause `evicted` alone.

References
    pkg/kubelet/lifecycle/predicate.go and pkg/kubelet/kubelet.go (rejectPod), Kubernetes 1.10 to 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import kubectl
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod

from ._admission import cite_status, plainly, refused, words
from ._owner import recreate

CAUSE = Cause("WP401", "kubelet-admission-rejected", Triage.SCHEDULED_NOT_READY, refines=("job-failed",))
_LABELS = {"NodeAffinity", "MatchNodeSelector", "NodeSelectorMismatching"}


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod's final status is a refusal by the kubelet."""
    pod = evidence.the_pod
    if pod is None or not refused(pod):
        return
    yield CAUSE.finding(
        _message(pod),
        citations=cite_status(evidence, pod),
        remedies=(*_look(pod), recreate(evidence)),
    )


def _message(pod: Pod) -> str:
    node = f" on {pod.spec.node_name}" if pod.spec.node_name else ""
    why = plainly(pod.status.reason) or f'"{words(pod)}"'
    return f"The kubelet{node} refused {pod.ref}: {why} ({pod.status.reason})."


def _look(pod: Pod) -> Iterator[Remedy]:
    if not pod.spec.node_name:
        return
    if pod.status.reason in _LABELS:
        yield look(
            "Compare the node's labels with the Pod's nodeSelector and node affinity; if they match now, the kubelet "
            "had only not read them yet.",
            kubectl("", "get", "node", pod.spec.node_name, "--show-labels"),
        )
    else:
        yield look(
            "See what the node has: conditions, taints, labels, and what is used there.",
            kubectl("", "describe", "node", pod.spec.node_name),
        )
