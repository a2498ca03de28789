"""volume-zone-conflict: the nodes' labels do not match the PersistentVolume's zone labels.

What it means
    The volume carries a zone (or region) label, and only nodes of that zone can use it. The others are refused,
    whatever room they have.

How it is recognised
    `had no available volume zone` (up to 1.9: `NoVolumeZoneConflict`) in the scheduler's verdict: proved. The
    volume's labels are quoted and held against the Nodes' labels.

What to do
    Make room, or a node, in the volume's zone. Nodes without any zone label need one.

Limits
    Where claim and volume could not be read, the zone stays unnamed.

References
    VolumeZone, NoVolumeZoneConflict, kube-scheduler 1.2 to 1.37; `topology.kubernetes.io/zone`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._placement import Placement, cite_all, room_at, zone_placements
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP320", "volume-zone-conflict", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    found = zone_placements(evidence)
    yield CAUSE.finding(
        sentence(f"{_message(this, found)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *cite_all(found)),
        remedies=_remedies(this, found),
    )


def _message(this: Told, found: tuple[Placement, ...]) -> str:
    if not found:
        return f"{this.subject} {this.verb('is', 'are')} in another zone than a volume of {this.pod.ref}"
    first = found[0]
    where = f"PersistentVolume {first.volume.name} of {this.pod.ref} is in {first.demand}"
    if first.fitting is None:
        return f"{where}, and {this.subject} {this.verb('is', 'are')} not"
    if not first.fitting:
        return f"{where}, and no node is"
    fit = names([n.name for n in first.fitting])
    return f"{where}; only {fit} {'is' if len(first.fitting) == 1 else 'are'} there"


def _remedies(this: Told, found: tuple[Placement, ...]) -> Iterator[Remedy]:
    space = shlex.quote(this.pod.namespace)
    yield look("See the zone of each volume.", f"kubectl -n {space} get pvc && kubectl get pv --show-labels")
    yield look("See the zone of each node.", "kubectl get nodes -L topology.kubernetes.io/zone")
    if found:
        yield room_at(found[0])
        return
    yield change("Add a node, or make room, in the volume's zone (one node group for each zone helps autoscalers).")
