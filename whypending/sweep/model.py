"""What a sweep is asked, what it found one by one, and the groups in which it is told."""

from __future__ import annotations

from datetime import datetime

import msgspec

from whypending.diagnosis import Confidence, Diagnosis, Remedy, Triage
from whypending.evidence import Gap, Target


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """What is swept: a namespace ("" = all), a label selector, and whether Pods that run but are not Ready count."""

    namespace: str = ""
    labels: str = ""
    not_ready: bool = False


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A stuck Pod, or a workload without its Pods; `since` is when it was made."""

    target: Target
    since: datetime | None = None
    owner: str = ""
    """What owns it in the end: `Deployment web`, empty for a Pod that nothing owns."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One diagnosis and all that it is true of: the one that was looked at first, then the others like it.

    scheduler_name: what the Pod asks for. nearest: the served name that this probably is a slip of.
    last_bind: when a Pod of that name was last seen to get a Node.
    """

    diagnosis: Diagnosis
    members: tuple[Member, ...]
    scheduler_name: str = ""
    nearest: str = ""
    last_bind: datetime | None = None


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """All cases of one cause: for an orphan scheduler name, of that name.

    causes: names of the primary cause and of what refines it, empty where no cause was recognised.
    confidence: the least of its cases. remedy: of the oldest case.
    """

    triage: Triage
    causes: tuple[str, ...]
    code: str
    confidence: Confidence
    cases: tuple[Case, ...]
    remedy: Remedy | None
    scheduler_name: str = ""

    @property
    def members(self) -> tuple[Member, ...]:
        """Everything that is in it, by case."""
        return tuple(member for case in self.cases for member in case.members)

    @property
    def pods(self) -> int:
        """How many Pods."""
        return sum(member.target.kind == "Pod" for member in self.members)

    @property
    def workloads(self) -> int:
        """How many workloads without their Pods."""
        return len(self.members) - self.pods

    @property
    def oldest(self) -> datetime | None:
        """When the oldest of them was made."""
        return min((m.since for m in self.members if m.since), default=None)

    @property
    def example(self) -> Case:
        """The oldest case."""
        return self.cases[0]

    @property
    def owners(self) -> tuple[str, ...]:
        """Each owner once."""
        return tuple(dict.fromkeys(m.owner for m in self.members if m.owner))

    @property
    def namespaces(self) -> tuple[str, ...]:
        """Each namespace once, sorted."""
        return tuple(sorted({m.target.namespace for m in self.members}))

    @property
    def nearest(self) -> str:
        """The served name that the scheduler's name probably is a slip of."""
        return next((c.nearest for c in self.cases if c.nearest), "")

    @property
    def last_bind(self) -> datetime | None:
        """When a Pod of the scheduler's name was last seen to get a Node."""
        return max((c.last_bind for c in self.cases if c.last_bind), default=None)


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for many: groups in order of importance, and what was not looked at. `young`: too young to judge."""

    scope: Scope
    observed_at: datetime
    source: str
    source_details: tuple[tuple[str, str], ...]
    groups: tuple[Group, ...] = ()
    young: int = 0
    not_evaluated: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def pods(self) -> int:
        """How many Pods are stuck."""
        return sum(group.pods for group in self.groups)

    @property
    def workloads(self) -> int:
        """How many workloads lack Pods."""
        return sum(group.workloads for group in self.groups)

    @property
    def orphans(self) -> tuple[Group, ...]:
        """Groups of Pods that no scheduler took up."""
        return tuple(group for group in self.groups if group.triage is Triage.NO_SCHEDULER)
