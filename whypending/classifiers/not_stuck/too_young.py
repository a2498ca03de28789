"""too-young: the Pod is younger than scheduling or starting normally takes.

What it means
    Nothing has failed; there was no time for it yet.

How it is recognised
    No node, no verdict and no Event, and created less than 20 seconds ago (a scheduler's fail-over takes up to
    leaseDurationSeconds, 15, and a retry). Or bound less than 30 seconds ago with containers that are only being
    created and no Warning. Proved by the times.

What to do
    Ask again when the time that is named has passed.

Limits
    Large images and slow volumes rightly take longer than 30 seconds; then the answer changes to what it waits for.

References
    Pod metadata.creationTimestamp, status.conditions[type=PodScheduled]; coordination.k8s.io Lease defaults.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import age, condition_citation, field_citation, kubectl
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.triage import SCHEDULING_LATENCY, START_LATENCY, is_too_young, is_well

CAUSE = Cause("WP605", "too-young", Triage.NOT_STUCK)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Its age, what is normal, and when to ask again."""
    pod = evidence.the_pod
    if pod is None or is_well(pod) or not is_too_young(pod, evidence):
        return
    start, proof = _since(pod)
    if start is None:
        return
    passed = max(evidence.now - start, timedelta())
    latency = START_LATENCY if pod.spec.node_name else SCHEDULING_LATENCY
    left = age(max(latency - passed, timedelta(seconds=1)))
    happened = f"got node {pod.spec.node_name}" if pod.spec.node_name else "was created"
    missing = "starting" if pod.spec.node_name else "scheduling"
    yield CAUSE.finding(
        f"{pod.ref} {happened} {age(passed)} ago and nothing has failed: {missing} can take {age(latency)}, "
        f"so ask again in {left}.",
        citations=(proof,),
        remedies=(look(f"Ask again in {left}, or watch it.", kubectl(pod.namespace, "get", "pod", pod.name, "-w")),),
    )


def _since(pod: Pod) -> tuple[datetime | None, Citation]:
    """From when the clock runs: the bind, else the creation."""
    scheduled = pod.condition("PodScheduled")
    if pod.spec.node_name and scheduled is not None and scheduled.last_transition_time is not None:
        return scheduled.last_transition_time, condition_citation(pod, scheduled)
    start = (pod.status.start_time if pod.spec.node_name else None) or pod.metadata.creation_timestamp
    field = (
        "status.startTime" if start == pod.status.start_time and pod.spec.node_name else "metadata.creationTimestamp"
    )
    return start, field_citation(pod, field, f"{start:%Y-%m-%dT%H:%M:%SZ}" if start else None, start)
