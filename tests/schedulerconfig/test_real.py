"""Held against real kube-schedulers of four releases: what is refused, which plugins run, in order, with weights."""

from __future__ import annotations

import pytest

from tests.schedulerconfig.generate import generate
from tests.schedulerconfig.real import told
from tests.schedulerconfig.record import SEEDS, generate_default, minor_of, recorded
from whypending.schedulerconfig import ConfigurationReport, Facts, Release, Severity, check, read_text

RELEASES = ("1.30.14", "1.32.13", "1.34.4", "1.37.2")
KEPT = {release: recorded(release) for release in RELEASES}


def judged(text: str, minor: int) -> ConfigurationReport:
    found = read_text(text, "config.yaml").configurations
    (report,) = check(found, [Facts(Release(minor))])
    return report


def errors(report: ConfigurationReport) -> list[str]:
    return [f.rule for f in report.findings if f.severity is Severity.ERROR]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("release", RELEASES)
def test_as_the_real_scheduler_says(release: str, seed: int) -> None:
    outcome = KEPT[release][1][seed]
    report = judged(generate(seed, minor_of(release)), minor_of(release))
    assert bool(errors(report)) is bool(outcome.error), outcome.error
    if not outcome.error:
        assert [told(profile.effective) for profile in report.profiles] == outcome.profiles


@pytest.mark.parametrize("release", RELEASES)
def test_the_plugins_by_default(release: str) -> None:
    report = judged(generate_default(), minor_of(release))
    assert [told(profile.effective) for profile in report.profiles] == [KEPT[release][0]]


@pytest.mark.parametrize("release", RELEASES)
def test_both_ways_are_proved(release: str) -> None:
    outcomes = KEPT[release][1].values()
    assert sum(not o.error for o in outcomes) >= 25
    assert sum(bool(o.error) for o in outcomes) >= 20
