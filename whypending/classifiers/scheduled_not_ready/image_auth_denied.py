"""image-auth-denied: the registry refuses the credentials, or there are none.

What it means
    The registry wants to know who asks. The Pod names no pull Secret, the Secret does not exist or does not fit this
    registry, the token has expired, or the account may not read this repository.

How it is recognised
    A failed pull whose words are `unauthorized`, `authentication required`, `no basic auth credentials`, 401, 403
    Forbidden, `denied: …`. `pull access denied, repository does not exist or may require authorization` leaves open
    which of the two it is: likely. The Event FailedToRetrieveImagePullSecret names Secrets that the kubelet could not
    get.

What to do
    Create the pull Secret in the Pod's namespace and name it in the Pod's (or its ServiceAccount's) imagePullSecrets;
    for node credentials (ECR, GCR, ACR) check the node's role and the kubelet's credential provider.

Limits
    Secrets are never read. Docker Hub answers the same for a repository that does not exist.

References
    https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, field_citation, kubectl, names, newest
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

from ._images import Pull, failed_pulls
from ._node import OVER
from ._owner import edit

CAUSE = Cause(
    "WP443", "image-auth-denied", Triage.SCHEDULED_NOT_READY, refines=("image-pull-failed",), explained_by=OVER
)
_EITHER = Pattern(r"does not exist or may require", re.IGNORECASE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The registry refuses to hand out the image."""
    for pull in failed_pulls(evidence):
        if not pull.denied:
            continue
        pod = pull.member.pod
        either = _EITHER.search(pull.words) is not None
        yield CAUSE.finding(
            _message(pull, pod, either=either),
            confidence=Confidence.LIKELY if either else Confidence.PROVED,
            citations=(*pull.citations, *_secrets(evidence, pod)),
            remedies=tuple(_remedies(evidence, pod, either=either)),
        )


def _message(pull: Pull, pod: Pod, *, either: bool) -> str:
    secrets = names(s.name for s in pod.spec.image_pull_secrets)
    refused = f"The registry refuses image {pull.image} to {pull.who} of {pod.ref}"
    if secrets:
        doubt = ", or the repository does not exist" if either else ""
        return f"{refused}: the credentials in pull Secret {secrets} are not accepted{doubt}."
    why = "it is private, or does not exist" if either else "it asks for credentials"
    return f"{refused}, which names no pull Secret: {why}."


def _secrets(evidence: Evidence, pod: Pod) -> Iterator[Citation]:
    secrets = names(s.name for s in pod.spec.image_pull_secrets)
    yield field_citation(pod, "spec.imagePullSecrets[].name", secrets or None)
    event = newest(evidence.events, "FailedToRetrieveImagePullSecret")
    if event is not None:
        yield event_citation(event)


def _remedies(evidence: Evidence, pod: Pod, *, either: bool) -> Iterator[Remedy]:
    if either:
        yield look("First see whether the repository exists: a mistyped name gets the same answer.")
    if pod.spec.image_pull_secrets:
        yield look(
            "See that each pull Secret exists in the Pod's namespace and is of type kubernetes.io/dockerconfigjson.",
            kubectl(pod.namespace, "get", "secret", *(s.name for s in pod.spec.image_pull_secrets)),
        )
    else:
        yield edit(
            evidence, "Name a pull Secret for this registry in spec.imagePullSecrets (or in the ServiceAccount)."
        )
