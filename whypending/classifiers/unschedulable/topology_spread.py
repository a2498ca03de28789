"""topology-spread: a DoNotSchedule topology spread constraint excludes the nodes.

What it means
    The Pods of this kind must spread evenly over zones or nodes. Where one more would make the difference larger
    than `maxSkew` the scheduler refuses; the domains that would be allowed have no room or no usable node.

How it is recognised
    `didn't match pod topology spread constraints` in the scheduler's verdict: proved. The DoNotSchedule constraints
    are quoted; with the Nodes and siblings readable, the Pods in each domain are counted. `(missing required label)`
    means that the nodes lack the topology label.

What to do
    Make room in the emptiest domain, label the nodes, or use `whenUnsatisfiable: ScheduleAnyway`.

Limits
    The count covers Pods of the same controller only. Domains of nodes that can't be used still count for the
    scheduler unless `nodeTaintsPolicy` or `nodeAffinityPolicy` say otherwise.

References
    PodTopologySpread, kube-scheduler 1.16 to 1.37; kubernetes.io "Pod Topology Spread Constraints".
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._owner import edited
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence, Gap, seen
from whypending.objects.pod import Pod, TopologySpreadConstraint
from whypending.objects.selectors import matches_selector, show_selector

CAUSE = Cause("WP317", "topology-spread", Triage.UNSCHEDULABLE)
_MOST_DOMAINS = 8


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    hard = [c for c in this.pod.spec.topology_spread_constraints if c.when_unsatisfiable != "ScheduleAnyway"]
    yield CAUSE.finding(
        sentence(f"{_message(evidence, this, hard)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *(_cite(this.pod, c) for c in hard)),
        remedies=_remedies(evidence, this, hard),
    )


def _message(evidence: Evidence, this: Told, hard: list[TopologySpreadConstraint]) -> str:
    pod, verb = this.pod.ref, this.verb
    bare = [c.topology_key for c in hard if _lacking(evidence, c.topology_key)]
    if "label" in this.facts("missing"):
        key = bare or [c.topology_key for c in hard]
        return f"{this.subject} {verb('lacks', 'lack')} the label {names(key)} that {pod} must be spread over"
    if not hard:
        return f"{this.subject} would break the topology spread constraints of {pod}"
    rules = names([f"{c.topology_key} with maxSkew {c.max_skew}" for c in hard])
    counts = [text for c in hard if (text := _domains(evidence, c))]
    now = f"; now {'; '.join(counts)}" if counts else ""
    return f"{this.subject} would break the even spread of {pod} over {rules}{now}"


def _lacking(evidence: Evidence, key: str) -> bool:
    return any(key not in n.metadata.labels for n in seen(evidence.nodes))


def _domains(evidence: Evidence, constraint: TopologySpreadConstraint) -> str:
    if isinstance(evidence.nodes, Gap) or isinstance(evidence.siblings, Gap):
        return ""
    domain = {n.name: n.metadata.labels.get(constraint.topology_key, "") for n in evidence.nodes}
    count = Counter({d: 0 for d in domain.values() if d})
    for other in evidence.siblings:
        found = domain.get(other.spec.node_name, "")
        if found and matches_selector(constraint.label_selector, other.metadata.labels):
            count[found] += 1
    return ", ".join(f"{d} has {n}" for d, n in sorted(count.items())) if 0 < len(count) <= _MOST_DOMAINS else ""


def _cite(pod: Pod, constraint: TopologySpreadConstraint) -> Citation:
    field = f"spec.topologySpreadConstraints[topologyKey={constraint.topology_key}]"
    value = f"maxSkew={constraint.max_skew} {constraint.when_unsatisfiable} {show_selector(constraint.label_selector)}"
    return Citation(object=pod.ref, field=field, value=value)


def _remedies(evidence: Evidence, this: Told, hard: list[TopologySpreadConstraint]) -> Iterator[Remedy]:
    keys = ",".join(c.topology_key for c in hard)
    if keys:
        yield look("See which domain each node is in.", f"kubectl get nodes -L {shlex.quote(keys)}")
    if "label" in this.facts("missing"):
        yield change("Label the nodes, or choose a topologyKey that they carry.")
    else:
        yield change("Make room in the domain with the fewest of these Pods: add a node there.")
    yield edited(evidence, this.pod, "Or set whenUnsatisfiable: ScheduleAnyway")
