"""A node is chosen and the scheduler waits in PreBind: no condition says so yet, only the claims do."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from whypending.classifiers.unschedulable._claims import PodClaim, claims_of, events_of
from whypending.classifiers.unschedulable._memo import once
from whypending.classifiers.unschedulable._verdict import verdict_of
from whypending.diagnosis import Citation, Confidence
from whypending.evidence import Evidence, seen
from whypending.objects.base import CustomObject
from whypending.objects.pod import Pod
from whypending.objects.storage import SELECTED_NODE
from whypending.triage import is_reserved, waits_for_binding

_NOMINATED = "status.nominatedNodeName"


class Awaited(msgspec.Struct, frozen=True):
    """What PreBind waits for: claims whose volume is to be made, or devices that are reserved; and on which node."""

    pod: Pod
    node: str
    claims: tuple[PodClaim, ...]
    devices: tuple[CustomObject, ...]
    confidence: Confidence

    def cite(self) -> Iterator[Citation]:
        """The marks that the scheduler left when it chose the node."""
        yield Citation(object=self.pod.ref, field="status.conditions[type=PodScheduled]", value="absent")
        if self.pod.status.nominated_node_name:
            yield Citation(object=self.pod.ref, field=_NOMINATED, value=self.pod.status.nominated_node_name)
        for claim in self.claims:
            yield Citation(object=claim.ref, field=f"metadata.annotations[{SELECTED_NODE}]", value=_chosen(claim))
        for device in self.devices:
            yield Citation(object=device.ref, field="status.reservedFor", value=self.pod.name)


@once
def awaited(evidence: Evidence) -> Awaited | None:
    """None where a verdict is there, or nothing shows that a node was chosen."""
    pod = evidence.the_pod
    if pod is None or verdict_of(evidence) is not None or not waits_for_binding(pod, evidence):
        return None
    claims = tuple(c for c in claims_of(evidence) if not c.is_bound and _chosen(c))
    devices = tuple(c for c in seen(evidence.resource_claims) if is_reserved(c, pod))
    node = next((_chosen(c) for c in claims), "") or pod.status.nominated_node_name
    return Awaited(pod, node, claims, devices, _confidence(evidence, pod, node))


def _chosen(claim: PodClaim) -> str:
    return claim.claim.selected_node if claim.claim else ""


def _confidence(evidence: Evidence, pod: Pod, node: str) -> Confidence:
    """Another Pod of the same claim leaves the same mark; a scheduler that works would not pass this one by."""
    works = pod.scheduler_name == "default-scheduler" and any(
        (x.namespace, x.name) == ("kube-system", "kube-scheduler") and x.alive(evidence.now)
        for x in seen(evidence.leases)
    )
    is_ours = works or (bool(node) and pod.status.nominated_node_name == node)
    return Confidence.PROVED if is_ours else Confidence.LIKELY


def is_under_way(evidence: Evidence, claim: PodClaim) -> bool:
    """Whether the provisioner itself has said that it is at work on the claim."""
    return bool(events_of(evidence, claim, "Provisioning"))
