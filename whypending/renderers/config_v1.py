"""Version 1 of the data of `whypending config`: names are promises, fields are only ever added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whypending.schedulerconfig import ConfigurationReport, Finding, ProfileReport, Severity
from whypending.schedulerconfig.plugins import SCORED


def document(reports: Sequence[ConfigurationReport]) -> dict[str, Any]:
    """`{"schemaVersion", "configurations": […]}`, one a document."""
    return {"schemaVersion": "1", "configurations": [tree(report) for report in reports]}


def tree(report: ConfigurationReport) -> dict[str, Any]:
    """One configuration: where, what it is judged by, findings in the order of their lines, profiles."""
    facts = report.facts
    return {
        "file": report.configuration.file,
        "line": report.configuration.root.line,
        "configMap": report.configuration.holder or None,
        "apiVersion": report.configuration.api_version or None,
        "release": {"version": str(facts.release), "from": facts.release.origin, "pluginsOf": f"1.{facts.minor}"},
        "featureGates": dict(facts.gates),
        "runBy": [{"ref": d.ref, "replicas": d.replicas, "image": d.image} for d in facts.deployed],
        "starts": not any(f.severity is Severity.ERROR for f in report.findings),
        "findings": [_finding(finding) for finding in report.findings],
        "profiles": [_profile(profile) for profile in report.profiles],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "file": finding.file,
        "line": finding.line or None,
        "path": finding.path or None,
        "message": finding.message,
        "fix": finding.fix,
    }


def _profile(profile: ProfileReport) -> dict[str, Any]:
    """`plugins` by extension point, in the order of their calls; `weight` at those that score."""
    points = {
        point: [
            {"name": p.name, **({"weight": p.weight} if point in SCORED else {}), "by": p.by, "inTree": p.in_tree}
            for p in plugins
        ]
        for point, plugins in profile.effective.points.items()
    }
    unknown = list(profile.effective.unknown)
    return {"schedulerName": profile.name or None, "line": profile.line, "plugins": points, "unknownPoints": unknown}
