"""Each fixture folder: class, causes in order, and the whole report are as written down."""

from __future__ import annotations

import json

import pytest

from tests.cases import Case, fixtures, judge, names_of
from tests.normal import pinned


@pytest.mark.parametrize("case", fixtures(), ids=lambda c: c.id)
def test_fixture_is_judged_as_expected(case: Case) -> None:
    diagnosis = judge(case)
    assert (str(diagnosis.triage), names_of(diagnosis)) == (case.triage, case.causes)
    assert pinned(diagnosis, case.folder) == json.loads((case.folder / "expected.json").read_text())
