"""What a rule says, and what it may know beside the text."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from whypending.schedulerconfig.releases import NEWEST, Release
from whypending.schedulerconfig.tree import Node


class Severity(StrEnum):
    """`error`: kube-scheduler refuses to start. `warning`: it starts, and does not do what the text seems to say."""

    ERROR = "error"
    WARNING = "warning"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to put right: a stable rule name, where it is, one sentence, and the fix as one sentence.

    `line` counts from 1; 0 where it has no line, as it is not in the text. `path` is the field as the API spells it.
    """

    rule: str
    severity: Severity
    file: str = ""
    line: int = 0
    path: str = ""
    message: str
    fix: str


class Deployed(msgspec.Struct, frozen=True):
    """A workload that runs a scheduler with the configuration: `Deployment kube-system/my-scheduler`."""

    ref: str
    replicas: int | None = 1
    image: str = ""
    args: tuple[str, ...] = ()

    def flag(self, name: str) -> str | None:
        """The last value of `--name=value`, `--name value` or `--name` (`true`); None where it is not given."""
        value: str | None = None
        for at, word in enumerate(self.args):
            given, equals, text = word.partition("=")
            if given not in {f"--{name}", f"-{name}"}:
                continue
            following = self.args[at + 1] if at + 1 < len(self.args) else ""
            value = text if equals else following if following and not following.startswith("-") else "true"
        return value

    @property
    def is_stock(self) -> bool:
        """The image is called kube-scheduler, so it has the in-tree plugins alone."""
        return self.image.rpartition("/")[2].partition("@")[0].partition(":")[0].startswith("kube-scheduler")


class Facts(msgspec.Struct, frozen=True):
    """What the text is judged by: the release, feature gates, plugins built in beside Kubernetes' own, who runs it.

    `used` is false where it is known that another text is read instead.
    """

    release: Release = Release(NEWEST)
    gates: Mapping[str, bool] = {}
    plugins: frozenset[str] = frozenset()
    deployed: tuple[Deployed, ...] = ()
    used: bool = True

    @property
    def minor(self) -> int:
        """The minor release whose plugins are looked up."""
        return self.release.known


def at(node: Node | None, rule: str, message: str, fix: str, severity: Severity = Severity.ERROR) -> Finding:
    """A finding at a value of the text."""
    line, path = (node.line, node.path) if node else (0, "")
    return Finding(rule=rule, severity=severity, line=line, path=path, message=message, fix=fix)


def warn(node: Node | None, rule: str, message: str, fix: str) -> Finding:
    """A warning at a value of the text."""
    return at(node, rule, message, fix, Severity.WARNING)
