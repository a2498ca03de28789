"""service-account-missing: the ServiceAccount that the Pod names does not exist in its namespace.

What it means
    Every Pod runs as a ServiceAccount of its own namespace. This one is not there, so no Pod is made.

How it is recognised
    The refusal reads `error looking up service account NAMESPACE/NAME: serviceaccount "NAME" not found`: proved.

What to do
    Create the ServiceAccount (with the Role bindings that it needs), or correct `spec.serviceAccountName`.

Limits
    It can have been created since the last attempt; the controller tries again within minutes.

References
    kube-apiserver admission plugin ServiceAccount, plugin/pkg/admission/serviceaccount/admission.go (v1.37);
    https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_pod._refusal import refusal
from whypending.classifiers.no_pod._template import change_template
from whypending.classifiers.words import kubectl
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

CAUSE = Cause("WP508", "service-account-missing", Triage.NO_POD, refines=("pod-creation-rejected",))

_TEXT = Pattern(r"error looking up service account (?P<namespace>[^/\s]+)/(?P<name>[^:\s]+): .*not found")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Which account, and where."""
    found = refusal(evidence)
    match = _TEXT.search(found.words) if found else None
    if found is None or match is None:
        return
    namespace, name = match["namespace"], match["name"]
    yield CAUSE.finding(
        f"ServiceAccount {namespace}/{name}, which {found.whose} should run as, does not exist.",
        citations=(found.proof,),
        remedies=(
            change(
                "Create it, and bind the Roles that the program needs.",
                kubectl(namespace, "create", "serviceaccount", name),
            ),
            look("Or see which accounts there are.", kubectl(namespace, "get", "serviceaccounts")),
            change_template(evidence, "Then correct serviceAccountName"),
        ),
    )
