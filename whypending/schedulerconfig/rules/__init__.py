"""The rules of the lint, one family a file, in the order in which a scheduler would meet them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from whypending.schedulerconfig.finding import Facts, Finding
from whypending.schedulerconfig.model import Configuration
from whypending.schedulerconfig.rules import (
    api_version,
    extenders,
    fields,
    flags,
    leader_election,
    leases,
    plugin_args,
    plugin_config,
    plugins,
    profiles,
    queue_sort,
    required_points,
    several_documents,
    values,
    weights,
)

RULES = (
    several_documents.check,
    api_version.check,
    fields.check,
    values.check,
    leader_election.check,
    profiles.check,
    queue_sort.check,
    plugins.check,
    required_points.check,
    weights.check,
    plugin_config.check,
    plugin_args.check,
    extenders.check,
    leases.check,
    flags.check,
)
TOGETHER = (leases.check_together,)
"""What only several configurations side by side show."""


def judge(configuration: Configuration, facts: Facts) -> tuple[Finding, ...]:
    """Every finding of one configuration, in the order of its lines."""
    found = [f for rule in RULES for f in rule(configuration, facts)]
    return _placed(found, configuration)


def judge_together(configurations: Sequence[Configuration], facts: Sequence[Facts]) -> Iterator[tuple[int, Finding]]:
    """Findings about several configurations, each with the number of the one it is shown at."""
    for rule in TOGETHER:
        for number, finding in rule(configurations, facts):
            yield from ((number, placed) for placed in _placed([finding], configurations[number]))


def _placed(found: list[Finding], configuration: Configuration) -> tuple[Finding, ...]:
    named = (msgspec.structs.replace(f, file=f.file or configuration.file) for f in found)
    return tuple(sorted(dict.fromkeys(named), key=lambda f: (f.line == 0, f.line)))
