"""value-out-of-range: numbers that validation refuses.

Source: pkg/scheduler/apis/config/validation/validation.go, component-base/config/validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.finding import Facts, Finding, at
from whypending.schedulerconfig.model import Configuration
from whypending.schedulerconfig.tree import Node

RULE = "value-out-of-range"
_PERCENT = 100
_INITIAL, _MAX = 1, 10


def check(configuration: Configuration, _facts: Facts) -> Iterator[Finding]:
    """parallelism, percentageOfNodesToScore, the backoffs, clientConnection.burst."""
    root = configuration.root
    parallelism = root.integer("parallelism")
    if parallelism is not None and parallelism <= 0:
        yield refused(root.get("parallelism"), f"parallelism is {parallelism}.", "Write 1 or more; the default is 16.")
    for holder in (root, *(p.node for p in configuration.profiles)):
        yield from _percentage(holder)
    yield from _backoff(root)
    burst = root.at("clientConnection", "burst")
    client = root.get("clientConnection")
    if client and (client.integer("burst") or 0) < 0:
        yield refused(burst, f"clientConnection.burst is {client.integer('burst')}.", "Write 0 (= 100) or more.")


def _percentage(holder: Node) -> Iterator[Finding]:
    value = holder.integer("percentageOfNodesToScore")
    if value is not None and not 0 <= value <= _PERCENT:
        yield refused(
            holder.get("percentageOfNodesToScore"),
            f"percentageOfNodesToScore is {value}, outside 0 to 100.",
            "Write 0 (kube-scheduler chooses) to 100.",
        )


def _backoff(root: Node) -> Iterator[Finding]:
    first, last = root.integer("podInitialBackoffSeconds"), root.integer("podMaxBackoffSeconds")
    initial, most = _INITIAL if first is None else first, _MAX if last is None else last
    if initial <= 0:
        yield refused(
            root.get("podInitialBackoffSeconds"), f"podInitialBackoffSeconds is {initial}.", "Write 1 or more."
        )
    if most < initial:
        said = "" if last is not None else " (the default)"
        yield refused(
            root.get("podMaxBackoffSeconds") or root.get("podInitialBackoffSeconds"),
            f"podMaxBackoffSeconds is {most}{said}, less than podInitialBackoffSeconds, which is {initial}.",
            f"Write podMaxBackoffSeconds: {max(initial, _MAX)}, or a smaller podInitialBackoffSeconds.",
        )


def refused(node: Node | None, message: str, fix: str) -> Finding:
    """A value that kube-scheduler refuses."""
    return at(node, RULE, message, fix)
