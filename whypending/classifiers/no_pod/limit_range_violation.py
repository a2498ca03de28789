"""limit-range-violation: a LimitRange of the namespace forbids the Pod's requests or limits.

What it means
    Each Pod or container of this namespace must stay between a minimum and a maximum, and this one does not.

How it is recognised
    The refusal holds `maximum cpu usage per Container is 1, but limit is 2.` or its kin (minimum, no request or limit
    specified, max limit to request ratio). The text does not name the LimitRange; it is named where one was read whose
    bound is the same. The words themselves are proof.

What to do
    Bring the requests or limits between the bounds, or change the LimitRange.

Limits
    A LimitRange also fills in defaults; a container that sets nothing can be refused for a default that breaks
    another bound.

References
    kube-apiserver admission plugin LimitRanger, plugin/pkg/admission/limitranger/admission.go (v1.37);
    https://kubernetes.io/docs/concepts/policy/limit-range/
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_pod._refusal import refusal
from whypending.classifiers.no_pod._template import change_template
from whypending.classifiers.words import field_citation, kubectl, names, resource
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.policy import LimitRange
from whypending.patterns import Pattern

CAUSE = Cause("WP507", "limit-range-violation", Triage.NO_POD, refines=("pod-creation-rejected",))

_BOUND = Pattern(
    r"(?P<side>minimum|maximum) (?P<resource>\S+) usage per (?P<type>\w+) is (?P<bound>[^\s,]+?)"
    r"(?:, but (?P<kind>request|limit) is (?P<value>[^\s,\]]+)|\.\s+No (?P<none>request|limit) is specified)"
)
_RATIO = Pattern(
    r"(?P<resource>\S+) max limit to request ratio per (?P<type>\w+) is (?P<bound>[^\s,]+), but "
    r"(?:provided ratio is (?P<ratio>[\d.]+\d)|no (?P<none>request|limit) is specified)"
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each bound that is broken, and whose it is."""
    found = refusal(evidence)
    if found is None:
        return
    bounds = list(_BOUND.finditer(found.words))
    parts = [_bound(m) for m in bounds] + [_ratio(m) for m in _RATIO.finditer(found.words)]
    if not parts:
        return
    namespace = found.workload.namespace
    owners = [pair for m in bounds for pair in _owner(evidence, m)]
    whose = f"LimitRange {names(x.ref.removeprefix('LimitRange ') for x, _ in owners)}" if owners else "A LimitRange"
    where = "" if owners else f" of namespace {namespace}"
    shown = kubectl(namespace, "get", *([resource(owners[0][0])] if owners else ["limitranges"]), "-o", "yaml")
    yield CAUSE.finding(
        f"{whose}{where} forbids {found.whose}: {names(parts, shown=4)}.",
        citations=(found.proof, *(c for _, c in owners)),
        remedies=(
            change_template(evidence, f"Set {names(_wanted(m) for m in bounds) or 'limits within the ratio'}"),
            look("Or change the bounds, if they are wrong; see them first.", shown),
        ),
    )


def _bound(match: re.Match[str]) -> str:
    state = f"{match['kind']} is {match['value']}" if match["kind"] else f"no {match['none']} is set"
    return f"{match['resource']} {state} where the {match['side']} per {match['type']} is {match['bound']}"


def _ratio(match: re.Match[str]) -> str:
    state = f"limit to request ratio is {match['ratio']}" if match["ratio"] else f"{match['none']} is not set"
    return f"{match['resource']} {state} where the ratio per {match['type']} must not be above {match['bound']}"


def _wanted(match: re.Match[str]) -> str:
    edge = "at least" if match["side"] == "minimum" else "at most"
    return f"{match['kind'] or match['none']}s.{match['resource']} to {edge} {match['bound']}"


def _owner(evidence: Evidence, match: re.Match[str]) -> Iterator[tuple[LimitRange, Citation]]:
    """The LimitRanges that hold this very bound."""
    side = "min" if match["side"] == "minimum" else "max"
    for item in seen(evidence.limit_ranges):
        for index, limits in enumerate(item.spec.limits):
            value = (limits.min if side == "min" else limits.max).get(match["resource"])
            if limits.type == match["type"] and str(value) == match["bound"]:
                yield item, field_citation(item, f"spec.limits[{index}].{side}.{match['resource']}", value)
