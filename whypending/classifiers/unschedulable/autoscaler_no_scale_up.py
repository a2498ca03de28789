"""autoscaler-no-scale-up: cluster-autoscaler says that a new node would not help.

What it means
    cluster-autoscaler looked at this Pod, simulated a new node of each node group, and decided against it: the Pod
    would not fit there either, or the groups are at their limits.

How it is recognised
    The newest `NotTriggerScaleUp` Event of the Pod, unless a `TriggeredScaleUp` came later: proved. Log lines of the
    autoscaler that name the Pod (`Scale-up predicate failed: …`) add the node group and the predicate.

What to do
    Do what its reasons say: raise a group's maximum, add a group whose nodes fit (zone, labels, taints, size), and
    tag the group so that its template is known.

Limits
    It tells why no node comes, beside the scheduler's reasons why none is free. It is a cause of its own only beside a
    volume that pins the Pod, where it closes the way out.

References
    cluster-autoscaler 1.0 to 1.36, NotTriggerScaleUp; its FAQ, "I have pending Pods but no scale-up".
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._verdict import cite_event, newest, parse
from whypending.classifiers.unschedulable._words import sentence, unique
from whypending.diagnosis import Citation, Finding, Remedy, Role, Triage
from whypending.evidence import Evidence, LogLine, seen
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

CAUSE = Cause("WP335", "autoscaler-no-scale-up", Triage.UNSCHEDULABLE)
_PINNING = ("volume-node-affinity-conflict", "volume-zone-conflict")
_LINE = Pattern(
    r"(?:Scale-up predicate failed: )?(?P<what>[^\s\]]+) predicate mismatch, cannot put (?P<pod>\S+) on"
    r" (?:template-node-for-)?(?P<group>[^\s,]+), reason: (?P<reason>[^\n]{1,300})"
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    pod = evidence.the_pod
    event = newest(evidence, "NotTriggerScaleUp")
    if pod is None:
        return
    lines = tuple(_lines(evidence, pod))
    if (event is None and not lines) or _triggered_later(evidence, event):
        return
    reasons = [f"{r.count} {r.text}" if r.count else r.text for r in parse(event.text).reasons] if event else []
    inside = [r for r in reasons if r != event.text.rstrip(" .")] if event else []
    found = [f"{match['reason'].rstrip('. ')} on {match['group']}" for _, match in lines]
    why = ", ".join((*inside, *unique(found)[:3]))
    yield CAUSE.finding(
        sentence(f"The cluster-autoscaler adds no node for {pod.ref}: {why or 'it would not fit on a new one either'}"),
        role=Role.CAUSE if inside and any(told(evidence, n) for n in _PINNING) else Role.CONTRIBUTING,
        citations=(
            *((cite_event(event, pod),) if event else ()),
            *(Citation(object=line.origin, field=f"line {line.number}", value=line.text) for line, _ in lines[-2:]),
        ),
        remedies=_remedies(why),
    )


def _triggered_later(evidence: Evidence, refusal: Event | None) -> bool:
    triggered = newest(evidence, "TriggeredScaleUp")
    return triggered is not None and (refusal is None or triggered.last_seen > refusal.last_seen)


def _lines(evidence: Evidence, pod: Pod) -> Iterator[tuple[LogLine, re.Match[str]]]:
    for line in seen(evidence.logs):
        match = _LINE.search(line.text) if "predicate mismatch" in line.text else None
        if match and match["pod"] in {f"{pod.namespace}/{pod.name}", f"{pod.namespace}.{pod.name}"}:
            yield line, match


def _remedies(why: str) -> Iterator[Remedy]:
    command = f"kubectl -n kube-system get configmap {shlex.quote('cluster-autoscaler-status')} -o yaml"
    yield look("See the node groups, their sizes and back-offs.", command)
    text = why.lower()
    if "limit" in text or "max" in text:
        yield change("Raise the maximum size of the node group or of the cluster in the autoscaler's settings.")
    if "volume" in text:
        yield change(
            "Have one node group for each zone, tagged with its zone, so that a node can come where the volume is."
        )
    elif "limit" not in text and "max" not in text:
        yield change("Add a node group whose nodes fit the Pod, or tag the group so that its template node is right.")
