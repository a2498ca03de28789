"""gang-not-ready: the gang's minimum is not met, so the member is held back.

What it means
    The Pod belongs to a group that starts together or not at all. Too few members exist, or too few of them could be
    placed, so none gets a node.

How it is recognised
    `pod group is not ready, … minAvailable` (Volcano), `cannot find enough sibling pods` (coscheduling), `waiting for
    minCount pods from a gang` (built in, 1.35 on) and the like in the verdict: proved. It contributes where the
    same verdict also says why the members do not fit: then that is the cause.

What to do
    Make the missing members (look at their controller), or lower the group's minimum.

Limits
    Which members are missing is not listed.

References
    GangScheduling (kube-scheduler 1.35 to 1.37); scheduler-plugins Coscheduling; Volcano gang; Koordinator; KAI.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._groups import cite_group, group_name, group_of, minimum_of
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP329", "gang-not-ready", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    space = shlex.quote(this.pod.namespace)
    yield CAUSE.finding(
        sentence(f"{_message(evidence, this)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *cite_group(evidence)),
        remedies=(
            look("See the group and its members.", f"kubectl -n {space} get podgroups,pods"),
            change("Make the missing members, or make room for all that the minimum asks for."),
            change("Or lower the group's minimum, if the workload can start with fewer."),
        ),
    )


def _message(evidence: Evidence, this: Told) -> str:
    group = group_name(evidence, this.pod) or this.fact("group") or "its group"
    minimum = minimum_of(group_of(evidence)) or next(
        (this.fact(k) for k in ("minAvailable", "minMember", "minCount", "min") if this.fact(k)), ""
    )
    wanted = f" ({minimum} must start together)" if minimum else ""
    return f"{this.pod.ref} waits for {group}{wanted}, which is not complete: {this.words.rstrip('. ')}"
