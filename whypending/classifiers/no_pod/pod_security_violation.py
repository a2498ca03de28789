"""pod-security-violation: Pod Security admission forbids the Pod in this namespace.

What it means
    The namespace enforces a Pod Security level (baseline or restricted), and the Pod asks for more or leaves out what
    the level demands.

How it is recognised
    The refusal reads `violates PodSecurity "LEVEL:VERSION": RULE (detail), RULE (detail) …`: proved. Each rule names
    the field and the containers or volumes.

What to do
    Set what each rule asks for; where all of them only miss a value, one patch does it. Or lower the namespace's level,
    if this workload really needs the rights.

Limits
    runAsNonRoot: true makes the container fail later if the image's user is root; the image is not looked at.

References
    k8s.io/pod-security-admission policy/check_*.go (v0.37);
    https://kubernetes.io/docs/concepts/security/pod-security-standards/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_pod._pod_security import Violation, fix, parse, patch
from whypending.classifiers.no_pod._refusal import refusal
from whypending.classifiers.no_pod._template import change_template, patch_template, pod_spec
from whypending.classifiers.words import kubectl, names
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP504", "pod-security-violation", Triage.NO_POD, refines=("pod-creation-rejected",))


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The level, and each rule with its fix."""
    found = refusal(evidence)
    violation = parse(found.words) if found else None
    if found is None or violation is None:
        return
    namespace = found.workload.namespace
    yield CAUSE.finding(
        f"Namespace {namespace} enforces Pod Security {violation.level}, which {found.whose} break: "
        f"{_broken(violation)}.",
        citations=(found.proof,),
        remedies=tuple(_remedies(evidence, namespace, violation)),
    )


def _broken(violation: Violation) -> str:
    """The rules by name, with the containers (once, if they are the same) or what else the detail says."""
    every = {r.containers for r in violation.rules}
    if len(every) == 1 and (same := every.pop()):
        noun = "container" if len(same) == 1 else "containers"
        return f"{names((r.reason for r in violation.rules), shown=6)} ({noun} {names(_quoted(same))})"
    return names((f"{r.reason} ({r.detail})" if r.detail else r.reason for r in violation.rules), shown=6)


def _quoted(containers: Sequence[str]) -> list[str]:
    return [f'"{name}"' for name in containers]


def _remedies(evidence: Evidence, namespace: str, violation: Violation) -> Iterator[Remedy]:
    spec = pod_spec(evidence)
    own = {c.name for c in (*spec.init_containers, *spec.containers)}
    body = patch(violation, spec)
    if body is not None:
        user = " (the image must run as another user than root)" if "runAsNonRoot" in str(body) else ""
        yield patch_template(evidence, f"Set all that {violation.level} asks for{user}", body)
    for rule in () if body is not None else violation.rules:
        if own and rule.containers and own.isdisjoint(rule.containers):
            continue
        what = fix(rule)
        where = f" on container {names(_quoted(rule.containers))}" if rule.containers else ""
        yield change_template(evidence, f"{what[:1].upper()}{what[1:]}{where}")
    lower = "baseline" if violation.level.startswith("restricted") else "privileged"
    yield change(
        f"Or lower the namespace to {lower}, if its workloads really need the rights.",
        kubectl("", "label", "namespace", namespace, f"pod-security.kubernetes.io/enforce={lower}", "--overwrite"),
    )
