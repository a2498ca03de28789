"""controller-not-running: the workload was changed or made, and its controller has not acted on it.

What it means
    Between a workload and its Pods stands a controller, mostly kube-controller-manager. It does not work, or it leaves
    this object to somebody else.

How it is recognised
    `metadata.generation` is ahead of `status.observedGeneration`, or a workload older than a minute has no status at
    all. Likely, as an object that was changed a moment ago looks the same. A Job with `spec.managedBy` waits for that
    controller.

What to do
    See whether kube-controller-manager runs and holds its Lease; for `managedBy`, the named controller.

Limits
    When the last change was made stands only in managedFields, which are not read.

References
    metadata.generation and status.observedGeneration (apps/v1); batch/v1 spec.managedBy;
    https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import field_citation, kubectl, since
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.workload import Workload, WorkloadStatus
from whypending.triage import age_of

CAUSE = Cause("WP518", "controller-not-running", Triage.NO_POD)

_NORMAL = timedelta(minutes=1)
_BUILT_IN = "kubernetes.io/job-controller"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The first workload of the chain that nobody has acted on."""
    for workload in seen(evidence.owners):
        behind = _behind(workload) or _untouched(workload, evidence)
        if behind is None or age_of(workload.metadata.creation_timestamp, evidence.now) < _NORMAL:
            continue
        message, citation = behind
        other = workload.spec.managed_by if workload.spec.managed_by not in {None, _BUILT_IN} else None
        who = f"the controller {other}" if other else "its controller (in kube-controller-manager)"
        yield CAUSE.finding(
            f"{workload.ref} {message}: {who} is not acting.",
            confidence=Confidence.LIKELY,
            citations=(
                citation,
                field_citation(workload, "metadata.generation", workload.metadata.generation),
                *([field_citation(workload, "spec.managedBy", other)] if other else []),
            ),
            remedies=(
                look(f"See why the controller that spec.managedBy names ({other}) does not take this Job.")
                if other
                else look(
                    "See who holds the controller manager's Lease and when it was renewed.",
                    kubectl("kube-system", "get", "lease", "kube-controller-manager", "-o", "yaml"),
                ),
            ),
        )
        return


def _behind(workload: Workload) -> tuple[str, Citation] | None:
    generation, observed = workload.metadata.generation, workload.status.observed_generation
    if generation is None or observed is None or observed >= generation:
        return None
    message = f"was changed (generation {generation}) and the change was not taken up (observedGeneration {observed})"
    return message, field_citation(workload, "status.observedGeneration", observed)


def _untouched(workload: Workload, evidence: Evidence) -> tuple[str, Citation] | None:
    """No status at all, although it was made long enough ago and wants Pods."""
    made = workload.metadata.creation_timestamp
    if workload.metadata.generation is None or made is None or workload.status != WorkloadStatus():
        return None
    if workload.kind == "CronJob" or workload.spec.suspend or workload.wanted == 0:
        return None
    message = f"was made {since(made, evidence.now)} ago and has no status"
    return message, field_citation(workload, "status", "{}")
