"""gang-sibling-unschedulable: the member is rejected because another member cannot be placed.

What it means
    This Pod would fit, or was never tried: another Pod of its group could not be placed, and the group starts
    together or not at all. That other Pod is the one to look at.

How it is recognised
    `PodGroup … failed recently`, `optimistic rejection in PostFilter`, `pod group is unschedulable`, `Resources were
    found for 2 pods while 4 are required for gang scheduling` and the like in the verdict: proved.

What to do
    Diagnose the members that have a verdict of their own; make room for the whole group or lower its minimum.

Limits
    Which member it is, is not in this Pod's verdict.

References
    scheduler-plugins Coscheduling; GangScheduling (kube-scheduler 1.35 to 1.37); Volcano; Koordinator; KAI.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._groups import cite_group, group_name
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence, seen

CAUSE = Cause("WP330", "gang-sibling-unschedulable", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    group = group_name(evidence, this.pod) or this.fact("group") or "its group"
    open_ = [p.name for p in seen(evidence.siblings) if not p.spec.node_name]
    others = f" (without a node too: {names(open_)})" if open_ else ""
    space = shlex.quote(this.pod.namespace)
    yield CAUSE.finding(
        sentence(
            f"{this.pod.ref} is held back because another member of {group} can't be placed{others}:"
            f" {this.words.rstrip('. ')}{this.tail}"
        ),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *cite_group(evidence)),
        remedies=(
            look("Find the members without a node.", f"kubectl -n {space} get pods --field-selector spec.nodeName="),
            change("Make room for the whole group, or lower its minimum."),
        ),
    )
