"""scc-denied: no OpenShift security context constraint that the Pod may use allows it.

What it means
    On OpenShift each Pod must fit one of the constraints (SCC) that its ServiceAccount or creator may use. None fits.

How it is recognised
    The refusal reads `unable to validate against any security context constraint: [provider NAME: FIELD: Invalid
    value: …]`: proved. Providers that are `not usable by user or serviceaccount` are left out; the fields that the
    usable ones refuse are what to change.

What to do
    Drop the fixed user, group or privilege from the template, or grant the ServiceAccount a constraint that allows it.

Limits
    The text tells the constraints as they were at the attempt. Granting privileged or anyuid is a security decision.

References
    openshift/apiserver-library-go, pkg/securitycontextconstraints/sccadmission;
    https://docs.openshift.com/container-platform/latest/authentication/managing-security-context-constraints.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_pod._refusal import refusal
from whypending.classifiers.no_pod._template import change_template, pod_spec
from whypending.classifiers.words import names
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

CAUSE = Cause("WP505", "scc-denied", Triage.NO_POD, refines=("pod-creation-rejected",))

_TEXT = Pattern(r"unable to validate against any security context constraint: \[?(?P<all>.*)", re.DOTALL)
_FIELD = Pattern(
    r"(?:provider \"?(?P<provider>[\w.-]+)\"?: )?\.?"
    r"(?P<field>(?:spec\.|containers|initContainers|capabilities)[\w.\[\]]*): (?:Invalid value|Forbidden): "
    r"(?P<why>.*?)(?=,? provider |,? \.?spec\.|,? \.?(?:initC|c)ontainers\[|,? capabilities\.|\]?$)",
    re.DOTALL,
)
_WOULD = Pattern(r"would validate successfully against the [`'\"]?(?P<name>[\w.-]+)[`'\"]? security context constraint")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The fields that the usable constraints refuse."""
    found = refusal(evidence)
    match = _TEXT.search(found.words) if found else None
    if found is None or match is None:
        return
    fields = [f"{m['field']} ({' '.join(m['why'].split())})" for m in _FIELD.finditer(match["all"])]
    account = pod_spec(evidence).service_account_name or "default"
    would = _WOULD.search(match["all"])
    grant = would["name"] if would else "nonroot-v2"
    namespace = found.workload.namespace
    because = f": {names(fields)}" if fields else ", as it may use none"
    yield CAUSE.finding(
        f"No security context constraint that ServiceAccount {namespace}/{account} may use allows "
        f"{found.whose}{because}.",
        citations=(found.proof,),
        remedies=(
            change_template(
                evidence, f"Drop or change {names(f.partition(' ')[0] for f in fields) or 'what asks for rights'}"
            ),
            look("Or see which constraints would allow it.", "oc get scc -o wide"),
            change(
                f"Or let the account use {grant}, if that is right for it.",
                f"oc adm policy add-scc-to-user {quote(grant)} -z {quote(account)} -n {quote(namespace)}",
            ),
        ),
    )
