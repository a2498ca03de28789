"""node-not-found: spec.nodeName names a node that does not exist.

What it means
    The Pod belongs to a node of which the cluster has no Node object: mistyped, or removed under the Pod. No kubelet
    will ever act on it, and no scheduler looks at a Pod that has a node.

How it is recognised
    `spec.nodeName` is set, and the Node of that name was looked up and is not there. Where Nodes could not be read it
    is likely if the name was preset (node-name-preset) and no kubelet has touched the Pod for two minutes.

What to do
    A name in the template: correct or remove it (a nodeSelector or affinity lets the scheduler choose). A removed
    node: the Pod garbage collector deletes the Pod within a minute; force the deletion if it does not.

Limits
    A node that has only lost its Node object (its kubelet registers again) looks the same for a moment.

References
    https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename;
    pkg/controller/podgc, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import field_citation, names, since
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, is_known, seen
from whypending.objects.pod import Pod

from ._node import missing
from ._owner import delete_pod, edit
from ._preset import preset, setter
from ._untouched import bound_at, untouched

CAUSE = Cause("WP410", "node-not-found", Triage.SCHEDULED_NOT_READY, refines=("node-name-preset",))


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod's node was looked up and does not exist."""
    pod = evidence.the_pod
    chosen = preset(evidence) is not None
    unread = not is_known(evidence.node) and chosen and untouched(evidence)
    if pod is None or not (missing(evidence) or unread):
        return
    yield CAUSE.finding(
        _unread(evidence, pod) if unread else _message(evidence, pod, chosen=chosen),
        confidence=Confidence.LIKELY if unread else Confidence.PROVED,
        citations=(
            field_citation(pod, "spec.nodeName", pod.spec.node_name),
            field_citation(pod, "status.startTime", None) if unread else _absent(pod),
        ),
        remedies=(*_remedies(evidence, chosen=chosen), look("See which nodes there are.", "kubectl get nodes")),
    )


def _message(evidence: Evidence, pod: Pod, *, chosen: bool) -> str:
    name = pod.spec.node_name
    near = get_close_matches(name, [n.name for n in seen(evidence.nodes)], n=2, cutoff=0.6)
    hint = f" (near names: {names(near)})" if near else ""
    if chosen:
        return f"{setter(evidence)}, and there is no such node{hint}."
    return f"Node {name}, on which {pod.ref} was, no longer exists{hint}."


def _unread(evidence: Evidence, pod: Pod) -> str:
    waited = since(bound_at(pod), evidence.now)
    return f"{setter(evidence)}, and no kubelet has touched the Pod in {waited}: most likely there is no such node."


def _absent(pod: Pod) -> Citation:
    return Citation(object=f"Node {pod.spec.node_name}", field="metadata.name", value="not found")


def _remedies(evidence: Evidence, *, chosen: bool) -> Iterator[Remedy]:
    if chosen:
        yield edit(evidence, "Correct spec.nodeName, or remove it and choose nodes by nodeSelector or affinity.")
        return
    yield delete_pod(evidence, "Remove the Pod that was left behind, if it does not go by itself.", "--force")
