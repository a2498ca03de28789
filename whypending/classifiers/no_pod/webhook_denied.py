"""webhook-denied: an admission webhook answered, and refused the Pod.

What it means
    A policy engine or operator of this cluster looked at the Pod and said no. Its own words say why.

How it is recognised
    The refusal reads `admission webhook "NAME" denied the request: WORDS` or `… without explanation`: proved.
    A webhook that could not be called is another cause (webhook-unavailable).

What to do
    Change what its words name. For Gatekeeper, Kyverno and their like the rule is an object in the cluster that its
    owner can read out or exempt this namespace from.

Limits
    What the webhook means is known to nobody but itself; its words are quoted whole.

References
    apiserver pkg/admission/plugin/webhook/errors/statuserror.go (v1.37);
    https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
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

CAUSE = Cause("WP509", "webhook-denied", Triage.NO_POD, refines=("pod-creation-rejected",))

_TEXT = Pattern(
    r'admission webhook "(?P<name>[^"]+)" denied the request(?:: (?P<words>.*)| without explanation)', re.DOTALL
)
_RULES = {
    "gatekeeper": ("Read the constraint that its words name in brackets.", ("get", "constraints")),
    "kyverno": ("Read the policies that can refuse it.", ("get", "clusterpolicies,policies", "-A")),
}


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Which webhook, and its words."""
    found = refusal(evidence)
    match = _TEXT.search(found.words) if found else None
    if found is None or match is None:
        return
    name = match["name"]
    words = f": {sentence(match['words'])}" if match["words"] else ", without saying why."
    yield CAUSE.finding(
        f'Admission webhook "{name}" refuses {found.whose}{words}',
        citations=(found.proof,),
        remedies=(
            *([change_template(evidence, "Change what the webhook's words name")] if match["words"] else []),
            look(*_where(name)),
        ),
    )


def _where(name: str) -> tuple[str, str]:
    """Where the rule is kept, for those that keep it in the cluster; else the webhook's configuration."""
    for product, (text, words) in _RULES.items():
        if product in name:
            return text, kubectl("", *words)
    show = "validatingwebhookconfigurations,mutatingwebhookconfigurations"
    return f"Find the service behind webhook {name}, and ask its owner.", kubectl("", "get", show, "-o", "yaml")
