"""Which of the Pod's demands on a node's labels fail, and on how many nodes each holds."""

from __future__ import annotations

import msgspec

from whypending.evidence import Evidence, Gap
from whypending.objects.base import LabelSelectorRequirement
from whypending.objects.node import Node
from whypending.objects.pod import Pod
from whypending.objects.selectors import as_requirements, matches, matches_pod, required_terms, show, show_all


class Demand(msgspec.Struct, frozen=True):
    """One requirement, where the Pod has it, and how many nodes fulfil it (None: the Nodes were not read)."""

    requirement: LabelSelectorRequirement
    field: str
    met_by: int | None

    @property
    def text(self) -> str:
        """As kubectl writes it."""
        return show(self.requirement)

    @property
    def value(self) -> str:
        """The value at `field`: of a nodeSelector the label's value, of an expression the whole of it."""
        return self.requirement.values[0] if self.field.startswith("spec.nodeSelector") else self.text


class Selection(msgspec.Struct, frozen=True):
    """All demands, the whole selector as text, and the nodes that fulfil everything."""

    demands: tuple[Demand, ...]
    text: str
    fitting: tuple[Node, ...]
    nodes: tuple[Node, ...] | None

    @property
    def unmet(self) -> tuple[Demand, ...]:
        """Demands that no node fulfils at all."""
        return tuple(d for d in self.demands if d.met_by == 0)


def selection_of(evidence: Evidence, pod: Pod) -> Selection:
    """NodeSelector and the required node affinity, held against the Nodes."""
    nodes = None if isinstance(evidence.nodes, Gap) else evidence.nodes
    terms = required_terms(pod.spec)
    parts = [(r, f"spec.nodeSelector[{r.key}]") for r in as_requirements(pod.spec.node_selector)]
    if len(terms) == 1:
        base = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
        parts += [(r, f"{base}.matchExpressions[{r.key}]") for r in terms[0].match_expressions]
        parts += [(r, f"{base}.matchFields[{r.key}]") for r in terms[0].match_fields]
    shown = [show_all(as_requirements(pod.spec.node_selector))]
    shown.append(" or ".join(show_all((*t.match_expressions, *t.match_fields)) for t in terms))
    return Selection(
        demands=tuple(Demand(r, field, _met(r, field, nodes)) for r, field in parts),
        text=" and ".join(t for t in shown if t),
        fitting=tuple(n for n in nodes or () if matches_pod(pod.spec, n)),
        nodes=nodes,
    )


def _met(requirement: LabelSelectorRequirement, field: str, nodes: tuple[Node, ...] | None) -> int | None:
    if nodes is None:
        return None
    is_field = "matchFields" in field
    return sum(matches(requirement, {"metadata.name": n.name} if is_field else n.metadata.labels) for n in nodes)
