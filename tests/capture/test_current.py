"""The captures are those of the scenarios as they are now."""

from __future__ import annotations

import json

import pytest

from tests.capture.demo import DEMOS, HOME
from tests.capture.folder import folder_of, target_of
from tests.capture.stage import EVERY
from tests.cases import Case, fixtures
from tests.live.scenario import Scenario

CAPTURED: dict[str, Case] = {str(c.folder): c for c in fixtures() if c.meta["made"] == "captured"}


def test_no_capture_is_left_of_a_scenario_that_is_gone() -> None:
    assert set(CAPTURED) == {str(folder_of(scenario)) for scenario in EVERY}


@pytest.mark.parametrize("scenario", EVERY, ids=lambda s: s.id)
def test_a_capture_is_of_its_scenario(scenario: Scenario) -> None:
    case = CAPTURED[str(folder_of(scenario))]
    assert (case.folder / "manifest.yaml").read_text() == scenario.manifest
    assert (case.triage, case.causes) == (scenario.triage, (*scenario.causes, *scenario.also))
    assert (case.target["kind"], case.target["name"]) == target_of(scenario)


def test_the_demo_holds_what_is_captured_for_it() -> None:
    told = {path.parent.name: json.loads(path.read_text()) for path in HOME.glob("*/scenario.json")}
    assert {name: demo["title"] for name, demo in told.items()} == {demo.name: demo.title for demo in DEMOS}
    assert all((HOME / name / path).exists() for name, demo in told.items() for path in demo["paths"])
    assert max(path.stat().st_size for path in HOME.rglob("*")) < 60_000
