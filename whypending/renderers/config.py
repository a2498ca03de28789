"""What is wrong with a scheduler's configuration, and the plugins it really runs: for a person and for a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from whypending.renderers import Format
from whypending.renderers.config_v1 import document, tree
from whypending.renderers.layout import Canvas, Line, Span, Style, cells, draw
from whypending.schedulerconfig import ConfigurationReport, Finding, ProfileReport, Severity
from whypending.schedulerconfig.effective import By, Enabled, display_points
from whypending.schedulerconfig.plugins import points_in
from whypending.schedulerconfig.releases import CURRENT, OLDEST

_STYLES = {Severity.ERROR: Style.BAD, Severity.WARNING: Style.WARN}


def render(reports: Sequence[ConfigurationReport], form: Format, canvas: Canvas) -> str:
    """Text (`wide`: with what enables each plugin, and the points at which nothing runs), JSON, YAML, or NDJSON."""
    if form in {Format.TEXT, Format.WIDE}:
        return draw(_lines(reports, wide=form is Format.WIDE), canvas)
    if form is Format.NDJSON:
        return "".join(_write(tree(report), form) for report in reports)
    return _write(document(reports), form)


def _write(found: dict[str, Any], form: Format) -> str:
    if form is Format.YAML:
        from whypending.renderers import yaml_v1  # noqa: PLC0415 (YAML costs 20 ms)

        return yaml_v1.write(found)
    from whypending.renderers import json_v1  # noqa: PLC0415

    return json_v1.write(found, indent=None if form is Format.NDJSON else 2)


def _lines(reports: Sequence[ConfigurationReport], *, wide: bool) -> Iterator[Line]:
    for number, report in enumerate(reports):
        if number:
            yield Line()
        yield from _configuration(report, wide=wide)


def _configuration(report: ConfigurationReport, *, wide: bool) -> Iterator[Line]:
    yield Line((Span(_verdict(report), Style.STRONG),), hang=2)
    yield from _facts(report)
    for finding in report.findings:
        yield Line()
        yield from _finding(finding)
    for profile in report.profiles:
        yield Line()
        yield from _profile(profile, report, wide=wide)


def _verdict(report: ConfigurationReport) -> str:
    errors = sum(f.severity is Severity.ERROR for f in report.findings)
    warnings = len(report.findings) - errors
    where = f"{report.configuration.file}, line {report.configuration.root.line}"
    if errors:
        return f"{where}: kube-scheduler {report.facts.release} does not start with this configuration."
    if warnings:
        return f"{where}: kube-scheduler {report.facts.release} starts, but not all is as it reads."
    return f"{where}: nothing to object to for kube-scheduler {report.facts.release}."


def _facts(report: ConfigurationReport) -> Iterator[Line]:
    facts = report.facts
    known = f"Release {facts.release}: {facts.release.origin}."
    if facts.release.minor != facts.minor:
        direction = "oldest" if facts.release.minor < OLDEST else "newest"
        known += f" Its plugins are not known; shown are those of 1.{facts.minor}, the {direction} known."
    if report.configuration.api_version != CURRENT:
        known += f" The plugins shown are those of the same text as {CURRENT}."
    yield Line((Span(known, Style.DIM),), 2, 2)
    for deployed in facts.deployed:
        replicas = "unknown" if deployed.replicas is None else deployed.replicas
        yield Line((Span(f"Run by {deployed.ref}, replicas: {replicas}, image {deployed.image}.", Style.DIM),), 2, 4)


def _finding(finding: Finding) -> Iterator[Line]:
    severity = Span(f"{finding.severity}", _STYLES[finding.severity])
    where = f" {finding.file}:{finding.line}" if finding.line else f" {finding.file}"
    yield Line((severity, Span(where), Span(f"  {finding.rule}", Style.DIM)), hang=4)
    yield Line((Span(finding.message),), 4, 4)
    yield Line((Span(f"Fix: {finding.fix}"),), 4, 4)


def _profile(profile: ProfileReport, report: ConfigurationReport, *, wide: bool) -> Iterator[Line]:
    name = f'"{profile.name}"' if profile.name else "without a name"
    line = f" (line {profile.line})" if report.configuration.root.list("profiles") else ""
    yield Line((Span(f"Profile {name}{line} runs", Style.STRONG),), hang=4)
    found = profile.effective
    shown = points_in(report.facts.minor) if wide else display_points(found)
    size = max((cells(point) for point in shown), default=0)
    for point in shown:
        plugins = found.points.get(point, ())
        text = ", ".join(_plugin(p, wide=wide) for p in plugins) or "-"
        yield Line((Span(point + " " * (size - cells(point) + 2), Style.DIM), Span(text)), 2, size + 4)
    if found.unknown:
        names = ", ".join(found.unknown)
        yield Line((Span(f"Not in-tree, at every point that they have a method for: {names}."),), 2, 4)


def _plugin(plugin: Enabled, *, wide: bool) -> str:
    weight = f" {plugin.weight}" if plugin.weight else ""
    origin = "" if plugin.by is By.DEFAULT or not wide else f" [{plugin.by}]"
    foreign = "" if plugin.in_tree else " (not in-tree)"
    return f"{plugin.name}{weight}{origin}{foreign}"
