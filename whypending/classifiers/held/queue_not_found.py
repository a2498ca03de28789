"""queue-not-found: the queue that the Pod or Job names does not exist in the queueing system.

What it means
    The queueing system holds the Pod for a queue that is not there, so it holds it for ever.

How it is recognised
    Kueue: the label `kueue.x-k8s.io/queue-name` names a LocalQueue that is not among those of the namespace, or whose
    `spec.clusterQueue` does not exist, or the Workload's QuotaReserved condition says `… doesn't exist`: proved.
    Volcano: `spec.queue` of the PodGroup is not among the Queues: proved. Where no LocalQueue could be read and the
    Pod is held by Kueue's gate, it is only possible.

What to do
    Correct the queue's name, or create the queue.

Limits
    LocalQueues belong to a namespace: one of the same name elsewhere does not count.

References
    https://kueue.sigs.k8s.io/docs/concepts/local_queue/; Kueue pkg/controller/core/workload_controller.go;
    https://volcano.sh/en/docs/queue/
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.held._kueue import (
    cluster_queue,
    cluster_queue_of,
    condition,
    is_absent,
    local_queue,
    queue_of,
    workload_of,
)
from whypending.classifiers.held._volcano import pod_group, queue_name
from whypending.classifiers.words import condition_citation, field_citation, kubectl, names, owning_workload, resource
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, Gap, is_known, seen
from whypending.patterns import Pattern

CAUSE = Cause("WP202", "queue-not-found", Triage.HELD, refines=("scheduling-gate-unresolved", "job-suspended-by-queue"))

_MISSING = Pattern(r"(?P<kind>LocalQueue|ClusterQueue) (?P<name>\S*) doesn't exist")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Kueue's queues, then Volcano's."""
    name, citation = queue_of(evidence)
    if name and citation is not None:
        yield from _kueue(evidence, name, citation)
    yield from _volcano(evidence)


def _kueue(evidence: Evidence, name: str, citation: Citation) -> Iterator[Finding]:
    namespace = evidence.target.namespace
    who = citation.object
    workload = workload_of(evidence)
    reserved = condition(workload, "QuotaReserved")
    said = _MISSING.search(reserved.message) if reserved and reserved.status != "True" else None
    queue = local_queue(evidence, namespace, name)
    behind = cluster_queue_of(queue)
    words = (condition_citation(workload, reserved),) if workload and reserved and said else ()
    if queue is None and (is_known(evidence.local_queues) or (said and said["kind"] == "LocalQueue")):
        message = f"LocalQueue {namespace}/{name}, which {who} names, does not exist, so Kueue never admits it."
        yield CAUSE.finding(message, citations=(citation, *words), remedies=_local(evidence, namespace, name))
    elif queue is not None and behind and cluster_queue(evidence, behind) is None:
        if is_known(evidence.cluster_queues) or said:
            yield CAUSE.finding(
                f"ClusterQueue {behind}, to which LocalQueue {namespace}/{name} of {who} leads, does not exist.",
                citations=(citation, field_citation(queue, "spec.clusterQueue", behind), *words),
                remedies=(look("See which ClusterQueues there are.", kubectl("", "get", "clusterqueues")),),
            )
    elif queue is None and workload is None and _is_unread(evidence):
        yield CAUSE.finding(
            f"{who} waits for LocalQueue {namespace}/{name}, which possibly does not exist: no LocalQueue was read.",
            confidence=Confidence.POSSIBLE,
            citations=(citation,),
            remedies=_local(evidence, namespace, name),
        )


def _is_unread(evidence: Evidence) -> bool:
    """LocalQueues could not be looked at; where Kueue is not installed at all, its queues are not the news."""
    return isinstance(evidence.local_queues, Gap) and not is_absent(evidence)


def _local(evidence: Evidence, namespace: str, name: str) -> tuple[Remedy, ...]:
    here = [q.name for q in seen(evidence.local_queues) if q.namespace == namespace]
    near = get_close_matches(name, here, 1) or here
    item = owning_workload(evidence)
    see = look("See which LocalQueues the namespace has.", kubectl(namespace, "get", "localqueues"))
    if item is None:
        return (see,)
    use = f" ({names(near)})" if near else ""
    label = f"kueue.x-k8s.io/queue-name={near[0]}" if len(near) == 1 else ""
    words = ("label", resource(item), label, "--overwrite") if label else ("edit", resource(item))
    if item.kind == "Pod":
        return (see, look(f"Create the LocalQueue, or create the Pod anew with the right queue{use}."))
    return (see, change(f"Create the LocalQueue, or give {item.ref} the right queue{use}.", kubectl(namespace, *words)))


def _volcano(evidence: Evidence) -> Iterator[Finding]:
    group = pod_group(evidence)
    name = queue_name(group)
    if group is None or not is_known(evidence.volcano_queues) or not name:
        return
    if any(q.name == name for q in seen(evidence.volcano_queues)):
        return
    there = names(q.name for q in seen(evidence.volcano_queues)) or "none"
    yield CAUSE.finding(
        f"Volcano has no Queue {name}, which {group.ref} names (there is {there}).",
        citations=(field_citation(group, "spec.queue", name),),
        remedies=(look("See the Queues.", kubectl("", "get", "queues.scheduling.volcano.sh")),),
    )
