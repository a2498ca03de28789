"""priority-class-missing: the PriorityClass that the Pod names does not exist.

What it means
    The API server turns `priorityClassName` into a number when a Pod is created. It does not know this name.

How it is recognised
    The refusal reads `no PriorityClass with name NAME was found`: proved. The PriorityClasses that exist are listed
    where they could be read.

What to do
    Correct the name, or create the PriorityClass (it is cluster-wide, not of a namespace).

Limits
    Charts often bring the class along: one that was removed with its chart leaves other workloads with the name.

References
    kube-apiserver admission plugin Priority, plugin/pkg/admission/priority/admission.go (v1.37);
    https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_pod._refusal import refusal
from whypending.classifiers.no_pod._template import change_template
from whypending.classifiers.words import kubectl, names
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.patterns import Pattern

CAUSE = Cause("WP512", "priority-class-missing", Triage.NO_POD, refines=("pod-creation-rejected",))

_TEXT = Pattern(r"no PriorityClass with name (?P<name>\S+) was found")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The name, and those that come near it."""
    found = refusal(evidence)
    match = _TEXT.search(found.words) if found else None
    if found is None or match is None:
        return
    existing = [c.name for c in seen(evidence.priority_classes)]
    near = get_close_matches(match["name"], existing, 3)
    offer = names(near or [c for c in existing if not c.startswith("system-")])
    use = f" to {names(near)}" if len(near) == 1 else f", for example to {offer}" if offer else ""
    yield CAUSE.finding(
        f"PriorityClass {match['name']}, which {found.whose} name, does not exist.",
        citations=(found.proof,),
        remedies=(
            change_template(evidence, f"Correct priorityClassName{use}"),
            look("Or create the class; see which ones there are.", kubectl("", "get", "priorityclasses")),
        ),
    )
