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

from collections.abc import Iterator

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
    rules = names((r.detail or r.reason for r in violation.rules), shown=5)
    yield CAUSE.finding(
        f"Namespace {namespace} enforces Pod Security {violation.level}, which the Pods of {found.workload.ref} "
        f"break: {rules}.",
        citations=found.citations,
        remedies=tuple(_remedies(evidence, namespace, violation)),
    )


def _remedies(evidence: Evidence, namespace: str, violation: Violation) -> Iterator[Remedy]:
    body = patch(violation, pod_spec(evidence))
    if body is not None:
        yield patch_template(evidence, f"Set what {violation.level} asks for", body)
    for rule in violation.rules:
        what = fix(rule)
        where = f" on container {names(rule.containers)}" if rule.containers else ""
        yield change_template(evidence, f"{what[:1].upper()}{what[1:]}{where}")
    lower = "baseline" if violation.level.startswith("restricted") else "privileged"
    yield change(
        f"Or lower the namespace to {lower}, if its workloads really need the rights.",
        kubectl("", "label", "namespace", namespace, f"pod-security.kubernetes.io/enforce={lower}", "--overwrite"),
    )
