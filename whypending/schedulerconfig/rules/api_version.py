"""api-version-*: whether the release takes the document's apiVersion at all.

Source: cmd/kube-scheduler/app/options/configfile.go; a version that is gone ends kube-scheduler at its start.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.finding import Facts, Finding, at, warn
from whypending.schedulerconfig.model import Configuration
from whypending.schedulerconfig.releases import API_VERSIONS, CURRENT, KIND, Lifetime


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """`kind` and `apiVersion`."""
    root, version = configuration.root, configuration.api_version
    if not root.text("kind"):
        yield at(root, "kind-missing", "The document has no kind.", f"Add: kind: {KIND}")
    if version not in API_VERSIONS:
        yield at(root.get("apiVersion") or root, "api-version-unknown", *_unknown(version))
        return
    node, minor = root.get("apiVersion"), facts.release.minor
    known = API_VERSIONS[version]
    if known.removed and minor >= known.removed:
        yield at(
            node,
            "api-version-removed",
            f"{version} was removed in 1.{known.removed}: kube-scheduler {facts.release} does not start with it.",
            _successor(minor),
        )
    elif minor < known.since:
        yield at(
            node,
            "api-version-too-new",
            f"{version} came with 1.{known.since}: kube-scheduler {facts.release} does not know it.",
            _successor(minor),
        )
    elif known.deprecated and minor >= known.deprecated:
        yield warn(
            node,
            "api-version-deprecated",
            f"{version} is deprecated since 1.{known.deprecated} and gone in 1.{known.removed}.",
            _successor(minor),
        )


def _unknown(version: str) -> tuple[str, str]:
    said = (
        f'apiVersion "{version}" is no version of KubeSchedulerConfiguration.' if version else "There is no apiVersion."
    )
    return said, f"Write apiVersion: {CURRENT}"


def _successor(minor: int) -> str:
    taken = [version for version, life in API_VERSIONS.items() if _takes(life, minor)]
    best = CURRENT if CURRENT in taken else taken[-1] if taken else CURRENT
    return f"Write apiVersion: {best}, and compare the fields: a version that is gone may have named them otherwise."


def _takes(life: Lifetime, minor: int) -> bool:
    return life.since <= minor and not (life.removed and minor >= life.removed)
