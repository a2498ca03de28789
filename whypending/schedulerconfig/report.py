"""The whole answer of `whypending config`: findings and effective plugins of each configuration."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from whypending.schedulerconfig.effective import Effective, effective
from whypending.schedulerconfig.finding import Facts, Finding
from whypending.schedulerconfig.model import Configuration
from whypending.schedulerconfig.rules import judge, judge_together


class ProfileReport(msgspec.Struct, frozen=True):
    """A profile and what it runs."""

    name: str
    line: int
    effective: Effective


class ConfigurationReport(msgspec.Struct, frozen=True):
    """One configuration, judged."""

    configuration: Configuration
    facts: Facts
    findings: tuple[Finding, ...]
    profiles: tuple[ProfileReport, ...]


def check(configurations: Sequence[Configuration], facts: Sequence[Facts]) -> tuple[ConfigurationReport, ...]:
    """Judge configurations, each by its own facts, and all of them together."""
    extra = list(judge_together(configurations, facts))
    return tuple(
        ConfigurationReport(
            configuration,
            known,
            (*judge(configuration, known), *(finding for at, finding in extra if at == number)),
            tuple(ProfileReport(p.name, p.node.line, effective(p, known)) for p in configuration.profiles),
        )
        for number, (configuration, known) in enumerate(zip(configurations, facts, strict=True))
    )
