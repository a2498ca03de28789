"""From Evidence to Diagnosis: triage, run that class's classifiers, contain a crash in one, rank cause over symptom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from whypending.classifiers import classifiers_of
from whypending.classifiers.cause import Classifier, fallback_summary
from whypending.diagnosis import Confidence, Diagnosis, Finding, Moment, Role, Triage
from whypending.evidence import Evidence, Gap, GapReason
from whypending.metrics import shown
from whypending.sources.base import Source
from whypending.timeline import timeline
from whypending.triage import triage

T = TypeVar("T")
_SEVERAL = 2
_ROLES = tuple(Role)
_CONFIDENCES = tuple(Confidence)


def diagnose(evidence: Evidence, source: Source | None = None, *, strict: bool = False) -> Diagnosis:
    """Judge one target's evidence. `strict` re-raises a classifier's crash (for tests)."""
    class_ = triage(evidence)
    classifiers = classifiers_of(class_)
    findings: list[tuple[Classifier, Finding]] = []
    faults: list[Gap] = []
    for classifier in classifiers:
        try:
            findings += [(classifier, finding) for finding in classifier.classify(evidence)]
        except Exception as error:
            if strict:
                raise
            faults.append(_fault(classifier, error))
    ranked = rank(findings)
    chain = _chain(ranked)
    moments: tuple[Moment, ...] = _contained("the timeline", (), lambda: timeline(evidence), faults, strict=strict)
    metrics = _contained("what the metrics show", None, lambda: shown(evidence), faults, strict=strict)
    found: dict[str, Any] = {}
    if class_ is Triage.NO_SCHEDULER:
        found = _contained("who schedules what", found, lambda: _schedulers(evidence), faults, strict=strict)
    return Diagnosis(
        target=evidence.target,
        observed_at=evidence.now,
        source=evidence.source,
        source_details=source.details if source else (),
        triage=class_,
        confidence=max((f.confidence for f in chain), key=_CONFIDENCES.index, default=Confidence.POSSIBLE),
        summary=_summary(evidence, chain[-1].message if chain else fallback_summary(class_, evidence)),
        findings=ranked,
        not_evaluated=(*(gap for _, gap in evidence.gaps()), *faults),
        notes=source.notes if source else (),
        **found,
        timeline=moments,
        metrics=metrics,
        some_made=evidence.tally is not None and evidence.tally.made + evidence.tally.older > 0,
    )


def _contained(what: str, otherwise: T, call: Callable[[], T], faults: list[Gap], *, strict: bool) -> T:
    """What the call gives; a crash in it costs that part of the report alone."""
    try:
        return call()
    except Exception as error:
        if strict:
            raise
        faults.append(Gap(what=what, reason=GapReason.FAULT, detail=f"{type(error).__name__}: {error}"))
        return otherwise


def _schedulers(evidence: Evidence) -> dict[str, Any]:
    """What the report of a Pod that nobody took up says of schedulers; no other class needs these modules."""
    from whypending.inventory.chain import links  # noqa: PLC0415
    from whypending.inventory.roster import records  # noqa: PLC0415

    return {"chain": links(evidence), "schedulers": records(evidence)}


def _summary(evidence: Evidence, message: str) -> str:
    """The message; for a workload of several Pods after how many of them are Ready, unless it says so itself."""
    tally = evidence.tally
    if tally is None or tally.wanted < _SEVERAL or f"of {tally.wanted} Pods" in message:
        return message
    older = ""
    if tally.older:
        older = f" ({'all' if tally.older == tally.ready else tally.older} from before the last change)"
    return f"{tally.ready} of {tally.wanted} Pods are Ready{older}: {message}"


def prepare(class_: Triage) -> None:
    """Import the classifiers of a class, in time that reads would only wait for."""
    classifiers_of(class_)


def rank(found: Sequence[tuple[Classifier, Finding]]) -> tuple[Finding, ...]:
    """Causes (each followed by what refines it), contributing, symptoms; within a role as the class lists them."""
    others = any(f.role is Role.CAUSE and not c.cause.last_resort for c, f in found)
    found = [(c, f) for c, f in found if not (others and c.cause.last_resort)]
    names = {finding.name for _, finding in found}
    causes = {finding.name for _, finding in found if finding.role is Role.CAUSE}
    tops: list[Finding] = []
    refining: dict[str, list[Finding]] = {}
    for classifier, finding in found:
        explained = next((n for n in classifier.cause.explained_by if n in causes), "")
        parent = next((n for n in classifier.cause.refines if n in names), "")
        if explained and finding.role is not Role.SYMPTOM:
            tops.append(_replace(finding, role=Role.SYMPTOM, explained_by=explained))
        elif parent and finding.role is Role.CAUSE:
            refining.setdefault(parent, []).append(_replace(finding, refines=parent))
        else:
            tops.append(finding)
    tops.sort(key=lambda f: (_ROLES.index(f.role), f.confidence is Confidence.POSSIBLE))
    return tuple(x for top in tops for x in (top, *_below(top.name, refining)))


def _below(name: str, refining: dict[str, list[Finding]]) -> list[Finding]:
    return [x for finding in refining.pop(name, ()) for x in (finding, *_below(finding.name, refining))]


def _chain(ranked: Sequence[Finding]) -> list[Finding]:
    """The primary cause and the first finding that refines it, and so on down."""
    chain: list[Finding] = list(ranked[:1])
    for finding in ranked[1:]:
        if chain and finding.refines == chain[-1].name:
            chain.append(finding)
    return chain


def _replace(finding: Finding, *, role: Role = Role.CAUSE, refines: str = "", explained_by: str = "") -> Finding:
    return Finding(
        code=finding.code, name=finding.name, confidence=finding.confidence, message=finding.message,
        citations=finding.citations, remedies=finding.remedies, role=role, refines=refines, explained_by=explained_by,
    )  # fmt: skip


def _fault(classifier: Classifier, error: Exception) -> Gap:
    return Gap(
        what=f"the cause {classifier.cause.name}",
        reason=GapReason.FAULT,
        would_decide=f"whether it is {classifier.cause.name}",
        detail=f"{type(error).__name__}: {error}",
    )


__all__ = ["Triage", "diagnose", "prepare", "rank"]
