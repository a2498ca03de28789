"""karpenter-nominated-not-used: Karpenter nominated or made a node, which the scheduler then refuses.

What it means
    Karpenter simulated the Pod on a node (or a new NodeClaim) and found it fits. The scheduler does not agree, or the
    node never became usable: it did not register, kept a start-up taint, or reports less than expected.

How it is recognised
    A `Nominated` Event by karpenter more than five minutes old, with the Pod still refused and no later word of
    Karpenter: likely. The NodeClaims' conditions are quoted where they could be read.

What to do
    Look at that node or NodeClaim: why it is not Registered or Initialized, and what the scheduler says of it.

Limits
    Making a node takes some minutes; before that this is no fault.

References
    Karpenter 0.30 to 1.14, Event `Nominated`; NodeClaim conditions Launched, Registered, Initialized.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from datetime import timedelta

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._verdict import cite_event, newest, verdict_of
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Role, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.base import CustomObject
from whypending.patterns import Pattern

CAUSE = Cause("WP337", "karpenter-nominated-not-used", Triage.UNSCHEDULABLE)
PATIENCE = timedelta(minutes=5)
_PLACES = Pattern(r"(?P<kind>nodeclaim|machine|node)s?/(?P<name>[a-z0-9.-]{1,253})", re.IGNORECASE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding, contributing."""
    pod, verdict = evidence.the_pod, verdict_of(evidence)
    event = newest(evidence, "Nominated", by=("karpenter",))
    later = newest(evidence, "FailedScheduling", by=("karpenter",))
    if pod is None or verdict is None or event is None or (later and later.last_seen > event.last_seen):
        return
    if evidence.now - event.last_seen < PATIENCE:
        return
    places = {m["kind"].lower(): m["name"] for m in _PLACES.finditer(event.text)}
    claim = next((c for c in seen(evidence.node_claims) if c.name == places.get("nodeclaim")), None)
    where = " and ".join(f"{kind} {name}" for kind, name in places.items()) or "a node"
    minutes = int((evidence.now - event.last_seen).total_seconds() // 60)
    state = f"; {claim.ref} is not {', '.join(_unmet(claim))}" if claim is not None and _unmet(claim) else ""
    yield CAUSE.finding(
        sentence(
            f"Karpenter chose {where} for {pod.ref} {minutes} minutes ago, and the scheduler still refuses it{state}"
        ),
        confidence=Confidence.LIKELY,
        role=Role.CONTRIBUTING if verdict.reasons else Role.CAUSE,
        citations=(cite_event(event, pod), *verdict.citations, *(_cite(claim) if claim is not None else ())),
        remedies=_remedies(places),
    )


def _conditions(claim: CustomObject) -> Iterator[tuple[str, str, str]]:
    conditions = claim.status.get("conditions")
    for item in conditions if isinstance(conditions, list) else ():
        if isinstance(item, Mapping):
            yield str(item.get("type", "")), str(item.get("status", "")), str(item.get("message", ""))


def _unmet(claim: CustomObject) -> list[str]:
    wanted = ("Launched", "Registered", "Initialized")
    return [kind for kind, status, _ in _conditions(claim) if kind in wanted and status != "True"]


def _cite(claim: CustomObject) -> Iterator[Citation]:
    for kind, status, message in _conditions(claim):
        if status != "True":
            value = f"{status} ({message})" if message else status
            yield Citation(object=claim.ref, field=f"status.conditions[type={kind}]", value=value)


def _remedies(places: Mapping[str, str]) -> Iterator[Remedy]:
    if "nodeclaim" in places:
        yield look(
            "See why the NodeClaim is not usable.", f"kubectl describe nodeclaim {shlex.quote(places['nodeclaim'])}"
        )
    if "node" in places:
        yield look("See the node's taints and room.", f"kubectl describe node {shlex.quote(places['node'])}")
    if not places:
        yield look("See the NodeClaims.", "kubectl get nodeclaims -o wide")
    yield change(
        "Repair what keeps that node from registering, or from fitting: start-up taints, DaemonSet requests, labels."
    )
