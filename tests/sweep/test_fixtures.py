"""Every fixture swept: what `pod` says of its Pod, the sweep says too."""

from __future__ import annotations

import json

import pytest

from tests.cases import Case, fixtures, judge, names_of
from whypending.cli.sweep import sweep
from whypending.diagnosis import Diagnosis, Triage
from whypending.renderers.layout import Canvas
from whypending.renderers.sweep import SweepForm, render
from whypending.sources.files import FilesSource
from whypending.sweep.model import Scope, Sweep

CASES = [case for case in fixtures() if case.target.get("kind", "Pod") == "Pod"]


def diagnosis_of(swept: Sweep, alone: Diagnosis) -> Diagnosis | None:
    for case in (case for group in swept.groups for case in group.cases):
        if any(m.target.name == alone.target.name and m.target.kind == "Pod" for m in case.members):
            return case.diagnosis
    return None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_sweep_says_what_pod_says(case: Case) -> None:
    alone = judge(case)
    swept = sweep(FilesSource.open(case.inputs, now=case.now), Scope(namespace=alone.target.namespace, not_ready=True))
    found = diagnosis_of(swept, alone)
    if alone.triage is Triage.NOT_STUCK or alone.summary.startswith("This Pod has no status"):
        assert found is None
        return
    assert found is not None
    assert (found.triage, found.confidence, names_of(found)) == (alone.triage, alone.confidence, names_of(alone))
    assert json.loads(render(swept, SweepForm.JSON, Canvas()))["counts"]["stuckPods"] == swept.pods > 0
    assert all(render(swept, form, Canvas(80)).endswith("\n") for form in SweepForm)
