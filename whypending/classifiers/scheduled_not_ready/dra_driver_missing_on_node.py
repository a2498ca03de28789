"""dra-driver-missing-on-node: the DRA driver's kubelet plugin is not registered on the node.

What it means
    The claim was allocated from a driver's devices on this node, but the driver's plugin has not registered with the
    node's kubelet: its DaemonSet Pod is not there, not ready, or has lost its socket.

How it is recognised
    A standing FailedPrepareDynamicResources with `DRA driver X is not registered` (1.34 and newer) or `plugin name X
    not found in the list of registered DRA plugins` (older).

What to do
    Bring the driver's node Pod up on that node; the kubelet then tries again by itself.

Limits
    ResourceSlices that a vanished driver left behind make the scheduler choose such a node; they are not read here.

References
    pkg/kubelet/cm/dra/plugin/dra_plugin_manager.go, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, kubectl
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._node import OVER
from .dra_prepare_failed import failed_prepare

CAUSE = Cause(
    "WP438",
    "dra-driver-missing-on-node",
    Triage.SCHEDULED_NOT_READY,
    refines=("dra-prepare-failed",),
    explained_by=OVER,
)
_TEXT = Pattern(
    r"DRA driver (?P<new>\S+) is not registered"
    r"|plugin name (?P<old>\S+) not found in the list of registered DRA plugins"
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The kubelet knows no such driver."""
    found = failed_prepare(evidence)
    text = _TEXT.search(found[1].text) if found else None
    if found is None or text is None:
        return
    pod, event = found
    driver = text["new"] or text["old"]
    node = pod.spec.node_name or "the node"
    yield CAUSE.finding(
        f"The DRA driver {driver} is not registered with the kubelet of {node}, so the devices of {pod.ref} cannot be "
        "prepared.",
        citations=(event_citation(event),),
        remedies=(
            look(
                f"See that the node Pod of {driver} runs on {node}.",
                kubectl("", "get", "pods", "-A", "-o", "wide", f"--field-selector=spec.nodeName={node}"),
            ),
            look(
                "See which devices that driver offers, and where.",
                kubectl("", "get", "resourceslices", f"--field-selector=spec.driver={driver}"),
            ),
        ),
    )
