"""pod-security-violation: Pod Security admission forbids the Pod in this namespace.

What it means
    The namespace enforces a Pod Security level (baseline or restricted), and the Pod asks for more or leaves out what
    the level demands.

How it is recognised
    The refusal reads `violates PodSecurity "LEVEL:VERSION": RULE (detail), RULE (detail) …`: proved. Each rule names
    the field and the containers or volumes.

What to do
    Set what each rule asks for; where all of them only miss a value, one patch does it. Or lower the namespace's level,
    if this workload really needs the rights: to baseline only where no rule of baseline is broken, else to privileged.

Limits
    runAsNonRoot: true makes the container fail later if the image's user is root; the image is not looked at.
    The refusal is as old as the last attempt: the namespace's labels, which are not read, may be others by now.

References
    k8s.io/pod-security-admission policy/check_*.go (v0.37);
    https://kubernetes.io/docs/concepts/security/pod-security-standards/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_pod._pod_security import Rule, Violation, admits, fix, parse, patch
from whypending.classifiers.no_pod._refusal import Refusal, refusal
from whypending.classifiers.no_pod._template import change_template, patch_template, pod_spec
from whypending.classifiers.words import kubectl, names, since
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
        f"When it was {_when(evidence, found)}, {found.whose} broke Pod Security {violation.level}, which "
        f"namespace {namespace} enforced: {_broken(violation)}.",
        citations=(found.proof,),
        remedies=tuple(_remedies(evidence, namespace, violation)),
    )


def _when(evidence: Evidence, found: Refusal) -> str:
    """The refusal tells of the attempt; the namespace's labels can have been changed since."""
    tried = "last tried" if found.proof.object.startswith("Event ") else "tried"
    return f"{tried}, {since(found.at, evidence.now)} ago" if found.at else tried


def _broken(violation: Violation) -> str:
    """The rules by name, with the containers (once, if they are the same) or what else the detail says."""
    every = {r.containers for r in violation.rules}
    if len(every) == 1 and (same := every.pop()):
        noun = "container" if len(same) == 1 else "containers"
        return f"{names((r.reason for r in violation.rules), shown=6)} ({noun} {names(_quoted(same))})"
    return names((f"{r.reason} ({r.detail})" if r.detail else r.reason for r in violation.rules), shown=6)


def _quoted(containers: Sequence[str]) -> list[str]:
    return [f'"{name}"' for name in containers]


def _fix(rule: Rule) -> str:
    where = f" on container {names(_quoted(rule.containers))}" if rule.containers else ""
    return f"{fix(rule)}{where}"


def _remedies(evidence: Evidence, namespace: str, violation: Violation) -> Iterator[Remedy]:
    spec = pod_spec(evidence)
    own = {c.name for c in (*spec.init_containers, *spec.containers)}
    body = patch(violation, spec)
    if body is not None:
        user = " (the image must run as another user than root)" if "runAsNonRoot" in str(body) else ""
        yield patch_template(evidence, f"Set all that {violation.level} asks for{user}", body)
    else:
        rules = [r for r in violation.rules if not (own and r.containers and own.isdisjoint(r.containers))]
        fixes = "; ".join(_fix(r) for r in rules)
        if fixes:
            yield change_template(evidence, f"{fixes[:1].upper()}{fixes[1:]}{',' if len(rules) > 1 else ''}")
    lower = admits(violation)
    yield change(
        f"Or lower the namespace to {lower}, the strictest level that lets this Pod in, if it really needs the rights.",
        kubectl("", "label", "namespace", namespace, f"pod-security.kubernetes.io/enforce={lower}", "--overwrite"),
    )
