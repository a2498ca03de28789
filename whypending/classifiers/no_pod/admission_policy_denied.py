"""admission-policy-denied: a ValidatingAdmissionPolicy of the cluster refused the Pod.

What it means
    A rule that somebody wrote for this cluster forbids the Pod. The API server itself judges it; no webhook is asked.

How it is recognised
    The refusal reads `ValidatingAdmissionPolicy 'NAME' with binding 'NAME' denied request: WORDS` (older releases
    leave out the binding): proved. The words are the rule's own message, or `failed expression: …`.

What to do
    Change what the message names, or have the owner of the policy exempt this namespace in its binding.

Limits
    Only the first rule that denied is told; a second one can follow. `failed to configure policy` and expression
    errors also deny, when failurePolicy is Fail: then the policy is at fault, not the Pod.

References
    apiserver pkg/admission/plugin/policy/validating/dispatcher.go (v1.37);
    https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_pod._refusal import refusal
from whypending.classifiers.no_pod._template import change_template
from whypending.classifiers.words import kubectl, sentence
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

CAUSE = Cause("WP511", "admission-policy-denied", Triage.NO_POD, refines=("pod-creation-rejected",))

_TEXT = Pattern(
    r"(?:ValidatingAdmissionPolicy|policy) ['\"](?P<policy>[^'\"]+)['\"]"
    r"(?: with binding '(?P<binding>[^']+)')? denied request: (?P<words>.*)",
    re.DOTALL,
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Which policy, by which binding, and what it says."""
    found = refusal(evidence)
    match = _TEXT.search(found.words) if found else None
    if found is None or match is None:
        return
    policy, binding = match["policy"], match["binding"]
    by = f" (bound by {binding})" if binding else ""
    remedies = [
        change_template(evidence, "Change what the message names"),
        look("Read the rule.", kubectl("", "get", "validatingadmissionpolicy", policy, "-o", "yaml")),
    ]
    if binding:
        show = kubectl("", "get", "validatingadmissionpolicybinding", binding, "-o", "yaml")
        remedies.append(look("See for which namespaces it is bound.", show))
    yield CAUSE.finding(
        f"ValidatingAdmissionPolicy {policy}{by} refuses {found.whose}: {sentence(match['words'])}",
        citations=(found.proof,),
        remedies=remedies,
    )
