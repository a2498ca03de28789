"""stale-unschedulable-condition: PodScheduled=False/Unschedulable is old and no longer true.

What it means
    What the condition complains of has been mended since, and the Pod still waits. Either the scheduler tries again
    within minutes, or it does not look at the Pod any more.

How it is recognised
    Every reason of the verdict is contradicted by the objects as they are now: the claim exists or is bound, nodes
    are there, a node is open to the Pod (labels, taints, cordon). Likely where no attempt was seen for ten minutes,
    possible otherwise.

What to do
    Wait five minutes for the next attempt. If it does not come, look at the scheduler (its Lease, its log) and touch
    the Pod.

Limits
    Resources, ports, affinity and spread are not recomputed, so a verdict with one of those is never called stale.

References
    kube-scheduler scheduling queue; Pod condition PodScheduled.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._nominated import since_verdict
from whypending.classifiers.unschedulable._refuted import refuted
from whypending.classifiers.unschedulable._told import is_stale
from whypending.classifiers.unschedulable._verdict import verdict_of
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Confidence, Finding, Role, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP339", "stale-unschedulable-condition", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    pod, verdict = evidence.the_pod, verdict_of(evidence)
    gone = refuted(evidence)
    if pod is None or verdict is None or not gone:
        return
    age = since_verdict(evidence, verdict)
    old = is_stale(evidence)
    when = f" {int(age.total_seconds() // 60)} minutes ago" if age is not None else ""
    where = f"-n {shlex.quote(pod.namespace)}"
    yield CAUSE.finding(
        sentence(f"The refusal of {pod.ref}{when} does not hold any more: {' and '.join(gone)}"),
        confidence=Confidence.LIKELY if old else Confidence.POSSIBLE,
        role=Role.CAUSE if old else Role.CONTRIBUTING,
        citations=verdict.citations,
        remedies=(
            look("Wait for the next attempt and look again.", f"kubectl {where} get pod {shlex.quote(pod.name)} -w"),
            change(
                "If none comes within five minutes, touch the Pod so that the scheduler queues it again.",
                f"kubectl {where} label pod {shlex.quote(pod.name)} retry=1 --overwrite",
            ),
        ),
    )
