"""terminating-finalizer: the object is being deleted but a finalizer keeps it.

What it means
    The Pod was deleted. Its object stays until the controller that put a finalizer on it has done its clean-up and
    taken the finalizer off; that controller is gone, failing or waiting.

How it is recognised
    `metadata.deletionTimestamp` is set and `metadata.finalizers` is not empty. Proved if the Pod has no node, has
    ended, or none of its containers runs any more: then nothing else keeps it. Likely while containers still run.

What to do
    Find the controller of that finalizer and mend it. Take the finalizer off by hand only if that controller is gone
    for good: its clean-up is then skipped.

Limits
    Which controller owns a finalizer is known by its name only for a few.

References
    https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, destroy, look
from whypending.classifiers.words import field_citation, kubectl, names, since
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod

from ._containers import members

CAUSE = Cause("WP434", "terminating-finalizer", Triage.SCHEDULED_NOT_READY, refines=("pod-terminating-stuck",))
_OWNERS = (
    ("batch.kubernetes.io/", "the Job controller in kube-controller-manager"),
    ("kueue.x-k8s.io/", "Kueue's controller manager"),
    ("foregroundDeletion", "the garbage collector in kube-controller-manager"),
    ("orphan", "the garbage collector in kube-controller-manager"),
    ("karpenter.sh/", "Karpenter"),
    ("batch.volcano.sh/", "Volcano's controller manager"),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A deleted Pod with a finalizer left."""
    pod = evidence.the_pod
    if pod is None or pod.metadata.deletion_timestamp is None or not pod.metadata.finalizers:
        return
    held = names(pod.metadata.finalizers)
    who = next((w for f in pod.metadata.finalizers for prefix, w in _OWNERS if f.startswith(prefix)), "")
    over = _is_over(pod)
    ago = since(pod.metadata.deletion_timestamp, evidence.now)
    yield CAUSE.finding(
        f"{pod.ref} was deleted {ago} ago and is kept by finalizer {held}, "
        f"which {who or 'its controller'} has not taken off.",
        confidence=Confidence.PROVED if over else Confidence.LIKELY,
        citations=(
            field_citation(pod, "metadata.finalizers", held),
            field_citation(pod, "metadata.deletionTimestamp", f"{pod.metadata.deletion_timestamp:%Y-%m-%dT%H:%M:%SZ}"),
        ),
        remedies=(
            look(
                f"See why {who or 'the controller of that finalizer'} does not act: whether it runs, and what it logs."
            ),
            destroy(
                "Only if that controller is gone for good: take the finalizers off; its clean-up is skipped.",
                kubectl(
                    pod.namespace, "patch", "pod", pod.name, "--type=merge", "-p", '{"metadata":{"finalizers":null}}'
                ),
            ),
        ),
    )


def _is_over(pod: Pod) -> bool:
    if not pod.spec.node_name or pod.status.phase in {"Failed", "Succeeded"}:
        return True
    found = [m for m in members(pod) if m.status]
    return bool(found) and not any(m.running for m in found)
