"""quota-exceeded: a ResourceQuota of the namespace is used up.

What it means
    The new Pod would take the namespace over its limit, so the API server refuses it. Nodes may well have room.

How it is recognised
    The refusal reads `exceeded quota: NAME, requested: …, used: …, limited: …` (proved), `insufficient quota to
    consume: …` or `insufficient quota to match these scopes: …` (a resource or priority class that is limited by
    configuration and that no quota of the namespace allows). `status` of the ResourceQuota, where it was read, shows
    what is used now.

What to do
    Free some of it, ask for less, or raise the quota. Old Pods that hold it are the first place to look. Where a single
    Pod asks for more than the whole quota, freeing does not help: only the other two do.

Limits
    The numbers in the text are those of the attempt; the quota's status can be newer, and both are shown.

References
    kube-apiserver admission plugin ResourceQuota, apiserver pkg/admission/plugin/resourcequota/controller.go (v1.37);
    https://kubernetes.io/docs/concepts/policy/resource-quotas/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_pod._refusal import Refusal, refusal
from whypending.classifiers.no_pod._template import change_template
from whypending.classifiers.words import field_citation, kubectl, names
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.policy import ResourceQuota
from whypending.objects.quantity import parse_quantity
from whypending.patterns import Pattern

CAUSE = Cause("WP506", "quota-exceeded", Triage.NO_POD, refines=("pod-creation-rejected",))

_EXCEEDED = Pattern(
    r"exceeded quota: (?P<quota>[^,\s]+), requested: (?P<requested>\S+), used: (?P<used>\S+), limited: (?P<limited>\S+)"
)
_UNCOVERED = Pattern(r"insufficient quota to (?:consume|match these scopes): (?P<what>.+)")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Which quota and by how much, or that no quota allows it."""
    found = refusal(evidence)
    if found is None:
        return
    if match := _EXCEEDED.search(found.words):
        yield _exceeded(evidence, found, match)
    elif match := _UNCOVERED.search(found.words):
        namespace = found.workload.namespace
        yield CAUSE.finding(
            f"No ResourceQuota of namespace {namespace} allows {found.whose} to use {match['what'].strip()}, "
            "which this cluster permits only under a quota.",
            citations=(found.proof,),
            remedies=(
                look("Compare with the quotas of the namespace.", kubectl(namespace, "get", "resourcequotas")),
                change_template(evidence, "Or choose a priority class or resource that is not limited"),
            ),
        )


def _exceeded(evidence: Evidence, found: Refusal, match: re.Match[str]) -> Finding:
    name = match["quota"]
    requested, used, limited = (_values(match[key]) for key in ("requested", "used", "limited"))
    parts = (
        f"{r} (asks for {value}, {used.get(r, '?')} of {limited.get(r, '?')} used)" for r, value in requested.items()
    )
    never = {r: value for r, value in requested.items() if _is_more(value, limited.get(r))}
    quota = next((q for q in seen(evidence.quotas) if q.name == name), None)
    namespace = found.workload.namespace
    message = f"has no room for {found.whose}: {names(parts, shown=4)}"
    if never:
        more = (f"{r} {value} where the whole quota is {limited[r]}" for r, value in never.items())
        message = f"is too small for even one of {found.whose}, which asks for {names(more, shown=4)}"
    return CAUSE.finding(
        f"ResourceQuota {namespace}/{name} {message}.",
        citations=(found.proof, *_now(quota, requested)),
        remedies=tuple(_remedies(evidence, namespace, name, never or requested, full=not never)),
    )


def _is_more(value: str, whole: str | None) -> bool:
    """One Pod asks for more than the whole quota; not where one of the two is no quantity."""
    try:
        return whole is not None and parse_quantity(value) > parse_quantity(whole)
    except ValueError:
        return False


def _values(text: str) -> dict[str, str]:
    """`limits.cpu=1,pods=2` by resource."""
    pairs = (part.rpartition("=") for part in text.rstrip(".").split(","))
    return {name: value for name, _, value in pairs}


def _now(quota: ResourceQuota | None, resources: Mapping[str, str]) -> Iterator[Citation]:
    for name in resources:
        if quota is not None and name in quota.status.used:
            value = f"{quota.status.used[name]} of {quota.status.hard.get(name, '?')}"
            yield field_citation(quota, f"status.used[{name}]", value)


def _remedies(
    evidence: Evidence, namespace: str, name: str, resources: Mapping[str, str], *, full: bool
) -> Iterator[Remedy]:
    if full:
        yield look(
            f"See what uses ResourceQuota {name} now, and delete or scale down what is not needed.",
            kubectl(namespace, "describe", f"resourcequota/{name}"),
        )
    counted = [r for r in resources if r.startswith(("requests.", "limits.")) or r in {"cpu", "memory"}]
    if counted:
        yield change_template(evidence, f"{'Or ask' if full else 'Ask'} for less ({names(counted)})")
    yield change(
        f"{'Or raise' if full or counted else 'Raise'} {names(resources)} in the quota, if the cluster has it to give.",
        kubectl(namespace, "edit", f"resourcequota/{name}"),
    )
