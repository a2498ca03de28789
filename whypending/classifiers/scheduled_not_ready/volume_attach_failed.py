"""volume-attach-failed: the attach call of the storage backend fails.

What it means
    Before a volume can be mounted it must be attached to the node. The storage backend, or the CSI driver's attacher,
    says no or does not answer.

How it is recognised
    A standing Event FailedAttachVolume `AttachVolume.Attach failed for volume …`, or `status.attachError` of the
    VolumeAttachment for this node. A later SuccessfulAttachVolume, or anything started in the Pod, ends it.

What to do
    The text is the backend's own: a quota, a wrong zone, a missing permission, a deleted disk. `timed out waiting for
    external-attacher` means that nobody handles the VolumeAttachment: see the CSI driver's controller.

Limits
    The attacher's log is not read.

References
    pkg/volume/csi/csi_attacher.go, Kubernetes 1.37; https://kubernetes.io/docs/concepts/storage/volumes/#csi
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, field_citation, kubectl, newest, sentence
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.event import Event
from whypending.objects.pod import Pod

from ._containers import began
from ._events import short, standing
from ._node import OVER
from ._volumes import attachments, claims, failure, named

CAUSE = Cause("WP416", "volume-attach-failed", Triage.SCHEDULED_NOT_READY, explained_by=OVER)
_OTHER = ("Multi-Attach error", "Waiting for detach")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The attach call failed and has not succeeded since."""
    pod = evidence.the_pod
    if pod is None or pod.status.phase == "Failed" or began(pod):
        return
    event = standing(evidence, "FailedAttachVolume")
    if event is not None and not event.text.startswith(_OTHER) and not _attached_since(evidence, event):
        failed = failure(event)
        yield _finding(evidence, pod, failed.volume, failed.words or event.text, (event_citation(event),))
        return
    for claim in claims(evidence):
        for item in attachments(evidence, claim.spec.volume_name):
            error = item.status.attach_error
            if error is not None and item.spec.node_name == pod.spec.node_name and not item.status.attached:
                cited = field_citation(item, "status.attachError.message", error.message)
                yield _finding(evidence, pod, claim.spec.volume_name, error.message, (cited,))


def _attached_since(evidence: Evidence, event: Event) -> bool:
    good = newest(evidence.events, "SuccessfulAttachVolume")
    return good is not None and good.last_seen >= event.last_seen


def _finding(evidence: Evidence, pod: Pod, volume: str, words: str, cited: tuple[Citation, ...]) -> Finding:
    what = named(evidence, volume)
    node = pod.spec.node_name or "the node"
    return CAUSE.finding(
        sentence(f"{what[0].upper()}{what[1:]} cannot be attached to {node} for {pod.ref}: {short(words)}"),
        citations=cited,
        remedies=tuple(_remedies(evidence, volume, words)),
    )


def _remedies(evidence: Evidence, volume: str, words: str) -> Iterator[Remedy]:
    driver = _driver(evidence, volume)
    if "external-attacher" in words or "not found in the list of registered" in words:
        yield look(
            f"Nobody answers for {driver or 'the CSI driver'}: see that its controller and external-attacher run.",
            kubectl("", "get", "pods", "-A", "-o", "wide"),
        )
    yield look("Read what the storage backend says of this attachment.", "kubectl describe volumeattachments")
    if volume:
        yield look("See the volume itself: driver, handle, zone.", f"kubectl get pv {quote(volume)} -o yaml")


def _driver(evidence: Evidence, volume: str) -> str:
    found = next((v for v in seen(evidence.volumes) if v.name == volume and v.spec.csi), None)
    return found.spec.csi.driver if found and found.spec.csi else ""
