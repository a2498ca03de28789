"""Where a bound volume can be used, and which nodes are there."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from whypending.classifiers.cause import change
from whypending.classifiers.unschedulable._claims import PodClaim, claims_of, volume_of
from whypending.classifiers.unschedulable._words import names, unique
from whypending.diagnosis import Citation, Remedy
from whypending.evidence import Evidence, Gap
from whypending.objects.node import Node
from whypending.objects.selectors import matches_node_selector, show_all
from whypending.objects.storage import PersistentVolume

HOSTNAME = "kubernetes.io/hostname"
ZONES = (
    "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/zone",
    "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/region",
)


class Placement(msgspec.Struct, frozen=True):
    """A bound volume that only some nodes can use.

    demand: what it asks of a node, as a selector; field: where that stands. fitting: the nodes that fulfil it, None
    where the Nodes were not read.
    """

    claim: PodClaim
    volume: PersistentVolume
    demand: str
    field: str
    fitting: tuple[Node, ...] | None

    def cite(self) -> Citation:
        """The demand, where it stands."""
        return Citation(object=self.volume.ref, field=self.field, value=self.demand)


def placements(evidence: Evidence) -> tuple[Placement, ...]:
    """Volumes of the Pod with `spec.nodeAffinity`, those that no node can use first."""
    found = [p for c in claims_of(evidence) if (p := _affinity(evidence, c)) is not None]
    return tuple(sorted(found, key=lambda p: len(p.fitting) if p.fitting is not None else 0))


def _affinity(evidence: Evidence, claim: PodClaim) -> Placement | None:
    volume = volume_of(evidence, claim)
    required = volume.spec.node_affinity.required if volume and volume.spec.node_affinity else None
    if volume is None or required is None:
        return None
    terms = [show_all((*t.match_expressions, *t.match_fields)) for t in required.node_selector_terms]
    fitting = None
    if not isinstance(evidence.nodes, Gap):
        fitting = tuple(n for n in evidence.nodes if matches_node_selector(required, n))
    return Placement(claim, volume, " or ".join(terms), "spec.nodeAffinity.required", fitting)


def zone_placements(evidence: Evidence) -> tuple[Placement, ...]:
    """Volumes of the Pod with zone or region labels (VolumeZone); a label value can list zones as `a__b`."""
    found = []
    for claim in claims_of(evidence):
        volume = volume_of(evidence, claim)
        labels = {k: v for k, v in volume.metadata.labels.items() if k in ZONES} if volume else {}
        if volume is None or not labels:
            continue
        fitting = None
        if not isinstance(evidence.nodes, Gap):
            fitting = tuple(n for n in evidence.nodes if all(_has(n, k, v) for k, v in labels.items()))
        text = ",".join(f"{k}={v}" for k, v in labels.items())
        found.append(Placement(claim, volume, text, "metadata.labels", fitting))
    return tuple(found)


def _has(node: Node, key: str, value: str) -> bool:
    # Nodes of either label generation count for PVs of either.
    keys = (key, *(k for k in ZONES if k.rpartition("/")[2] == key.rpartition("/")[2]))
    return any(node.metadata.labels.get(k) in value.split("__") for k in keys)


def zones_of(nodes: tuple[Node, ...]) -> tuple[str, ...]:
    """The zones of these nodes, each once."""
    return unique(n.metadata.labels.get(ZONES[0], n.metadata.labels.get(ZONES[1], "")) for n in nodes)


def room_at(placement: Placement) -> Remedy:
    """A node, or room on one, where the volume can be used."""
    fit, groups = placement.fitting, "(one node group for each zone helps autoscalers)"
    if fit:
        return change(f"Make room on {names([n.name for n in fit])}, or add a node with {placement.demand} {groups}.")
    none = "; no node of this cluster has that now" if fit is not None else ", or make room on one"
    return change(f"Add a node with {placement.demand} {groups}{none}.")


def cite_all(found: tuple[Placement, ...]) -> Iterator[Citation]:
    """Each volume's demand and the claim that has it."""
    for placement in found:
        yield placement.cite()
        yield Citation(object=placement.claim.ref, field="spec.volumeName", value=placement.volume.name)
