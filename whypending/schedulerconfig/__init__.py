"""KubeSchedulerConfiguration: read with line numbers, linted by rules, and expanded to the plugins that really run.

Pure: texts and facts in, findings and plugins out. An `error` is what kube-scheduler refuses at its start; tests hold
that against the real component.
"""

from __future__ import annotations

from whypending.schedulerconfig.errors import UnreadableTextError
from whypending.schedulerconfig.finding import Deployed, Facts, Finding, Severity
from whypending.schedulerconfig.releases import Release, parse_release
from whypending.schedulerconfig.report import ConfigurationReport, ProfileReport, check
from whypending.schedulerconfig.text import Texts, read_key, read_text

__all__ = [
    "ConfigurationReport",
    "Deployed",
    "Facts",
    "Finding",
    "ProfileReport",
    "Release",
    "Severity",
    "Texts",
    "UnreadableTextError",
    "check",
    "parse_release",
    "read_key",
    "read_text",
]
