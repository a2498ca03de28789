"""What was concluded: frozen Findings with proof and remedies, and the Diagnosis that holds them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

from whypending.evidence import Gap, Target


class Triage(StrEnum):
    """The class of the answer (design: triage), in the words of the JSON."""

    NO_SCHEDULER = "no_scheduler"
    UNSCHEDULABLE = "unschedulable"
    SCHEDULED_NOT_READY = "scheduled_not_ready"
    HELD = "held"
    NO_POD = "no_pod"
    NOT_STUCK = "not_stuck"
    UNKNOWN = "unknown"


class Role(StrEnum):
    """What a finding is to the Pod's trouble."""

    CAUSE = "cause"
    CONTRIBUTING = "contributing"
    SYMPTOM = "symptom"


class Confidence(StrEnum):
    """How sure: the evidence excludes every other known reading, fits but is incomplete, or is one of several."""

    PROVED = "proved"
    LIKELY = "likely"
    POSSIBLE = "possible"


class Safety(StrEnum):
    """What running a remedy's command does."""

    READ = "read"
    CHANGE = "change"
    DESTRUCTIVE = "destructive"


class Citation(msgspec.Struct, frozen=True, kw_only=True):
    """Proof: an object (`Pod prod/api-1`), a field path, the value seen there, and when."""

    object: str
    field: str
    value: str
    at: datetime | None = None


class Remedy(msgspec.Struct, frozen=True, kw_only=True):
    """What to do: a sentence ending in a period; a command and/or a patch where there is an exact one."""

    text: str
    command: str = ""
    patch: str = ""
    safety: Safety = Safety.READ
    verified: str = ""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One named cause, seen. `refines` names the broader finding that this one explains more exactly."""

    code: str
    name: str
    confidence: Confidence
    message: str
    citations: tuple[Citation, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    role: Role = Role.CAUSE
    refines: str = ""
    explained_by: str = ""


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one target; `findings` is ordered, the first is the primary cause.

    some_made: the target is a workload, and Pods of it exist.
    """

    target: Target
    observed_at: datetime
    source: str
    source_details: tuple[tuple[str, str], ...]
    triage: Triage
    confidence: Confidence
    summary: str
    findings: tuple[Finding, ...] = ()
    not_evaluated: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()
    some_made: bool = False
