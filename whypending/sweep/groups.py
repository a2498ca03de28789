"""Cases into groups: by class, cause and what refines it; where no scheduler took the Pods up, by its name too."""

from __future__ import annotations

from collections.abc import Iterable

from whypending.diagnosis import Confidence, Diagnosis, Finding, Remedy, Triage
from whypending.evidence import Gap
from whypending.sweep.model import Case, Group

_CONFIDENCES = tuple(Confidence)
_LAST = float("inf")


def grouped(cases: Iterable[Case]) -> tuple[Group, ...]:
    """Orphan scheduler names first, what is undecided last, in between the largest group first."""
    together: dict[tuple[Triage, tuple[str, ...], str], list[Case]] = {}
    for case in cases:
        told = case.diagnosis
        name = case.scheduler_name if told.triage is Triage.NO_SCHEDULER else ""
        together.setdefault((told.triage, _names(told), name), []).append(case)
    groups = [_group(triage, causes, name, same) for (triage, causes, name), same in together.items()]
    return tuple(sorted(groups, key=_rank))


def gaps_of(cases: Iterable[Case], more: Iterable[Gap] = ()) -> tuple[Gap, ...]:
    """What could not be looked at, each thing once."""
    every = (*more, *(gap for case in cases for gap in case.diagnosis.not_evaluated))
    return tuple({(gap.what, gap.reason): gap for gap in every}.values())


def chain(diagnosis: Diagnosis) -> tuple[Finding, ...]:
    """The primary cause and what refines it, broadest first."""
    found = list(diagnosis.findings[:1])
    for finding in diagnosis.findings[1:]:
        if finding.refines and finding.refines == found[-1].name:
            found.append(finding)
    return tuple(found)


def _names(diagnosis: Diagnosis) -> tuple[str, ...]:
    return tuple(finding.name for finding in chain(diagnosis))


def _group(triage: Triage, causes: tuple[str, ...], name: str, cases: list[Case]) -> Group:
    ordered = tuple(sorted(cases, key=_birth))
    first = ordered[0].diagnosis
    return Group(
        triage=triage,
        causes=causes,
        code=first.findings[0].code if first.findings else "",
        confidence=max((c.diagnosis.confidence for c in cases), key=_CONFIDENCES.index),
        cases=ordered,
        remedy=_remedy(first),
        scheduler_name=name,
    )


def _remedy(diagnosis: Diagnosis) -> Remedy | None:
    """The first remedy of the most exact cause that has one."""
    return next((r for finding in reversed(chain(diagnosis)) for r in finding.remedies), None)


def _birth(case: Case) -> tuple[float, str, str]:
    since = min((m.since.timestamp() for m in case.members if m.since), default=_LAST)
    target = case.diagnosis.target
    return (since, target.namespace, target.name)


def _rank(group: Group) -> tuple[int, int, float, str]:
    place = {Triage.NO_SCHEDULER: 0, Triage.UNKNOWN: 2}.get(group.triage, 1)
    return (place, -len(group.members), group.oldest.timestamp() if group.oldest else _LAST, "/".join(group.causes))
