"""scaled-to-zero: the workload asks for zero replicas.

What it means
    Nobody asked for a Pod. Someone, or an autoscaler, set the number to 0.

How it is recognised
    `spec.replicas` is 0 (Deployment, ReplicaSet, StatefulSet), or `spec.parallelism` is 0 (Job): proved.

What to do
    Scale it up. If an autoscaler (KEDA, an idler, a scale-down job) set it, that one has to want Pods first.

Limits
    Who set the number stands only in managedFields and the audit log, which are not read.

References
    apps/v1 spec.replicas; batch/v1 spec.parallelism; https://kubernetes.io/docs/reference/kubectl/generated/kubectl_scale/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.words import field_citation, kubectl, resource
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence, seen

CAUSE = Cause("WP517", "scaled-to-zero", Triage.NO_POD)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The number, and how to change it."""
    workload = next(iter(seen(evidence.owners)), None)
    if workload is None or workload.wanted != 0 or workload.kind == "DaemonSet":
        return
    job = workload.kind == "Job"
    field = "spec.parallelism" if job else "spec.replicas"
    namespace, name = workload.namespace, resource(workload)
    up = (
        kubectl(namespace, "patch", name, "-p", '{"spec":{"parallelism":1}}')
        if job
        else kubectl(namespace, "scale", name, "--replicas=1")
    )
    yield CAUSE.finding(
        f"{workload.ref} has no Pod because it asks for none: {field} is 0.",
        citations=(field_citation(workload, field, 0),),
        remedies=(
            change("Ask for a Pod.", up),
            look(
                "If it falls back to 0, see which autoscaler or person sets it.",
                kubectl(namespace, "get", name, "-o", "yaml", "--show-managed-fields"),
            ),
        ),
    )
