"""default-scheduler-not-running: kube-scheduler itself is down, hung or not doing its work for the whole cluster.

What it means
    The Pod waits for the cluster's own scheduler, and that one does not work. Every new Pod of the cluster waits in
    the same way until kube-scheduler works again.

How it is recognised
    spec.schedulerName is default-scheduler and the Pod is older than a scheduler's normal latency, with no condition
    PodScheduled or an old one. Proved when the Lease kube-system/kube-scheduler is past its duration or given back
    and no Pod that could be looked up was bound since; likely when the Lease could not be read or is renewed, and
    other Pods wait in the same way; proved again where at least one other Pod was never looked at either, and all bound
    Pods and Events were read and none is newer. Nothing is said where a Pod was bound after this one was made.

What to do
    On the control plane: look at the kube-scheduler Pod or unit and its log, and restart it. On a managed control
    plane: open a ticket with the provider and give them this proof.

Limits
    On a managed control plane neither Pod nor log can be read. A scheduler that renews its Lease but does nothing
    is seen only by what it leaves undone. A Pod whose ResourceClaim or PodGroup does not exist yet is left waiting
    in the same silence by a healthy scheduler (PreEnqueue of DynamicResources and GangScheduling).

References
    Lease coordination.k8s.io/v1; Pod status.conditions (core/v1);
    https://kubernetes.io/docs/reference/command-line-tools-reference/kube-scheduler/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_scheduler._words import judged, lease_citations, waited
from whypending.classifiers.words import kubectl, names, plural
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, Gap, seen
from whypending.inventory.excluded import default_is_silent
from whypending.inventory.found import schedulers_in, worked_since
from whypending.inventory.leases import certainty, default_lease, ends, is_held
from whypending.inventory.process import DEFAULT
from whypending.objects.node import Lease
from whypending.objects.pod import Pod
from whypending.triage import waits_for_binding, was_refused

CAUSE = Cause("WP111", "default-scheduler-not-running", Triage.NO_SCHEDULER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod is the default scheduler's, and nothing shows that this one works."""
    pod = evidence.the_pod
    if pod is None or pod.scheduler_name != DEFAULT:
        return
    lease = default_lease(evidence)
    dead = lease is not None and not is_held(evidence, lease)
    since_when = (ends(lease) or lease.spec.renew_time) if lease and dead else pod.metadata.creation_timestamp
    if worked_since(evidence, DEFAULT, since_when):
        return
    others = untouched_pods(evidence)
    yield CAUSE.finding(
        _message(evidence, pod, lease, len(others)),
        confidence=_confidence(evidence, pod, lease, others),
        citations=_proof(pod, lease, others),
        remedies=_remedies(evidence),
    )


def untouched_pods(evidence: Evidence) -> tuple[Pod, ...]:
    """Other Pods of the default scheduler that have no node, no PodScheduled condition and no gate."""
    return tuple(
        p
        for p in seen(evidence.waiting)
        if p.scheduler_name == DEFAULT and p.condition("PodScheduled") is None and not p.spec.scheduling_gates
    )


def _message(evidence: Evidence, pod: Pod, lease: Lease | None, others: int) -> str:
    too = f"; {plural(others, 'other Pod waits', 'other Pods wait')} in the same way" if others else ""
    how = f"has not looked at {pod.ref}{waited(pod, evidence)}"
    if lease is None:
        return f"kube-scheduler {how}{too}."
    if is_held(evidence, lease):
        return f"kube-scheduler {how} although its Lease is renewed{too}."
    head = "kube-scheduler does not work: nobody renews its Lease"
    if was_refused(pod, evidence):
        return f"{head}, so its old verdict on {pod.ref} stands{too}."
    if waits_for_binding(pod, evidence):
        return f"{head}, so nobody goes on with {pod.ref}, for which it had chosen a node{too}."
    return f"{head}, and it {how}{too}."


def _confidence(evidence: Evidence, pod: Pod, lease: Lease | None, others: tuple[Pod, ...]) -> Confidence:
    if lease is not None and not is_held(evidence, lease):
        return Confidence.LIKELY if isinstance(evidence.served, Gap) else certainty(evidence, lease)
    if default_is_silent(evidence):
        return Confidence.PROVED
    if others or (lease is None and not pod.spec.resource_claims):
        return Confidence.LIKELY
    return Confidence.POSSIBLE


def _proof(pod: Pod, lease: Lease | None, others: tuple[Pod, ...]) -> Iterator[Citation]:
    yield judged(pod)
    if lease is not None:
        yield from lease_citations(lease)
    if others:
        value = f"{len(others)}: {names(p.ref for p in others)}"
        yield Citation(object="the cluster", field="Pods without a PodScheduled condition", value=value)


def _remedies(evidence: Evidence) -> Iterator[Remedy]:
    own = [p for s in schedulers_in(evidence) if s.is_default for p in s.pods]
    if own:
        yield look("Read the scheduler's log.", kubectl(own[0].namespace, "logs", own[0].name, "--tail=50"))
        where = f"Node {own[0].spec.node_name}" if own[0].spec.node_name else "the control plane"
        yield change(f"Restart kube-scheduler on {where}: move its manifest out of /etc/kubernetes/manifests and back.")
        return
    yield look(
        "See whether kube-scheduler runs on the control plane and what its log says last.",
        "kubectl -n kube-system get pods -l component=kube-scheduler -o wide",
    )
    yield change("Restart kube-scheduler on the control plane; on a managed one, send the provider this report.")
