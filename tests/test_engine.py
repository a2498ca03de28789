"""Ranking, containment of a crash, and the summary."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from whypending import engine
from whypending.classifiers.cause import Cause, Classifier
from whypending.diagnosis import Confidence, Finding, Role, Triage
from whypending.evidence import Evidence, Gap, GapReason, Tally, Target
from whypending.objects.base import ObjectMeta
from whypending.objects.pod import Pod, PodSpec, PodStatus

NOW = datetime(2026, 5, 12, 9, 0, tzinfo=UTC)
BOUND = Pod(
    metadata=ObjectMeta(name="web", namespace="shop", creation_timestamp=datetime(2026, 5, 12, 8, 0, tzinfo=UTC)),
    spec=PodSpec(node_name="n1"),
    status=PodStatus(phase="Pending"),
)


def evidence(**fields: object) -> Evidence:
    return Evidence(target=Target(namespace="shop", name="web"), now=NOW, pod=(BOUND,), **fields)  # type: ignore[arg-type]


def found(
    name: str, *, role: Role = Role.CAUSE, confidence: Confidence = Confidence.PROVED, **ties: object
) -> tuple[Classifier, Finding]:
    cause = Cause(f"WP4{len(name):02d}", name, Triage.SCHEDULED_NOT_READY, **ties)  # type: ignore[arg-type]
    finding = cause.finding(f"It is {name}.", role=role, confidence=confidence)
    return (Classifier(cause, "", lambda _: ()), finding)


def names(*pairs: tuple[Classifier, Finding]) -> list[str]:
    return [f.name for f in engine.rank(pairs)]


def test_a_refinement_stands_right_after_what_it_refines() -> None:
    pairs = (found("broad"), found("other"), found("exact", refines=("broad",)))
    assert names(*pairs) == ["broad", "exact", "other"]
    assert [f.refines for f in engine.rank(pairs)] == ["", "broad", ""]


def test_a_refinement_without_its_broader_cause_stands_alone() -> None:
    assert [(f.name, f.refines) for f in engine.rank((found("exact", refines=("broad",)),))] == [("exact", "")]


def test_a_symptom_follows_its_cause() -> None:
    ranked = engine.rank((found("symptom", explained_by=("cause",)), found("cause")))
    assert [(f.name, f.role, f.explained_by) for f in ranked] == [
        ("cause", Role.CAUSE, ""),
        ("symptom", Role.SYMPTOM, "cause"),
    ]


def test_a_contributing_finding_explains_nothing_away() -> None:
    ranked = engine.rank((found("seen", explained_by=("aside",)), found("aside", role=Role.CONTRIBUTING)))
    assert [(f.name, f.role) for f in ranked] == [("seen", Role.CAUSE), ("aside", Role.CONTRIBUTING)]


def test_what_is_only_possible_comes_after_what_is_likely() -> None:
    assert names(found("maybe", confidence=Confidence.POSSIBLE), found("surely")) == ["surely", "maybe"]


def test_the_last_resort_is_dropped_beside_another_cause() -> None:
    resort = found("quoted", last_resort=True)
    assert names(resort) == ["quoted"]
    assert names(resort, found("known")) == ["known"]
    assert names(resort, found("aside", role=Role.CONTRIBUTING)) == ["quoted", "aside"]


def _crash(_: Evidence) -> tuple[Finding, ...]:
    raise ValueError("no such thing")


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    good, finding = found("known", confidence=Confidence.LIKELY)
    good = Classifier(good.cause, "", lambda _: (finding,))
    bad = Classifier(Cause("WP499", "broken", Triage.SCHEDULED_NOT_READY), "", _crash)
    monkeypatch.setattr(engine, "classifiers_of", lambda _: (bad, good))


@pytest.mark.usefixtures("judged")
def test_a_crash_is_a_gap_of_that_cause_and_the_rest_is_judged() -> None:
    diagnosis = engine.diagnose(evidence(events=()))
    assert [f.name for f in diagnosis.findings] == ["known"]
    assert diagnosis.not_evaluated == (
        Gap(
            what="the cause broken",
            reason=GapReason.FAULT,
            would_decide="whether it is broken",
            detail="ValueError: no such thing",
        ),
    )
    assert (diagnosis.summary, diagnosis.confidence) == ("It is known.", Confidence.LIKELY)


@pytest.mark.usefixtures("judged")
def test_strict_lets_the_crash_through() -> None:
    with pytest.raises(ValueError, match="no such thing"):
        engine.diagnose(evidence(events=()), strict=True)


def test_what_was_not_needed_is_no_gap_and_what_was_refused_is() -> None:
    refused = Gap(what="the Nodes", reason=GapReason.FORBIDDEN, grant="list nodes")
    diagnosis = engine.diagnose(evidence(events=(), node=refused), strict=True)
    assert diagnosis.not_evaluated == (refused,)


def test_a_workload_is_told_with_how_many_of_its_pods_are_ready() -> None:
    def summary(**counts: int) -> str:
        target = Target(kind="Deployment", namespace="shop", name="web")
        return engine.diagnose(Evidence(target=target, now=NOW, tally=Tally(**counts))).summary

    alone = summary(wanted=1, made=0, ready=0)
    assert summary(wanted=4, made=4, ready=2) == f"2 of 4 Pods are Ready: {alone}"
    assert summary(wanted=4, made=1, ready=3, older=3) == (
        f"3 of 4 Pods are Ready (all from before the last change): {alone}"
    )
