"""default-scheduler-not-running: kube-scheduler itself is down, hung or not doing its work for the whole cluster.

What it means
    The Pod waits for the cluster's own scheduler, and that one has not judged it. Every new Pod of the cluster
    waits in the same way until kube-scheduler works again.

How it is recognised
    spec.schedulerName is default-scheduler, the condition PodScheduled is absent and the Pod is older than a
    scheduler's normal latency. Proved when the Lease kube-system/kube-scheduler is past its duration or not held;
    likely when other Pods wait in the same way and none was bound since.

What to do
    On the control plane: look at the kube-scheduler Pod or unit and its log, and restart it. On a managed control
    plane: open a ticket with the provider and give them this proof.

Limits
    On a managed control plane neither Pod nor log can be read. A scheduler that renews its Lease but does nothing
    is seen only by what it leaves undone.

References
    Lease coordination.k8s.io/v1; Pod status.conditions (core/v1);
    https://kubernetes.io/docs/reference/command-line-tools-reference/kube-scheduler/
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_scheduler._found import DEFAULT, NEVER_JUDGED, default_lease, lease_citations
from whypending.classifiers.words import condition_citation, field_citation, names, plural, since
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.node import Lease
from whypending.objects.pod import Pod

CAUSE = Cause("WP111", "default-scheduler-not-running", Triage.NO_SCHEDULER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod is the default scheduler's, and nothing shows that this one works."""
    pod = evidence.the_pod
    if pod is None or pod.scheduler_name != DEFAULT:
        return
    lease = default_lease(evidence)
    dead = lease is not None and not lease.alive(evidence.now)
    untouched = untouched_pods(evidence)
    waited = since(pod.metadata.creation_timestamp, evidence.now)
    if lease is not None and not dead and bound_since(evidence, pod):
        return
    yield CAUSE.finding(
        _message(lease, waited, len(untouched), dead=dead),
        confidence=_confidence(lease, untouched, dead=dead),
        citations=_proof(pod, lease, untouched),
        remedies=_remedies(evidence),
    )


def untouched_pods(evidence: Evidence) -> tuple[Pod, ...]:
    """Other Pods of the default scheduler that have no node, no PodScheduled condition and no gate."""
    return tuple(
        p
        for p in seen(evidence.waiting)
        if p.scheduler_name == DEFAULT and p.condition("PodScheduled") is None and not p.spec.scheduling_gates
    )


def bound_since(evidence: Evidence, pod: Pod) -> bool:
    """The default scheduler bound some Pod after this one was made."""
    born = pod.metadata.creation_timestamp
    binds = [s.bound_at for s in seen(evidence.served) if s.scheduler_name == DEFAULT and s.bound_at]
    return born is not None and any(b > born for b in binds)


def _message(lease: Lease | None, waited: str, others: int, *, dead: bool) -> str:
    too = f"; {plural(others, 'other Pod waits', 'other Pods wait')} in the same way" if others else ""
    if dead:
        return (
            f"kube-scheduler is not running: nobody holds its Lease, and this Pod has waited {waited} untouched{too}."
        )
    alive = " although its Lease is renewed" if lease is not None else ""
    return f"kube-scheduler has not looked at this Pod in {waited}{alive}{too}."


def _confidence(lease: Lease | None, untouched: tuple[Pod, ...], *, dead: bool) -> Confidence:
    if dead:
        return Confidence.PROVED
    return Confidence.LIKELY if untouched or lease is None else Confidence.POSSIBLE


def _proof(pod: Pod, lease: Lease | None, untouched: tuple[Pod, ...]) -> Iterator[Citation]:
    scheduled = pod.condition("PodScheduled")
    if scheduled is None:
        yield field_citation(pod, "status.conditions[type=PodScheduled]", NEVER_JUDGED)
    else:
        yield condition_citation(pod, scheduled)
    if lease is not None:
        yield from lease_citations(lease)
    if untouched:
        value = f"{len(untouched)}: {names(p.ref for p in untouched)}"
        yield Citation(object="the cluster", field="Pods without a PodScheduled condition", value=value)


def _remedies(evidence: Evidence) -> Iterator[Remedy]:
    pods = [p for p in seen(evidence.scheduler_pods) if p.metadata.labels.get("component") == "kube-scheduler"]
    if pods:
        name = pods[0].name
        yield look("Read the scheduler's log.", f"kubectl -n {quote(pods[0].namespace)} logs {quote(name)} --tail=50")
        yield change(
            f"Restart kube-scheduler on Node {pods[0].spec.node_name or 'of the control plane'}: "
            "move its manifest out of /etc/kubernetes/manifests and back."
        )
        return
    yield look(
        "See whether kube-scheduler runs on the control plane and what its log says last.",
        "kubectl -n kube-system get pods -l component=kube-scheduler -o wide",
    )
    yield change("Restart kube-scheduler on the control plane; on a managed one, send the provider this report.")
