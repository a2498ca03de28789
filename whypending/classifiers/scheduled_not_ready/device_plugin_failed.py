"""device-plugin-failed: a device plugin failed in Allocate/GetPreferredAllocation.

What it means
    The Pod asks for a vendor's resource (a GPU, a NIC …). The scheduler counted the devices and bound the Pod, but
    the vendor's plugin on the node could not hand one out, so the kubelet refused the Pod for good.

How it is recognised
    `status.reason` is UnexpectedAdmissionError and `status.message` holds a text of the kubelet's device manager:
    `Allocate failed due to rpc error …` (only device plugins are called by RPC there), `device plugin … rpc failed`,
    `no healthy devices present; cannot allocate unhealthy devices …`, `requested number of devices unavailable for …`,
    `cannot allocate unregistered device …`, `previously allocated devices are no longer healthy …`.

What to do
    Read the log of the device plugin's Pod on that node, repair or restart it, check that the node offers healthy
    devices again, then recreate the Pod.

Limits
    The plugin's own reason is in its log, which is not read. `Allocate failed due to not enough cpus …` is the CPU
    manager: out-of-resource-race.

References
    pkg/kubelet/cm/devicemanager/manager.go, Kubernetes 1.10 to 1.37;
    https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import kubectl, names
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

from ._admission import cite_status, refused, words
from ._owner import recreate

CAUSE = Cause("WP403", "device-plugin-failed", Triage.SCHEDULED_NOT_READY, refines=("kubelet-admission-rejected",))
_FAULTS = Pattern(
    r"Allocate failed due to rpc error"
    r"|device plugin \w+ rpc failed"
    r"|no healthy devices present; cannot allocate unhealthy devices (?P<unhealthy>\S+)"
    r"|previously allocated devices are no longer healthy; cannot allocate unhealthy devices (?P<lost>\S+)"
    r"|requested number of devices unavailable for (?P<few>\S+?)\."
    r"|cannot allocate unregistered device (?P<unregistered>\S+)"
    r"|[Uu]nknown [Dd]evice [Pp]lugin (?P<unknown>\S+)"
    r"|endpoint not found in cache for a registered resource: (?P<gone>\S+)"
    r"|no containers return in allocation response"
)
_RPC = Pattern(r"rpc error: code = (\w+) desc = (.*)")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A refusal whose text is the device manager's."""
    pod = evidence.the_pod
    if pod is None or not refused(pod) or pod.status.reason != "UnexpectedAdmissionError":
        return
    fault = _FAULTS.search(pod.status.message)
    if fault is None:
        return
    resource = next((g.rstrip(",") for g in fault.groups() if g), "") or names(extended_resources(pod))
    yield CAUSE.finding(
        f"The device plugin for {resource or 'a resource of the Pod'} on {pod.spec.node_name or 'the node'} could not "
        f"give {pod.ref} its device: {_why(pod)}.",
        citations=cite_status(evidence, pod),
        remedies=(
            look(
                "Find the device plugin's Pod on the node and read its log; repair or restart it.",
                kubectl("", "get", "pods", "-A", "-o", "wide", f"--field-selector=spec.nodeName={pod.spec.node_name}"),
            ),
            look("Check that the node offers the devices again.", kubectl("", "describe", "node", pod.spec.node_name)),
            recreate(evidence),
        ),
    )


def extended_resources(pod: Pod) -> tuple[str, ...]:
    """Vendors' resources that the Pod's containers ask for: names with a domain outside kubernetes.io."""
    asked = [
        r
        for c in (*pod.spec.init_containers, *pod.spec.containers)
        for r in (*c.resources.requests, *c.resources.limits)
    ]
    vendors = (r for r in asked if "/" in r and not r.partition("/")[0].endswith("kubernetes.io"))
    return tuple(dict.fromkeys(vendors))


def _why(pod: Pod) -> str:
    rpc = _RPC.search(pod.status.message)
    said = f"{rpc[2]} ({rpc[1]})" if rpc else words(pod).removeprefix("Allocate failed due to ")
    return said.replace(", which is unexpected", "").rstrip(". ")
