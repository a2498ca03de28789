"""out-of-resource-race: scheduler's and kubelet's accounting differed at admission (OutOfcpu and kin).

What it means
    The scheduler counted the node as free enough, the kubelet counted again when the Pod arrived and found it full.
    Pods that were bound at the same time, static Pods, Pods still ending, or exclusive CPUs and NUMA alignment (which
    the scheduler does not see) make the difference.

How it is recognised
    `status.phase` Failed with `status.reason` OutOfcpu, OutOfmemory, OutOfpods, OutOfephemeral-storage or
    OutOf<resource>; TopologyAffinityError; or UnexpectedAdmissionError with the CPU or memory manager's text
    (`not enough cpus available to satisfy request`, `[memorymanager] …`). Likely, because who took the room is not
    recorded.

What to do
    Let the owner make a new Pod: the scheduler knows better by then. If it repeats, find what runs on the node outside
    the scheduler's view.

Limits
    Not said for a Pod whose template sets spec.nodeName: no scheduler counted anything there (node-name-preset).

References
    pkg/kubelet/lifecycle/predicate.go, pkg/kubelet/cm/{cpumanager,memorymanager,topologymanager}, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import kubectl
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.objects.quantity import show
from whypending.patterns import Pattern

from ._admission import RESOURCE_PREFIX, cite_status, refused
from ._owner import recreate
from ._preset import preset

CAUSE = Cause("WP404", "out-of-resource-race", Triage.SCHEDULED_NOT_READY, refines=("kubelet-admission-rejected",))
_NUMBERS = Pattern(r"enough resource: (\S+), requested: (\d+), used: (\d+), capacity: (\d+)")
_MANAGERS = Pattern(r"not enough cpus available to satisfy request|\[(?:cpu|memory)manager\]|cpus? requests? equals")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A refusal for room, of a Pod that a scheduler had placed."""
    pod = evidence.the_pod
    if pod is None or not refused(pod) or preset(evidence) is not None:
        return
    message = _message(pod)
    if not message:
        return
    yield CAUSE.finding(
        message,
        confidence=Confidence.LIKELY,
        citations=cite_status(evidence, pod),
        remedies=(
            look(
                "See what the node holds, static Pods and Pods that are still ending included.",
                kubectl("", "describe", "node", pod.spec.node_name),
            ),
            recreate(evidence),
        ),
    )


def _message(pod: Pod) -> str:
    node, reason = pod.spec.node_name, pod.status.reason
    if reason.startswith(RESOURCE_PREFIX):
        return (
            f"The scheduler placed {pod.ref} on {node}, but by the kubelet's count the node had not enough "
            f"{reason.removeprefix(RESOURCE_PREFIX)} left{_numbers(pod)}."
        )
    if reason == "TopologyAffinityError":
        return (
            f"Node {node} has enough in all for {pod.ref}, but not aligned on one NUMA node as its topology manager "
            "demands, which the scheduler does not see."
        )
    if reason == "UnexpectedAdmissionError" and _MANAGERS.search(pod.status.message):
        return (
            f"Node {node} has no exclusive CPUs or NUMA memory left for {pod.ref}: the scheduler counts totals, the "
            "kubelet's CPU and memory managers count what can be pinned."
        )
    return ""


def _numbers(pod: Pod) -> str:
    found = _NUMBERS.search(pod.status.message)
    if found is None:
        return ""
    scale = 1000 if found[1] == "cpu" else 1  # the kubelet counts CPU in thousandths
    requested, used, capacity = (show(found[1], Fraction(int(n), scale)) for n in found.groups()[1:])
    return f" (requested {requested}, used {used} of {capacity})"
