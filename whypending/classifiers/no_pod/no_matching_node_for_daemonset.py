"""no-matching-node-for-daemonset: the DaemonSet wants no Pod, because no node matches it.

What it means
    A DaemonSet makes one Pod for each node that fits its node selector, node affinity and tolerations. None fits, so it
    is content with zero.

How it is recognised
    The target is a DaemonSet whose `status.desiredNumberScheduled` is 0 with `status.observedGeneration` current:
    proved. Where the Nodes were read, it says which label is missing or which taints keep it away.

What to do
    Label the nodes, correct the selector, or tolerate the taints.

Limits
    `spec.template.spec.nodeName` also pins a DaemonSet; then only that node counts.

References
    apps/v1 DaemonSet status.desiredNumberScheduled; pkg/controller/daemon/daemon_controller.go
    NodeShouldRunDaemonPod (v1.37).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_pod._template import change_template
from whypending.classifiers.words import field_citation, kubectl, names, plural
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence, is_known, seen
from whypending.objects.node import Node
from whypending.objects.pod import PodSpec, Toleration
from whypending.objects.selectors import as_requirements, matches_pod, required_terms, show_all
from whypending.objects.tolerations import first_untolerated

CAUSE = Cause("WP516", "no-matching-node-for-daemonset", Triage.NO_POD)

_ADDED = (
    ("not-ready", "NoExecute"),
    ("unreachable", "NoExecute"),
    ("disk-pressure", "NoSchedule"),
    ("memory-pressure", "NoSchedule"),
    ("pid-pressure", "NoSchedule"),
    ("unschedulable", "NoSchedule"),
)
"""`node.kubernetes.io/…` taints that every DaemonSet Pod tolerates (pkg/controller/daemon/util, v1.37)."""


def classify(evidence: Evidence) -> Iterator[Finding]:
    """That it wants none, and as far as the Nodes tell, why."""
    workload = next(iter(seen(evidence.owners)), None)
    if workload is None or workload.kind != "DaemonSet" or workload.status.desired_number_scheduled != 0:
        return
    observed = workload.status.observed_generation
    if observed is not None and observed < (workload.metadata.generation or 0):
        return
    spec = workload.spec.template.spec
    why = _why(spec, seen(evidence.nodes)) if is_known(evidence.nodes) else ""
    yield CAUSE.finding(
        f"{workload.ref} makes no Pod, because no node matches it{why or '; the Nodes were not read'}.",
        citations=(
            field_citation(workload, "status.desiredNumberScheduled", 0),
            *(
                field_citation(workload, f"spec.template.spec.nodeSelector[{key}]", value)
                for key, value in spec.node_selector.items()
            ),
        ),
        remedies=tuple(_remedies(evidence, spec, seen(evidence.nodes))),
    )


def _why(spec: PodSpec, nodes: Sequence[Node]) -> str:
    if not nodes:
        return ": there is no Node"
    selected = [n for n in nodes if matches_pod(spec, n)]
    if not selected:
        if len(nodes) == 1:
            return f": the only Node, {nodes[0].name}, has not {_wanted(spec)}"
        return f": none of the {len(nodes)} Nodes has {_wanted(spec)}"
    taints = names(str(t) for n in selected for t in [first_untolerated(n, _tolerations(spec))] if t)
    matching = f"{plural(len(selected), 'Node')} that {'its' if spec.node_selector else 'the'} selector allows"
    return f": {matching} {'has' if len(selected) == 1 else 'have'} the taint {taints}" if taints else ""


def _wanted(spec: PodSpec) -> str:
    """The labels that are asked for, as kubectl writes a selector."""
    terms = [show_all((*t.match_expressions, *t.match_fields)) for t in required_terms(spec)]
    return " and ".join(x for x in (show_all(as_requirements(spec.node_selector)), " or ".join(terms)) if x)


def _tolerations(spec: PodSpec) -> tuple[Toleration, ...]:
    """With those that the DaemonSet controller adds."""
    added = [*_ADDED, ("network-unavailable", "NoSchedule")] if spec.host_network else _ADDED
    own = (Toleration(key=f"node.kubernetes.io/{key}", operator="Exists", effect=effect) for key, effect in added)
    return (*spec.tolerations, *own)


def _remedies(evidence: Evidence, spec: PodSpec, nodes: Sequence[Node]) -> Iterator[Remedy]:
    yield look("See which labels the nodes have.", kubectl("", "get", "nodes", "--show-labels"))
    if any(matches_pod(spec, n) for n in nodes):
        yield change_template(evidence, "Tolerate the taint")
        return
    if spec.node_selector and len(nodes) == 1:
        labels = [f"{k}={v}" for k, v in spec.node_selector.items()]
        yield change("Give the node that label.", kubectl("", "label", "node", nodes[0].name, *labels))
    yield change_template(evidence, "Correct nodeSelector or the node affinity")
