"""pod-creation-rejected: the API server refuses to create the workload's Pods.

What it means
    The controller asks for Pods and is told no, so there is no Pod to look at. The reason is on the workload,
    not in any Pod list.

How it is recognised
    `status.conditions[type=ReplicaFailure]` is True on the Deployment or its ReplicaSet, or the newest Event about
    the workload is `FailedCreate` (`Error creating: …`, `create Pod … in StatefulSet … failed error: …`) with no
    `SuccessfulCreate` after it. Both are the API server's own words as the controller got them: proved.
    A ReplicaSet's condition keeps the first message, so a newer Event is believed before it.

What to do
    Read the quoted refusal; a more exact finding follows where its wording is known. The controller tries again by
    itself, at most about every 17 minutes; after a fix `kubectl rollout restart` makes it try at once.

Limits
    Event aggregation can hide all but the newest wording. Refusals that expired and left no condition (StatefulSet,
    DaemonSet, Job) can't be seen an hour later.

References
    apps/v1 ReplicaSet and Deployment status.conditions; kube-controller-manager, pkg/controller/controller_utils.go
    and statefulset/stateful_pod_control.go (v1.37).
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_pod._refusal import refusal, shortfall
from whypending.classifiers.words import kubectl, resource, sentence
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP501", "pod-creation-rejected", Triage.NO_POD)

_MAKES = {"jobs": "its Job", "persistentvolumeclaims": "a claim of its Pod", "replicasets": "its ReplicaSet"}


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The controller's words, whole."""
    found = refusal(evidence)
    if found is None:
        return
    workload, target = found.workload, found.target
    what = _MAKES.get(found.resource, "its Pods")
    by = "" if target.ref == workload.ref else f" (by {workload.kind} {workload.name})"
    yield CAUSE.finding(
        f"{target.ref} {shortfall(target)}, because creating {what}{by} is refused: {sentence(found.text)}",
        citations=found.citations,
        remedies=(
            look(
                "See each attempt in the Events of the object that creates.",
                kubectl(workload.namespace, "describe", resource(workload)),
            ),
        ),
    )
