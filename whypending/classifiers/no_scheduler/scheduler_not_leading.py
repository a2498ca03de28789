"""scheduler-not-leading: the right scheduler runs but has not got its leader lease, so it schedules nothing.

What it means
    A scheduler that serves the Pod's schedulerName is there, but its Lease is held by somebody else or by nobody.
    Until it leads it does nothing, and looks healthy all the same.

How it is recognised
    Its Lease names a holder that is none of its Pods, or no holder at all, or is not there beside other Leases.
    Possible where one of its Pods is Ready and its Lease is not known. Not said where it bound a Pod since.

What to do
    Read its log for the lease it waits for; then free the Lease, correct its name, or mend the rights to it.

Limits
    With hostNetwork the holder carries the machine's name, so a healthy leader can't be told from a foreign one.
    The Lease's name is from a ConfigMap that the process may not have loaded: hence never more than likely.

References
    Lease spec.holderIdentity (coordination.k8s.io/v1); client-go leaderelection
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._found import Scheduler, judged, serving, works
from whypending.classifiers.no_scheduler._lease import holds, is_held, lease_of
from whypending.classifiers.no_scheduler._process import DEFAULT, flags_of
from whypending.classifiers.words import field_citation, kubectl, resource
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.node import Lease
from whypending.objects.pod import Pod

CAUSE = Cause(
    "WP102",
    "scheduler-not-leading",
    Triage.NO_SCHEDULER,
    explained_by=(
        "scheduler-shares-lease",
        "scheduler-lease-rbac",
        "scheduler-rbac",
        "scheduler-auth-failed",
        "scheduler-crashloop",
        "scheduler-scaled-to-zero",
        "scheduler-self-dependency",
        "scheduler-lease-expired",
    ),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The Pod's scheduler is found and its Lease is not its own."""
    pod = evidence.the_pod
    if pod is None or pod.scheduler_name == DEFAULT or works(evidence):
        return
    for scheduler in serving(evidence, pod.scheduler_name):
        lease = lease_of(evidence, scheduler)
        if lease is not None:
            yield from _by_holder(evidence, pod, scheduler, lease)
        elif scheduler.lease and _is_absent(evidence, scheduler.lease):
            yield _absent(pod, scheduler, scheduler.lease)
        elif _may_wait(evidence, scheduler):
            yield _silent(pod, scheduler)


def _by_holder(evidence: Evidence, pod: Pod, scheduler: Scheduler, lease: Lease) -> Iterator[Finding]:
    holder = lease.spec.holder_identity
    if (holder and not is_held(evidence, lease)) or holds(scheduler, lease):
        return
    if scheduler.on_host_network and holder and lease.name != "kube-scheduler":
        return
    whose = f"is held by {holder}" if holder else "is held by nobody"
    proof = field_citation(lease, "spec.holderIdentity", holder or "empty", lease.spec.renew_time)
    yield _finding(pod, scheduler, f"its {lease.ref} {whose}", Confidence.LIKELY, proof)


def _is_absent(evidence: Evidence, path: tuple[str, str]) -> bool:
    """Leases of that namespace were read, and this one is not among them."""
    return any(x.namespace == path[0] for x in seen(evidence.leases))


def _absent(pod: Pod, scheduler: Scheduler, path: tuple[str, str]) -> Finding:
    proof = Citation(object=f"Lease {path[0]}/{path[1]}", field="metadata.name", value="there is none of that name")
    told = f"the Lease that it needs, {path[0]}/{path[1]}, does not exist"
    return _finding(pod, scheduler, told, Confidence.LIKELY, proof)


def _may_wait(evidence: Evidence, scheduler: Scheduler) -> bool:
    """Up, its Lease not known, nothing said of its logs, and leader election not turned off."""
    off = flags_of(scheduler.template).get("leader-elect", ("",))[-1] == "false"
    off = off or (scheduler.configuration is not None and scheduler.configuration.lease is None)
    return bool(scheduler.is_up) and not off and not seen(evidence.logs)


def _silent(pod: Pod, scheduler: Scheduler) -> Finding:
    return CAUSE.finding(
        f'{scheduler.owner.ref} runs and should serve "{pod.scheduler_name}", but has not looked at {pod.ref}: '
        "it may lack its Lease, which is not known here.",
        confidence=Confidence.POSSIBLE,
        citations=[judged(pod)],
        remedies=[_log_of(scheduler)],
    )


def _finding(pod: Pod, scheduler: Scheduler, told: str, confidence: Confidence, proof: Citation) -> Finding:
    return CAUSE.finding(
        f'{scheduler.owner.ref} serves "{pod.scheduler_name}" but does not lead: {told}.',
        confidence=confidence,
        citations=[proof],
        remedies=[_log_of(scheduler)],
    )


def _log_of(scheduler: Scheduler) -> Remedy:
    command = kubectl(scheduler.owner.namespace, "logs", resource(scheduler.owner), "--tail=50")
    return look("Read its log: it says which Lease it waits for.", command)
