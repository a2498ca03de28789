"""The reports in ../shared/cases, where they are there: the class always, the first cause in all that are due."""

from __future__ import annotations

import pytest

from tests.cases import Case, judge, names_of, shared_cases

CASES = shared_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.folder.name)
def test_class_is_right(case: Case) -> None:
    assert str(judge(case).triage) == case.triage


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.folder.name)
def test_first_cause_is_right(case: Case) -> None:
    assert names_of(judge(case))[:1] == case.causes[:1]
