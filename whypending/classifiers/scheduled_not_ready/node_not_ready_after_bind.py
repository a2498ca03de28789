"""node-not-ready-after-bind: the bound Pod's node is NotReady or Unknown: nothing on the Pod is current.

What it means
    The node that the Pod is on does not work: its kubelet has stopped posting (Unknown, or its Lease is stale), or
    posts that it is not ready. What the Pod's status says is the last that was heard.

How it is recognised
    The Node's Ready condition is Unknown or False, or its Lease in kube-node-lease is past its duration by more than
    a minute. Where a live kubelet posts NotReady and a container of the Pod reports a failure of its own, that failure
    is shown instead.

What to do
    Look at the node: is the machine up, the kubelet running, the container runtime answering, the network there?

Limits
    Whether the containers still run on an unreachable node cannot be known from the cluster. With Ready still True
    and only the Lease stale, it is likely, not proved.

References
    https://kubernetes.io/docs/concepts/architecture/nodes/#heartbeats
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import since
from whypending.diagnosis import Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.base import Condition
from whypending.objects.node import Node
from whypending.objects.pod import Pod

from ._containers import has_own_trouble
from ._node import cite_lease, cite_ready, is_silent, lease, lease_is_stale, look_at_node, ready
from ._owner import delete_pod, is_owned

CAUSE = Cause("WP451", "node-not-ready-after-bind", Triage.SCHEDULED_NOT_READY)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod's node is not Ready, or silent."""
    pod, node = evidence.the_pod, evidence.the_node
    if pod is None or node is None or pod.status.phase == "Failed":
        return
    condition = ready(node)
    silent = is_silent(evidence)
    if not silent and (condition is None or condition.status == "True" or has_own_trouble(pod)):
        return
    stale = lease_is_stale(evidence)
    guessed = silent and (condition is None or condition.status != "Unknown")
    yield CAUSE.finding(
        _message(evidence, pod, node, condition),
        confidence=Confidence.LIKELY if guessed else Confidence.PROVED,
        citations=(*cite_ready(node), *(cite_lease(evidence) if stale else ())),
        remedies=(*_remedies(evidence, pod, silent=silent), look_at_node(node.name, "See the node's conditions.")),
    )


def _message(evidence: Evidence, pod: Pod, node: Node, condition: Condition | None) -> str:
    if condition is not None and condition.status == "False" and not lease_is_stale(evidence):
        why = condition.message.rstrip(". ") or condition.reason or "it says no more"
        return f"Node {node.name}, where {pod.ref} is, has been NotReady for {_for(evidence, condition)}: {why}."
    silence = _silence(evidence, condition)
    return (
        f"The kubelet of node {node.name} has posted nothing for {silence}, so nothing in the status of {pod.ref} is "
        "current."
    )


def _silence(evidence: Evidence, condition: Condition | None) -> str:
    found = lease(evidence)
    renewed = found.spec.renew_time if found else None
    heard = renewed or (condition and (condition.last_heartbeat_time or condition.last_transition_time)) or None
    return since(heard, evidence.now)


def _for(evidence: Evidence, condition: Condition) -> str:
    return since(condition.last_transition_time, evidence.now)


def _remedies(evidence: Evidence, pod: Pod, *, silent: bool) -> Iterator[Remedy]:
    node = pod.spec.node_name
    if silent:
        yield look(f"Log in to {node}, or ask the cloud for its state: see whether it is up and its kubelet runs.")
    else:
        yield look(f"Log in to {node} and read the kubelet's log: journalctl -u kubelet.")
    if silent and is_owned(pod):
        yield delete_pod(
            evidence,
            f"If {node} is gone for good, force the Pod's deletion so that its replacement may start; never while its "
            "containers could still run there and write to shared storage.",
            "--force",
        )
