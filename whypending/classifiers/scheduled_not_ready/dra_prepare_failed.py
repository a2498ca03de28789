"""dra-prepare-failed: the kubelet cannot prepare an allocated ResourceClaim.

What it means
    The scheduler has allocated the Pod's devices (dynamic resource allocation), but on the node the driver could not
    make them ready, so no sandbox is made.

How it is recognised
    A standing Event FailedPrepareDynamicResources of the Pod. Its text is the kubelet's DRA manager: the claim, and
    what the driver's NodePrepareResources answered.

What to do
    Read the log of the driver's Pod on that node. `is not registered` and `feature gate` have their own findings below.

Limits
    Which device failed is known only if the driver says so.

References
    pkg/kubelet/cm/dra/manager.go, Kubernetes 1.27 to 1.37;
    https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, kubectl, sentence
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

from ._events import short, standing
from ._node import OVER

CAUSE = Cause("WP436", "dra-prepare-failed", Triage.SCHEDULED_NOT_READY, explained_by=OVER)
_CLAIM = Pattern(r"ResourceClaim ([a-z0-9][-a-z0-9.]*)")


def failed_prepare(evidence: Evidence) -> tuple[Pod, Event] | None:
    """The Pod and the standing Event of its failed preparation."""
    pod = evidence.the_pod
    event = standing(evidence, "FailedPrepareDynamicResources")
    if pod is None or event is None or pod.status.phase == "Failed":
        return None
    return pod, event


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Devices were allocated but cannot be prepared."""
    found = failed_prepare(evidence)
    if found is None:
        return
    pod, event = found
    node = pod.spec.node_name or "the node"
    claim = _CLAIM.search(event.text)
    yield CAUSE.finding(
        sentence(f"The kubelet on {node} cannot prepare the devices of {pod.ref}: {short(event.text)}"),
        citations=(event_citation(event),),
        remedies=(
            look(
                "See what was allocated, and by which driver.",
                kubectl(pod.namespace, "get", "resourceclaim", *((claim[1],) if claim else ()), "-o", "yaml"),
            ),
            look(
                "Find the driver's Pod on that node and read its log.",
                kubectl("", "get", "pods", "-A", "-o", "wide", f"--field-selector=spec.nodeName={node}"),
            ),
        ),
    )
