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


class LinkState(StrEnum):
    """Whether a link of a proof chain was there when it was looked for."""

    SEEN = "seen"
    MISSING = "missing"
    NOT_READABLE = "not-readable"


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """One link of a proof chain: the statement, whether it was seen, and what was seen (or why it was not read).

    chain: `served` (what shows that somebody schedules the Pod) or `orphan` (what shows that nobody does).
    """

    chain: str
    text: str
    state: LinkState
    detail: str = ""
    at: datetime | None = None


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened in the Pod's life; `source` is the object and field that tells."""

    at: datetime
    text: str
    source: str


class NameState(StrEnum):
    """Whether a schedulerName is served now."""

    SERVED = "served"
    NOT_SERVED = "not-served"
    UNKNOWN = "unknown"


class LastBind(msgspec.Struct, frozen=True, kw_only=True):
    """The newest bind by a schedulerName that was seen: the Pod (`namespace/name`) and PodScheduled=True since."""

    pod: str
    at: datetime | None = None


class ServedName(msgspec.Struct, frozen=True, kw_only=True):
    """One schedulerName. how: why it is listed. reason: what its state rests on. meant: a near name that is served.

    waiting: Pods of that name without a node; untouched: those of them that no scheduler has judged yet.
    at_least: the counts are from a sample. carried_by: the workloads whose Pods wait.
    """

    name: str
    state: NameState
    confidence: Confidence
    how: str
    reason: str = ""
    waiting: int = 0
    untouched: int = 0
    at_least: bool = False
    oldest: datetime | None = None
    pods: tuple[str, ...] = ()
    carried_by: tuple[str, ...] = ()
    last_bind: LastBind | None = None
    meant: str = ""


class SchedulerProcess(msgspec.Struct, frozen=True, kw_only=True):
    """What runs a scheduler: the workload or static Pod, its Pods and their restarts (`why` = how the last run ended).

    wanted: None where the kind has no such number. known_by: what gave it away as a scheduler.
    """

    ref: str
    image: str = ""
    version: str = ""
    wanted: int | None = None
    ready: int | None = None
    restarts: int = 0
    why: str = ""
    pods: tuple[str, ...] = ()
    started: datetime | None = None
    service_account: str = ""
    known_by: str = ""


class SchedulerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Where a scheduler's names come from: flags, and the ConfigMap with its key, version and last change.

    known_to_release: whether the process's release knows that version. loaded: whether the process has read the
    newest text. Both are None where that is not known.
    """

    flags: tuple[str, ...] = ()
    source: str = ""
    key: str = ""
    version: str = ""
    changed: datetime | None = None
    known_to_release: bool | None = None
    loaded: bool | None = None
    profiles: tuple[str, ...] = ()


class SchedulerLease(msgspec.Struct, frozen=True, kw_only=True):
    """A Lease that a scheduler needs: who holds it, whether that is one of its Pods, and whether it is renewed.

    ref: `Lease namespace/name`. held: renewTime + duration is ahead of the server's clock. age: whole seconds since
    renewTime. holder_pod: the holder as a Pod, empty where its name does not tell. is_own: None where it can't be told.
    """

    ref: str
    found: bool = True
    holder: str = ""
    holder_pod: str = ""
    is_own: bool | None = None
    confidence: Confidence = Confidence.LIKELY
    held: bool = False
    acquired: datetime | None = None
    renewed: datetime | None = None
    age: int | None = None
    transitions: int | None = None


class SchedulerRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A scheduler, or a name that Pods wait for and nobody serves; None = there is none, or it could not be seen."""

    title: str
    family: str = ""
    names: tuple[ServedName, ...] = ()
    process: SchedulerProcess | None = None
    settings: SchedulerSettings | None = None
    lease: SchedulerLease | None = None
    notes: tuple[str, ...] = ()


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A number that a metric shows. statistic: what it is of its labels (`value`, `count`, `mean`, `p99` …)."""

    value: float
    labels: tuple[tuple[str, str], ...] = ()
    statistic: str = "value"


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a scheduler's metrics say to one question; `metric` is empty where it exposes none that answers.

    unit: `Pods`, `attempts`, `seconds` …; empty for a state. lazy: appears only after its first use.
    """

    question: str
    metric: str = ""
    unit: str = ""
    figures: tuple[Figure, ...] = ()
    lazy: bool = False


class SchedulerMetrics(msgspec.Struct, frozen=True, kw_only=True):
    """The readings of one scheduler process; origin, how, at and warnings are the Scrape's."""

    origin: str
    how: str
    at: datetime | None = None
    version: str = ""
    started: datetime | None = None
    readings: tuple[Reading, ...] = ()
    warnings: tuple[str, ...] = ()


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
    chain: tuple[Link, ...] = ()
    timeline: tuple[Moment, ...] = ()
    schedulers: tuple[SchedulerRecord, ...] | None = None
    metrics: tuple[SchedulerMetrics, ...] | None = None
    some_made: bool = False
