"""scheduling-gate-unresolved: spec.schedulingGates still holds a gate that nobody has removed.

What it means
    The Pod is held on purpose. No scheduler looks at it until the controller that put each gate there takes it away.

How it is recognised
    `spec.schedulingGates` is not empty: proved by the Pod alone. The condition PodScheduled=False/SchedulingGated is
    written by the API server. Who removes a gate is known for Kueue, Volcano, Grove and OpenShift's multiarch operator;
    else the domain in its name tells whose it is.

What to do
    Look at what the gate's owner says of this Pod. Taking the gate off by hand only helps where its owner is gone.

Limits
    Why the owner keeps it is known only where its objects were read (Kueue's Workload, Volcano's PodGroup).

References
    https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/;
    pkg/registry/core/pod/strategy.go (v1.37); https://kueue.sigs.k8s.io/docs/tasks/run/plain_pods/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.held._kueue import condition, is_absent, waiting_checks, workload_of
from whypending.classifiers.words import condition_citation, field_citation, kubectl, names, since
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod

CAUSE = Cause("WP201", "scheduling-gate-unresolved", Triage.HELD)

_REMOVERS = {
    "kueue.x-k8s.io/admission": "Kueue, when it admits the Pod's Workload",
    "kueue.x-k8s.io/topology": "Kueue, when it has chosen the topology domain",
    "kueue.x-k8s.io/elastic-job": "Kueue, when it admits the Job's new slice",
    "scheduling.volcano.sh/queue-allocation-gate": "Volcano, when the queue has room",
    "grove.io/podgang-pending-creation": "Grove, when the PodGang is there",
    "multiarch.openshift.io/scheduling-gate": "the multiarch tuning operator, when it knows the image's architectures",
}


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each gate, and who takes it away."""
    pod = evidence.the_pod
    gates = tuple(g.name for g in pod.spec.scheduling_gates) if pod else ()
    if pod is None or not gates:
        return
    noun = "scheduling gate" if len(gates) == 1 else "scheduling gates"
    who = names(f"{gate} (removed by {_remover(gate)})" for gate in gates)
    age = since(pod.metadata.creation_timestamp, evidence.now)
    yield CAUSE.finding(
        f"{pod.ref} has been held for {age} by the {noun} {who}{_state(evidence)}.",
        citations=tuple(_citations(evidence, pod)),
        remedies=tuple(_remedies(evidence, pod, gates)),
    )


def _remover(gate: str) -> str:
    domain, slash, _ = gate.partition("/")
    return _REMOVERS.get(gate) or (f"the controller of {domain}" if slash else "whoever put it there")


def _state(evidence: Evidence) -> str:
    """That Kueue is not there, or what its Workload says beyond quota: deactivated, or waiting for admission checks."""
    if is_absent(evidence):
        return "; Kueue is not installed, so nothing will remove it"
    workload = workload_of(evidence)
    if workload is None:
        return ""
    if workload.spec.get("active") is False:
        return f"; its Workload {workload.name} is deactivated (spec.active: false)"
    reserved = condition(workload, "QuotaReserved")
    checks = waiting_checks(workload)
    if reserved is not None and reserved.status == "True" and checks:
        return f"; quota is reserved, but it waits for admission check {names(checks)}"
    return ""


def _citations(evidence: Evidence, pod: Pod) -> Iterator[Citation]:
    for index, gate in enumerate(pod.spec.scheduling_gates):
        yield field_citation(pod, f"spec.schedulingGates[{index}].name", gate.name)
    scheduled = pod.condition("PodScheduled")
    if scheduled is not None:
        yield condition_citation(pod, scheduled)
    workload = workload_of(evidence)
    for type_ in ("QuotaReserved", "Admitted"):
        found = condition(workload, type_)
        if workload is not None and found is not None:
            yield condition_citation(workload, found)


def _remedies(evidence: Evidence, pod: Pod, gates: tuple[str, ...]) -> Iterator[Remedy]:
    namespace = pod.namespace
    if any(g.startswith("kueue.x-k8s.io/") for g in gates) and not is_absent(evidence):
        yield look("See what Kueue says.", kubectl(namespace, "get", "workloads.kueue.x-k8s.io", "-o", "wide"))
        return
    if any("volcano.sh/" in g for g in gates):
        yield look("See what Volcano says.", kubectl(namespace, "describe", "podgroups.scheduling.volcano.sh"))
        return
    yield look("Look whether the controller of that gate runs.", kubectl("", "get", "pods", "-A"))
    patch = '[{"op":"remove","path":"/spec/schedulingGates"}]'
    yield change(
        "Only if the gate's owner is gone for good, take the gates off the Pod.",
        kubectl(namespace, "patch", "pod", pod.name, "--type=json", "-p", patch),
        patch=patch,
    )
