"""quota-requires-requests: a ResourceQuota demands requests or limits that the Pod template lacks.

What it means
    The namespace counts CPU or memory, so each container must say how much it takes. Nothing is used up.

How it is recognised
    The refusal reads `failed quota: NAME: must specify …`: `requests.cpu,requests.memory` up to 1.21,
    `requests.cpu for: web; requests.memory for: web` since 1.22 (with the containers). Proved by these words.

What to do
    Set the named requests or limits on the containers, or give the namespace defaults with a LimitRange.

Limits
    Before 1.22 the text names no container: then those of the template that lack the value are named.
    `exceeded quota` is another cause (quota-exceeded).

References
    kube-apiserver admission plugin ResourceQuota, pkg/quota/v1/evaluator/core/pods.go (v1.37);
    https://kubernetes.io/docs/concepts/policy/resource-quotas/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_pod._refusal import refusal
from whypending.classifiers.no_pod._template import change_template, pod_spec
from whypending.classifiers.words import field_citation, kubectl, names
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.container import Container
from whypending.objects.policy import ResourceQuota
from whypending.patterns import Pattern

CAUSE = Cause("WP502", "quota-requires-requests", Triage.NO_POD, refines=("pod-creation-rejected",))

_TEXT = Pattern(r"failed quota: (?P<quota>\S+): must specify (?P<missing>.+)")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Which quota, which values, which containers."""
    found = refusal(evidence)
    match = _TEXT.search(found.words) if found else None
    if found is None or match is None:
        return
    namespace = found.workload.namespace
    missing = _missing(match["missing"], evidence)
    containers = tuple(dict.fromkeys(c for cs in missing.values() for c in cs))
    listed = names((f'"{c}"' for c in containers), shown=6)
    who = f"container {listed} of {found.target.ref} does not set"
    if len(containers) != 1:
        who = f"{f'containers {listed}' if listed else 'the containers'} of {found.target.ref} do not set"
    quota = next((q for q in seen(evidence.quotas) if q.name == match["quota"]), None)
    yield CAUSE.finding(
        f"ResourceQuota {namespace}/{match['quota']} demands {names(missing, shown=6)}, which {who}.",
        citations=(found.proof, *_hard(quota, missing)),
        remedies=tuple(_remedies(evidence, match["quota"], quota, missing)),
    )


def _missing(text: str, evidence: Evidence) -> Mapping[str, tuple[str, ...]]:
    """Resource to the containers that lack it, as the text says or as the template shows."""
    if " for: " in text:
        pairs = (part.partition(" for: ") for part in text.split("; "))
        return {what.strip(): tuple(c.strip() for c in who.split(",")) for what, _, who in pairs}
    spec = pod_spec(evidence)
    containers = (*spec.init_containers, *spec.containers)
    resources = [r.strip() for r in text.split(",")]
    return {r: tuple(c.name for c in containers if not _has(c, r)) for r in resources}


def _has(container: Container, name: str) -> bool:
    kind, dot, resource = name.partition(".")
    if not dot or kind not in {"requests", "limits"}:
        return name in container.resources.requests or name in container.resources.limits
    if kind == "limits":
        return resource in container.resources.limits
    return resource in container.resources.requests or resource in container.resources.limits


def _hard(quota: ResourceQuota | None, missing: Mapping[str, object]) -> Iterator[Citation]:
    for name in missing:
        if quota is not None and name in quota.spec.hard:
            yield field_citation(quota, f"spec.hard[{name}]", quota.spec.hard[name])


def _remedies(
    evidence: Evidence, name: str, quota: ResourceQuota | None, missing: Mapping[str, tuple[str, ...]]
) -> Iterator[Remedy]:
    namespace = evidence.target.namespace
    yield change_template(evidence, f"Set {names(missing, shown=6)} on each container")
    yield look(
        "Or let a LimitRange give such defaults to every container of the namespace; see what is there.",
        kubectl(namespace, "get", "limitranges", "-o", "yaml"),
    )
    for resource, value in (quota.spec.hard if quota else {}).items():
        if "memory" in resource and str(value).endswith("m"):
            yield change(
                f"Correct the quota too: {resource} {value} means thousandths of a byte (Mi is mebibytes).",
                kubectl(namespace, "edit", f"resourcequota/{name}"),
            )
