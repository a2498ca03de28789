"""secret-missing: a referenced Secret does not exist (in this namespace).

What it means
    A container's environment, a volume or an image pull names a Secret that is not in the Pod's own namespace. A
    Secret of the same name elsewhere does not count.

How it is recognised
    The kubelet's own words: `secret "X" not found` in the message of a container that waits with
    CreateContainerConfigError, or in a standing FailedMount. From the Event FailedToRetrieveImagePullSecret beside an
    image pull that the registry refused for its credentials (401, 403) it is likely: the kubelet could not get that
    Secret. Beside a pull that failed in another way it only contributes: mending it does not bring the image.

What to do
    Create the Secret (or correct its name in the workload). The kubelet tries again by itself.

Limits
    Secrets are never read; the kubelet's word is what is known.

References
    https://kubernetes.io/docs/concepts/configuration/secret/; pkg/kubelet/kubelet_pods.go, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, kubectl, newest
from whypending.diagnosis import Confidence, Finding, Role, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._images import failed_pulls
from ._node import OVER
from ._owner import edit
from ._references import SECRET, Absent, absent

CAUSE = Cause(
    "WP423",
    "secret-missing",
    Triage.SCHEDULED_NOT_READY,
    refines=("container-config-error", "volume-mount-failed", "image-auth-denied", "image-pull-failed"),
    explained_by=OVER,
)
_PULL = Pattern(r"Unable to retrieve some image pull secrets \(([^)]+)\)")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each Secret that the kubelet did not find."""
    for item in absent(evidence, SECRET, key=False):
        yield _finding(evidence, item, Confidence.PROVED)
    for item in _of_pulls(evidence):
        leads = any(pull.denied for pull in failed_pulls(evidence))
        yield _finding(evidence, item, Confidence.LIKELY, Role.CAUSE if leads else Role.CONTRIBUTING)


def _of_pulls(evidence: Evidence) -> Iterator[Absent]:
    pod = evidence.the_pod
    event = newest(evidence.events, "FailedToRetrieveImagePullSecret")
    names = _PULL.search(event.text) if event else None
    if pod is None or event is None or names is None or not any(failed_pulls(evidence)):
        return
    for name in names[1].split(", "):
        yield Absent(SECRET, name, "", f"the image pull of {pod.ref}", (event_citation(event),))


def _finding(evidence: Evidence, item: Absent, confidence: Confidence, role: Role = Role.CAUSE) -> Finding:
    pod = evidence.the_pod
    namespace = pod.namespace if pod else ""
    found = "There is no" if confidence is Confidence.PROVED else "The kubelet could not get"
    return CAUSE.finding(
        f"{found} Secret {namespace}/{item.name}, which {item.needed_by} needs.",
        confidence=confidence,
        citations=item.citations,
        remedies=(
            look("See which Secrets the namespace has.", kubectl(namespace, "get", "secrets")),
            edit(
                evidence,
                f'Create the Secret "{item.name}" in namespace {namespace}, or correct its name in the workload.',
            ),
        ),
        role=role,
    )
