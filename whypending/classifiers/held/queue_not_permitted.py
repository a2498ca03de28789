"""queue-not-permitted: the queue exists, but it takes nothing from this namespace, or nothing at all now.

What it means
    The administrators of the queue have closed it, stopped it, or opened it only to other namespaces.

How it is recognised
    Kueue: the Workload's QuotaReserved condition says `… namespace doesn't match ClusterQueue selector` or
    `… is inactive`, or the LocalQueue or ClusterQueue has a `spec.stopPolicy` other than None. Volcano: the Queue's
    `status.state` is Closed or Closing. Proved by those objects.

What to do
    Use a queue that is open to the namespace, or have its administrator open it.

Limits
    Labels of the Namespace are not read, so a namespaceSelector is believed to Kueue's own words.

References
    https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#namespace-selector; #stoppolicy;
    https://volcano.sh/en/docs/queue/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.held._kueue import (
    cluster_queue,
    cluster_queue_of,
    condition,
    local_queue,
    queue_of,
    workload_of,
)
from whypending.classifiers.held._volcano import pod_group
from whypending.classifiers.held._volcano import queue_of as volcano_queue
from whypending.classifiers.words import condition_citation, field_citation, kubectl
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.base import CustomObject
from whypending.patterns import Pattern

CAUSE = Cause(
    "WP203", "queue-not-permitted", Triage.HELD, refines=("scheduling-gate-unresolved", "job-suspended-by-queue")
)

_MISMATCH = Pattern(r"namespace doesn't match ClusterQueue selector", re.IGNORECASE)
_INACTIVE = Pattern(r"(?P<queue>(?:Local|Cluster)Queue \S+) is inactive")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Kueue's own words, then stopped queues, then Volcano's state."""
    name, citation = queue_of(evidence)
    if name and citation is not None:
        yield from _kueue(evidence, name, citation)
    queue, group = volcano_queue(evidence), pod_group(evidence)
    state = str(queue.status.get("state") or "") if queue else ""
    if queue is not None and group is not None and state in {"Closed", "Closing"}:
        yield CAUSE.finding(
            f"Volcano's Queue {queue.name} is {state.lower()}, so it takes no new Pods of {group.ref}.",
            citations=(field_citation(queue, "status.state", state),),
            remedies=(look("Ask its owner to open it.", f"vcctl queue operate -n {quote(queue.name)} -a open"),),
        )


def _kueue(evidence: Evidence, name: str, citation: Citation) -> Iterator[Finding]:
    namespace, who = evidence.target.namespace, citation.object
    queue = local_queue(evidence, namespace, name)
    behind = cluster_queue_of(queue)
    to = f"ClusterQueue {behind}" if behind else f"the ClusterQueue of LocalQueue {namespace}/{name}"
    workload = workload_of(evidence)
    reserved = condition(workload, "QuotaReserved")
    words = reserved.message if workload and reserved and reserved.status != "True" else ""
    proof = (condition_citation(workload, reserved),) if workload and reserved else ()
    if _MISMATCH.search(words):
        selector = kubectl("", "get", "clusterqueue", behind, "-o", "yaml") if behind else ""
        yield CAUSE.finding(
            f"{to[0].upper()}{to[1:]} takes nothing from namespace {namespace}: its namespaceSelector does not match, "
            f"so {who} waits.",
            citations=(citation, *proof),
            remedies=(look("Compare its namespaceSelector with the labels of the namespace.", selector),),
        )
        return
    stopped = _stopped((queue, cluster_queue(evidence, behind)))
    said = _INACTIVE.search(words)
    if stopped is None and said is None:
        return
    which = stopped.object if stopped else said["queue"] if said else ""
    policy = f" (stopPolicy {stopped.value})" if stopped else ""
    yield CAUSE.finding(
        f"{which} is stopped{policy}, so Kueue admits nothing through it and {who} waits.",
        citations=(citation, *((stopped,) if stopped else proof)),
        remedies=(look("See why it is inactive.", kubectl(namespace, "describe", "localqueue", name)),),
    )


def _stopped(queues: tuple[CustomObject | None, ...]) -> Citation | None:
    """The first that is stopped by its policy."""
    for queue in queues:
        policy = str(queue.spec.get("stopPolicy") or "None") if queue else "None"
        if queue is not None and policy != "None":
            return field_citation(queue, "spec.stopPolicy", policy)
    return None
