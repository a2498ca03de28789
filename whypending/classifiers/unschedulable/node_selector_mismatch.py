"""node-selector-mismatch: nodeSelector or node affinity matches no (remaining) node.

What it means
    The Pod demands labels that the refused nodes do not carry. A label is missing or spelt otherwise, or such nodes
    exist and fail for another reason.

How it is recognised
    `didn't match Pod's node affinity/selector` (older: `didn't match node selector`, `MatchNodeSelector`) in the
    scheduler's verdict: proved. Each requirement is held against the Nodes' labels, so that the one that no node
    fulfils can be named.

What to do
    Correct the selector in the workload, label the nodes that are meant, or add such a node. Where nodes match,
    look at the other reasons.

Limits
    Nodes outside what is readable are not counted. An autoscaler may still make a matching node.

References
    NodeAffinity, NodeName, kube-scheduler 1.2 to 1.37; kubernetes.io "Assigning Pods to Nodes".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._candidates import obstacle
from whypending.classifiers.unschedulable._owner import edited, patched
from whypending.classifiers.unschedulable._selection import Demand, Selection, selection_of
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.node import Node
from whypending.objects.pod import Pod
from whypending.objects.selectors import show

CAUSE = Cause("WP314", "node-selector-mismatch", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    chosen = selection_of(evidence, this.pod)
    yield CAUSE.finding(
        sentence(f"{_message(this, chosen)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(_cite(this, d) for d in chosen.unmet or chosen.demands[:3])),
        remedies=_remedies(evidence, this, chosen),
    )


def _message(this: Told, chosen: Selection) -> str:
    pod = this.pod.ref
    if not chosen.text:
        words = this.words.rstrip(". ")
        return f'The scheduler refuses {this.subject} for {pod} with "{words}", though the Pod demands no label as read'
    if chosen.unmet:
        unmet = names([_named(d) for d in chosen.unmet])
        return f"No node carries {unmet}, which {pod} demands"
    if not chosen.nodes:
        return f"{this.subject} {this.verb('fails', 'fail')} what {pod} demands of a node: {chosen.text}"
    if chosen.fitting:
        found = names([n.name for n in chosen.fitting])
        return (
            f"Only {found} {'matches' if len(chosen.fitting) == 1 else 'match'} what {pod} demands of a node"
            f" ({chosen.text}); {this.subject} {this.verb('fails', 'fail')} it"
        )
    single = ", ".join(f"{d.text} on {d.met_by}" for d in chosen.demands)
    counted = f" (each alone: {single})" if single else ""
    return f"No node fulfils all of what {pod} demands: {chosen.text}{counted}"


def _named(demand: Demand) -> str:
    return f"the name {demand.text.partition('=')[2]}" if "matchFields" in demand.field else demand.text


def _cite(this: Told, demand: Demand) -> Citation:
    return Citation(object=this.pod.ref, field=demand.field, value=demand.value)


def _easiest(pod: Pod, nodes: tuple[Node, ...]) -> tuple[Node, str]:
    """The first node that nothing else known keeps the Pod off; else the first, with what does."""
    seen = [(n, obstacle(pod, n)) for n in nodes]
    return next(((n, why) for n, why in seen if not why), seen[0])


def _remedies(evidence: Evidence, this: Told, chosen: Selection) -> Iterator[Remedy]:
    yield look("See which labels the nodes carry.", "kubectl get nodes --show-labels")
    for demand in chosen.unmet:
        label = demand.requirement
        if label.operator == "In" and "matchFields" not in demand.field and chosen.nodes:
            value = f"{label.key}={label.values[0]}"
            node, left = _easiest(this.pod, chosen.nodes)
            command = f"kubectl label node {shlex.quote(node.name)} {shlex.quote(value)}"
            yet = f"; the label alone is not enough there, as it {left}" if left else ""
            yield change(f"Label the nodes that are meant with {value}, for example {node.name}{yet}.", command)
        if demand.field.startswith("spec.nodeSelector"):
            yield patched(evidence, this.pod, f"Or drop {show(label)}", {"nodeSelector": {label.key: None}})
    if not chosen.unmet:
        yield edited(evidence, this.pod, "Correct the nodeSelector or node affinity")
    yield change("Or add a node that carries the labels.")
