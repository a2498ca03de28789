"""pvc-wait-for-first-consumer: the claim waits for a scheduler decision that will not come.

What it means
    The claim's StorageClass binds only when a scheduler has chosen a node for the Pod that uses it. This Pod got its
    node without a scheduler (spec.nodeName, or a scheduler that knows no volumes), so nobody will ever tell the claim.

How it is recognised
    The Pod has a node, its claim is Pending without the annotation `volume.kubernetes.io/selected-node`, and the
    claim's StorageClass has `volumeBindingMode: WaitForFirstConsumer`. Where the class could not be read, the claim's
    Event WaitForFirstConsumer makes it likely.

What to do
    Remove nodeName from the template and choose the node by nodeSelector; or use a class with Immediate binding, or a
    volume that is bound already.

Limits
    With the annotation set, a scheduler has decided and the provisioner is at work (binding-timeout,
    csi-driver-missing).

References
    https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, field_citation
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence

from ._node import OVER
from ._owner import edit
from ._volumes import Waiting, waiting_claims

CAUSE = Cause(
    "WP411",
    "pvc-wait-for-first-consumer",
    Triage.SCHEDULED_NOT_READY,
    refines=("node-name-preset",),
    explained_by=OVER,
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A bound Pod with a claim that still waits for its first consumer."""
    pod = evidence.the_pod
    if pod is None or not pod.spec.node_name or pod.status.phase == "Failed":
        return
    for waiting in waiting_claims(evidence):
        claim = waiting.claim
        yield CAUSE.finding(
            f"{claim.ref} waits for a scheduler to choose a node for {pod.ref}, which will not happen because "
            f"the Pod already has its node ({pod.spec.node_name}).",
            confidence=Confidence.PROVED if waiting.storage_class else Confidence.LIKELY,
            citations=(*_proof(waiting), field_citation(pod, "spec.nodeName", pod.spec.node_name)),
            remedies=(
                edit(evidence, "Let a scheduler place the Pod: remove spec.nodeName and use a nodeSelector."),
                look("Or see which classes bind at once (VOLUMEBINDINGMODE Immediate).", "kubectl get storageclass"),
            ),
        )


def _proof(waiting: Waiting) -> Iterator[Citation]:
    if waiting.storage_class is not None:
        yield field_citation(waiting.storage_class, "volumeBindingMode", waiting.storage_class.volume_binding_mode)
    yield field_citation(waiting.claim, "status.phase", waiting.claim.status.phase)
    if waiting.event is not None:
        yield event_citation(waiting.event)
