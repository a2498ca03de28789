"""What a scheduler's log adds to its verdict: the taints that the message leaves out, and errors that name the Pod."""

from __future__ import annotations

from collections.abc import Iterator

from whypending.diagnosis import Citation
from whypending.evidence import Evidence, LogLine, seen
from whypending.objects.node import Taint
from whypending.objects.pod import Pod
from whypending.scheduler_logs import Rejection, rejections, speaks_of


def taints(evidence: Evidence, pod: Pod) -> Iterator[tuple[Taint, tuple[Rejection, ...]]]:
    """Each taint for which the log says that Nodes were refused, with the newest line of each Node."""
    by_node = {r.node: r for r in rejections(seen(evidence.logs), pod.namespace, pod.name) if r.taint}
    for text in dict.fromkeys(r.taint for r in by_node.values()):
        told, _, effect = text.rpartition(":")
        key, _, value = told.partition("=")
        found = tuple(r for r in by_node.values() if r.taint == text)
        yield Taint(key=key, value=value, effect=effect), found


def errors(evidence: Evidence, pod: Pod, most: int = 2) -> Iterator[Citation]:
    """The newest entries of severity E or F that name the Pod."""
    found = [x for x in speaks_of(seen(evidence.logs), pod.namespace, pod.name) if x.severity in {"E", "F"}]
    return (cite(line) for line in found[-most:])


def cite(line: LogLine) -> Citation:
    """The line as proof."""
    return Citation(object=f"log {line.origin}", field=f"line {line.number}", value=line.text.strip(), at=line.at)
