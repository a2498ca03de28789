"""document-never-read: kube-scheduler reads the first document of its file and nothing behind it."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.finding import Facts, Finding, warn
from whypending.schedulerconfig.model import Configuration


def check(configuration: Configuration, _facts: Facts) -> Iterator[Finding]:
    """A document behind the first one (sigs.k8s.io/yaml decodes one document)."""
    if configuration.number > 1:
        yield warn(
            configuration.root,
            "document-never-read",
            f"This is document {configuration.number} of one text: kube-scheduler reads the first document alone.",
            "Give each scheduler a file of its own, and put all profiles of one scheduler into one document.",
        )
