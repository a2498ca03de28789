"""evicted: the kubelet evicted the Pod (pressure, ephemeral-storage limit).

What it means
    The kubelet ended the Pod to save the node, or because the Pod broke its own limit on local storage. An evicted
    Pod stays Failed; its controller makes another.

How it is recognised
    `status.phase` Failed and `status.reason` Evicted (or Preempting: ended for a critical Pod). `status.message` says
    which resource, which threshold and who used most, or which limit was broken.

What to do
    For pressure: give the container a request that fits what it uses (Pods above their requests go first) or free the
    resource on the node. For a storage limit: raise it or write less.

Limits
    `kubectl drain` and taint evictions delete the Pod and leave no such status. What used the node's disk outside
    Pods (images, logs) is not seen.

References
    pkg/kubelet/eviction/helpers.go (message forms), Kubernetes 1.10 to 1.37;
    https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import field_citation, kubectl
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

from ._admission import cite_status
from ._owner import edit, recreate

CAUSE = Cause("WP452", "evicted", Triage.SCHEDULED_NOT_READY, refines=("kubelet-admission-rejected", "job-failed"))
_LOW = Pattern(r"low on resource: \[?([\w-]+(?:\.[\w-]+)*)\]?")
_USED = Pattern(r"(Container|Pod) (\S+) was using (\S+), (?:which exceeds its )?request (?:is|of) ([^,. ]+)")
_CONTAINER_LIMIT = Pattern(r'Container (\S+) exceeded its local ephemeral storage limit "([^"]+)"')
_POD_LIMIT = Pattern(r"Pod ephemeral local storage usage exceeds the total limit of containers (\S+?)\.? ?$")
_VOLUME_LIMIT = Pattern(r'[Uu]sage of EmptyDir volume "([^"]+)" exceeds the limit "([^"]+)"')
_CONDITION = Pattern(r"The node had condition: \[(\w+)")

_FORMS = (
    (_CONTAINER_LIMIT, 'evicted {0}: container "{1}" wrote more than its ephemeral-storage limit of {2}'),
    (_POD_LIMIT, "evicted {0}: its containers wrote more than their ephemeral-storage limits of {1} in all"),
    (_VOLUME_LIMIT, 'evicted {0}: emptyDir volume "{1}" grew past its sizeLimit of {2}'),
    (_CONDITION, "refused {0} because the node was under {1}"),
    (_LOW, "evicted {0} because the node ran low on {1}"),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A final status that the eviction manager (or the kubelet's preemption) wrote."""
    pod = evidence.the_pod
    if pod is None or pod.status.phase != "Failed" or pod.status.reason not in {"Evicted", "Preempting"}:
        return
    yield CAUSE.finding(
        f"The kubelet on {pod.spec.node_name or 'the node'} {_what(pod)}.",
        citations=(*cite_status(evidence, pod), *_pressure(evidence)),
        remedies=(*_remedies(evidence, pod), recreate(evidence)),
    )


def _what(pod: Pod) -> str:
    if pod.status.reason == "Preempting":
        return f"ended {pod.ref} to make room for a critical Pod"
    text = " ".join(pod.status.message.split())
    for form, says in _FORMS:
        if found := form.search(text):
            return says.format(pod.ref, *found.groups()) + (_user(text) if form is _LOW else "")
    return f'evicted {pod.ref}: "{text.rstrip(". ")}"'


def _user(text: str) -> str:
    found = _USED.search(text)
    if found is None:
        return ""
    who = f'container "{found[2]}"' if found[1] == "Container" else "the Pod"
    return f"; {who} used {found[3]} and had requested {found[4]}"


def _remedies(evidence: Evidence, pod: Pod) -> Iterator[Remedy]:
    if _CONTAINER_LIMIT.search(pod.status.message) or _POD_LIMIT.search(pod.status.message):
        yield edit(evidence, "Raise limits.ephemeral-storage of the container, or have it write less to disk and log.")
    elif _VOLUME_LIMIT.search(pod.status.message):
        yield edit(evidence, "Raise the volume's emptyDir.sizeLimit, or have the containers keep less in it.")
    elif _LOW.search(pod.status.message):
        yield edit(evidence, "Request what the container really uses: Pods above their requests are evicted first.")
    node = pod.spec.node_name
    if node:
        yield look(
            "See the node's pressure conditions and what is requested there.", kubectl("", "describe", "node", node)
        )


def _pressure(evidence: Evidence) -> Iterator[Citation]:
    node = evidence.the_node
    for condition in node.status.conditions if node else ():
        if node is not None and condition.type.endswith("Pressure") and condition.status == "True":
            yield field_citation(node, f"status.conditions[type={condition.type}].status", "True")
