"""platform-unsupported-pod-spec: a serverless or virtual platform refuses the Pod's spec.

What it means
    The Pod was sent to a platform such as Fargate, whose nodes are made for one Pod each and do not support some
    fields: privileged containers, hostPort, certain volumes, DaemonSets.

How it is recognised
    `Pod not supported on Fargate: …` and its kin in the verdict: proved. The fields that the platform names are
    repeated.

What to do
    Remove those fields, or keep the Pod off the platform (namespace or labels of its profile) and run it on nodes.

Limits
    The platform names the first obstacle it meets; more may follow.

References
    AWS "Fargate Pod configuration"; the platform's own Event.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.unschedulable._owner import edited
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP334", "platform-unsupported-pod-spec", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    scheduler = this.pod.scheduler_name
    yield CAUSE.finding(
        sentence(
            f"The platform behind {scheduler} does not support the spec of {this.pod.ref}: {this.words}{this.tail}"
        ),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, Citation(object=this.pod.ref, field="spec.schedulerName", value=scheduler)),
        remedies=(
            edited(evidence, this.pod, "Remove what the platform does not support"),
            change(
                "Or keep the Pod off the platform: change the profile that selects it, and run it on ordinary nodes."
            ),
        ),
    )
