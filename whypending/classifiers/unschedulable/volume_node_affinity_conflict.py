"""volume-node-affinity-conflict: the bound PersistentVolume's nodeAffinity excludes the nodes.

What it means
    The Pod's volume exists already, in one zone or on one host, and can be used only there. The Pod must go where its
    data is. Room elsewhere does not help.

How it is recognised
    `had volume node affinity conflict` (1.34 on: `didn't match PersistentVolume's node affinity`) in the scheduler's
    verdict: proved. The volume's `spec.nodeAffinity` is quoted and held against the Nodes' labels.

What to do
    Make room, or a node, in the zone (on the host) that the volume demands. Only if the data does not matter: delete
    the claim and let a new volume be made.

Limits
    Which of those nodes fail for another reason is in the rest of the verdict.

References
    VolumeBinding, kube-scheduler 1.9 to 1.37; PersistentVolume `spec.nodeAffinity`; StorageClass
    `volumeBindingMode: WaitForFirstConsumer`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._owner import made_anew
from whypending.classifiers.unschedulable._placement import HOSTNAME, Placement, cite_all, placements, room_at, zones_of
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence, seen

CAUSE = Cause("WP319", "volume-node-affinity-conflict", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    found = placements(evidence)
    yield CAUSE.finding(
        sentence(f"{_message(evidence, this, found)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *cite_all(found)),
        remedies=_remedies(evidence, this, found),
    )


def _message(evidence: Evidence, this: Told, found: tuple[Placement, ...]) -> str:
    if not found and this.count is not None and this.count == this.total != 1:
        return f"no node is where a volume of {this.pod.ref} can be used; the scheduler refused {this.subject} for that"
    if not found:
        return f"{this.subject} {this.verb('is', 'are')} not where a volume of {this.pod.ref} can be used"
    first = found[0]
    where = f"PersistentVolume {first.volume.name} of {this.pod.ref} can be used only on nodes with {first.demand}"
    if first.fitting is None:
        return f"{where}; the scheduler refused {this.subject} for that"
    if first.fitting:
        fit = names([n.name for n in first.fitting])
        return f"{where}: {fit}, and {'that one is' if len(first.fitting) == 1 else 'those are'} refused too"
    zones = names(zones_of(seen(evidence.nodes)))
    have = f" (the nodes' zones: {zones})" if zones and HOSTNAME not in first.demand else ""
    return f"{where}, and there is no such node{have}"


def _remedies(evidence: Evidence, this: Told, found: tuple[Placement, ...]) -> Iterator[Remedy]:
    if not found:
        space = shlex.quote(this.pod.namespace)
        yield look("See which node or zone the volumes demand.", f"kubectl -n {space} get pvc && kubectl describe pv")
        yield change("Add a node, or make room, where the volume is.")
        return
    first = found[0]
    yield look("See the volume's node affinity.", f"kubectl describe pv {shlex.quote(first.volume.name)}")
    if HOSTNAME in first.demand:
        yield change(f"Bring back the node with {first.demand}, or make room on it: the data is there.")
    else:
        yield room_at(first)
    yield from made_anew(evidence, first.claim, "elsewhere")
