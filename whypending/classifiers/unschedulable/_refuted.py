"""Which reasons of the verdict the objects contradict by now. Only what needs no replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from whypending.classifiers.unschedulable._candidates import may_use
from whypending.classifiers.unschedulable._claims import claims_of, volume_of
from whypending.classifiers.unschedulable._memo import once
from whypending.classifiers.unschedulable._reasons import told_all
from whypending.evidence import Evidence, Gap


@once
def refuted(evidence: Evidence) -> tuple[str, ...]:
    """A phrase for each reason that does not hold any more; empty unless all of them are contradicted."""
    found = [_CHECKS[t.name](evidence) if t.name in _CHECKS else "" for t in told_all(evidence)]
    return tuple(dict.fromkeys(found)) if found and all(found) else ()


def _claims_exist(evidence: Evidence) -> str:
    claims = claims_of(evidence)
    ready = claims and all(c.claim and not c.claim.metadata.deletion_timestamp for c in claims)
    return "its claims exist now" if ready else ""


def _claims_bound(evidence: Evidence) -> str:
    claims = claims_of(evidence)
    return "its claims are bound now" if claims and all(c.is_bound for c in claims) else ""


def _volumes_exist(evidence: Evidence) -> str:
    claims = [c for c in claims_of(evidence) if c.is_bound]
    return "its volumes exist now" if claims and all(volume_of(evidence, c) for c in claims) else ""


def _nodes_exist(evidence: Evidence) -> str:
    return "" if isinstance(evidence.nodes, Gap) or not evidence.nodes else "there are nodes now"


def _nodes_open(evidence: Evidence) -> str:
    pod = evidence.the_pod
    if pod is None or isinstance(evidence.nodes, Gap):
        return ""
    if any(word in r.text for t in told_all(evidence) for r in t.reasons for word in _BEYOND):
        return ""
    usable = [n.name for n in evidence.nodes if may_use(pod, n)]
    return f"{usable[0]} is open to it now" if usable else ""


_BEYOND = ("enforced", "requested", "service affinity")
"""Words of refusals that the Pod's own selector and the Nodes' labels can't contradict."""
_OPENED = (
    "untolerated-taint",
    "control-plane-taint",
    "startup-taint-left",
    "cloud-provider-uninitialized",
    "node-unreachable",
    "node-not-ready",
    "node-disk-pressure",
    "node-memory-pressure",
    "node-pid-pressure",
    "node-cordoned",
    "node-selector-mismatch",
)
_CHECKS: Mapping[str, Callable[[Evidence], str]] = {
    "pvc-not-found": _claims_exist,
    "pvc-unbound": _claims_bound,
    "binding-timeout": _claims_bound,
    "pv-not-found": _volumes_exist,
    "no-nodes": _nodes_exist,
    **dict.fromkeys(_OPENED, _nodes_open),
}
