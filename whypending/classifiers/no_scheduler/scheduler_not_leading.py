"""scheduler-not-leading: the right scheduler runs but has not got its leader lease, so it schedules nothing.

What it means
    A scheduler that serves the Pod's schedulerName is there, but its Lease is held by somebody else or by nobody.
    Until it leads it does nothing, and looks healthy all the same.

How it is recognised
    Its Lease names a holder that is none of its Pods, or no holder at all, or is not there beside other Leases.
    Proved on a live cluster where the Lease's name is from flags, or from a ConfigMap that was last written before the
    process began. Likely where its Lease was not read and its log ends in waiting for it. Possible where one of its
    Pods is Ready and neither is known. Not said where it bound a Pod since.

What to do
    Read its log for the lease it waits for; then free the Lease, correct its name, or mend the rights to it.

Limits
    With hostNetwork the holder carries the machine's name: a healthy leader is then told from a foreign one only by its
    LeaderElection Event, or as the Lease was taken before the process began.

References
    Lease spec.holderIdentity (coordination.k8s.io/v1); client-go leaderelection
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._logs import LEADS, hits, logs_of, short
from whypending.classifiers.no_scheduler._refusals import FORBIDDEN, NEEDS
from whypending.classifiers.no_scheduler._words import judged
from whypending.classifiers.words import field_citation, kubectl, resource
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, LogLine, is_known, seen
from whypending.inventory.found import Scheduler, is_certain, serving, works
from whypending.inventory.leases import is_held, is_own, lease_of
from whypending.inventory.process import DEFAULT, flags_of
from whypending.objects.node import Lease
from whypending.objects.pod import Pod
from whypending.scheduler_logs import waits_for_lease

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
            yield _absent(pod, scheduler, scheduler.lease, sure=is_certain(scheduler) and evidence.as_served)
        elif (line := _waits(evidence)) is not None:
            proof = Citation(object=f"log {short(line.origin)}", field=f"line {line.number}", value=line.text.strip())
            yield _finding(pod, scheduler, "its log ends in waiting for the Lease", Confidence.LIKELY, proof)
        elif _may_wait(evidence, scheduler):
            yield _silent(pod, scheduler)


def _waits(evidence: Evidence) -> LogLine | None:
    """The line with which every log that is surely its own began to wait; None where one tells why, or came to lead."""
    if hits(evidence, FORBIDDEN, LEADS, *NEEDS):
        return None
    found = [waits_for_lease(log.lines) for log in logs_of(evidence) if log.is_sure]
    return found[0] if found and None not in found else None


def _by_holder(evidence: Evidence, pod: Pod, scheduler: Scheduler, lease: Lease) -> Iterator[Finding]:
    holder = lease.spec.holder_identity
    own = is_own(evidence, scheduler, lease)
    if (holder and not is_held(evidence, lease)) or own:
        return
    if own is None and holder and lease.name != "kube-scheduler":
        return
    whose = f"is held by {holder}" if holder else "is held by nobody"
    proof = field_citation(lease, "spec.holderIdentity", holder or "empty", lease.spec.renew_time)
    sure = own is False and bool(scheduler.pods) and is_certain(scheduler) and evidence.as_served
    yield _finding(pod, scheduler, f"its {lease.ref} {whose}", Confidence.PROVED if sure else Confidence.LIKELY, proof)


def _is_absent(evidence: Evidence, path: tuple[str, str]) -> bool:
    """All Leases were read, or those of that namespace, and this one is not among them."""
    whole = evidence.as_served and is_known(evidence.leases) and not evidence.partly
    return whole or any(x.namespace == path[0] for x in seen(evidence.leases))


def _absent(pod: Pod, scheduler: Scheduler, path: tuple[str, str], *, sure: bool) -> Finding:
    proof = Citation(object=f"Lease {path[0]}/{path[1]}", field="metadata.name", value="there is none of that name")
    told = f"the Lease that it needs, {path[0]}/{path[1]}, does not exist"
    return _finding(pod, scheduler, told, Confidence.PROVED if sure else Confidence.LIKELY, proof)


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
