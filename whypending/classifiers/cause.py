"""What a classifier module is made of: its Cause, and the words to make Findings with."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Role, Safety, Triage
from whypending.evidence import Evidence


class Cause(msgspec.Struct, frozen=True):
    """A named cause: stable code and name, its class, and its ties to other causes.

    refines: broader causes that this one explains more exactly; it is shown right after the first that was found.
    explained_by: causes beside which this one is a mere symptom.
    last_resort: dropped as soon as any other cause was found.
    """

    code: str
    name: str
    triage: Triage
    refines: tuple[str, ...] = ()
    explained_by: tuple[str, ...] = ()
    last_resort: bool = False

    def finding(
        self,
        message: str,
        *,
        confidence: Confidence = Confidence.PROVED,
        citations: Iterable[Citation] = (),
        remedies: Iterable[Remedy] = (),
        role: Role = Role.CAUSE,
    ) -> Finding:
        """A Finding of this cause; `message` is one sentence ending in a period."""
        return Finding(
            code=self.code,
            name=self.name,
            confidence=confidence,
            message=message,
            citations=tuple(citations),
            remedies=tuple(remedies),
            role=role,
        )


class Classifier(msgspec.Struct, frozen=True):
    """A cause with its page (the module docstring) and its pure judgement."""

    cause: Cause
    page: str
    classify: Callable[[Evidence], Iterable[Finding]]


def look(text: str, command: str = "") -> Remedy:
    """A remedy that only reads."""
    return Remedy(text=text, command=command, safety=Safety.READ)


def change(text: str, command: str = "", patch: str = "") -> Remedy:
    """A reversible remedy."""
    return Remedy(text=text, command=command, patch=patch, safety=Safety.CHANGE)


def destroy(text: str, command: str = "") -> Remedy:
    """A remedy that cannot be taken back."""
    return Remedy(text=text, command=command, safety=Safety.DESTRUCTIVE)


_FALLBACK = {
    Triage.SCHEDULED_NOT_READY: "{who} has a node but is not Ready, and nothing that was read says why.",
    Triage.UNSCHEDULABLE: "A scheduler refused {who}, and nothing that was read says why.",
    Triage.NO_SCHEDULER: "No scheduler has taken {who} up, and nothing that was read says why.",
    Triage.HELD: "{who} is held back on purpose, and nothing that was read says by whom.",
    Triage.NO_POD: "Not all Pods that {who} asks for are there, and nothing that was read says why.",
    Triage.NOT_STUCK: "{who} is not stuck.",
    Triage.UNKNOWN: "What was read does not decide about {who}; see what was not looked at.",
}


def fallback_summary(class_: Triage, evidence: Evidence) -> str:
    """The sentence for a class in which no cause was recognised."""
    pod = evidence.the_pod
    who = pod.ref if pod else evidence.target.ref
    if class_ is Triage.UNKNOWN and pod is not None and not pod.status.phase:
        return f"{who} has no status: it is a manifest, or its status was cut off, so nothing can be said of it."
    if class_ is Triage.NOT_STUCK and evidence.target.kind == "CronJob":
        return f"{who} is not stuck: the Job that was due last has been started, and none is due now."
    return _FALLBACK[class_].format(who=who)
