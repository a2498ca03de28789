"""profile-name-repeated, profile-name-missing: one profile a schedulerName, and each with a name.

Source: ValidateKubeSchedulerConfiguration; a name is filled in (default-scheduler) for one profile alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.finding import Facts, Finding, at
from whypending.schedulerconfig.model import DEFAULT_NAME, Configuration, Profile


def check(configuration: Configuration, _facts: Facts) -> Iterator[Finding]:
    """The names of all profiles."""
    seen: dict[str, Profile] = {}
    for number, profile in enumerate(configuration.profiles):
        if not profile.name:
            yield at(
                profile.node.get("schedulerName") or profile.node,
                "profile-name-missing",
                f"Profile {number + 1} has no schedulerName, so no Pod can ask for it.",
                f"Add schedulerName; one of them may be {DEFAULT_NAME}.",
            )
        elif first := seen.get(profile.name):
            yield at(
                profile.node.get("schedulerName"),
                "profile-name-repeated",
                f'schedulerName "{profile.name}" is already that of the profile in line {first.node.line}.',
                "Give this profile another name, or put both into one.",
            )
        else:
            seen[profile.name] = profile
