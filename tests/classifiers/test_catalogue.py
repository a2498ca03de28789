"""The catalogue, its pages and its fixtures hold together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cases import FIXTURES, fixtures, judge
from whypending import classifiers
from whypending.classifiers import FOLDERS, catalogue, classifiers_of
from whypending.classifiers.cause import Classifier
from whypending.diagnosis import Role, Triage

HEADINGS = ("What it means", "How it is recognised", "What to do", "Limits", "References")
DIGITS = dict(
    zip("123456", ("no_scheduler", "held", "unschedulable", "scheduled_not_ready", "no_pod", "not_stuck"), strict=True)
)
CATALOGUE = catalogue()
EVERY = pytest.mark.parametrize("classifier", CATALOGUE, ids=lambda c: c.cause.name)


def test_codes_and_names_are_unique_and_well_formed() -> None:
    codes = [c.cause.code for c in CATALOGUE]
    names = [c.cause.name for c in CATALOGUE]
    assert len(set(codes)) == len(codes)
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", n) for n in names)


@EVERY
def test_code_belongs_to_the_class(classifier: Classifier) -> None:
    assert DIGITS[classifier.cause.code[2]] == classifier.cause.triage


@EVERY
def test_page_has_its_title_and_headings(classifier: Classifier) -> None:
    title, _, body = classifier.page.partition("\n")
    assert title.startswith(f"{classifier.cause.name}: ")
    assert title.endswith(".")
    found = re.findall(r"^(\S.*)$", body, re.MULTILINE)
    assert tuple(found) == HEADINGS
    parts = re.split(r"^\S.*$", body, flags=re.MULTILINE)[1:]
    assert all(p.strip() for p in parts)


@EVERY
def test_relations_name_causes(classifier: Classifier) -> None:
    names = {c.cause.name for c in CATALOGUE}
    assert set(classifier.cause.refines) <= names
    assert set(classifier.cause.explained_by) <= names


@EVERY
def test_there_is_a_hit_fixture(classifier: Classifier) -> None:
    folder = FIXTURES / classifier.cause.name
    assert any(folder.glob("hit-*/meta.yaml"))


def test_each_module_is_listed() -> None:
    root = Path(classifiers.__file__).parent
    files = {p.stem for t in FOLDERS for p in (root / t).glob("[a-z]*.py")}
    listed = {c.cause.name.replace("-", "_") for t in FOLDERS for c in classifiers_of(t)}
    assert files == listed


def test_each_fixture_folder_is_a_cause() -> None:
    names = {c.cause.name for c in CATALOGUE}
    assert {p.name for p in FIXTURES.iterdir()} <= names


@pytest.mark.parametrize("case", fixtures(), ids=lambda c: c.id)
def test_findings_are_sentences_with_proof_and_remedies(case: object) -> None:
    diagnosis = judge(case)  # type: ignore[arg-type]
    for finding in diagnosis.findings:
        assert finding.message.endswith((".", "?"))
        assert finding.citations
        assert all(r.text.endswith(".") for r in finding.remedies)
        if finding.role is Role.CAUSE and diagnosis.triage is not Triage.NOT_STUCK:
            assert finding.remedies
