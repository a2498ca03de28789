"""image-pull-failed: ErrImagePull/ImagePullBackOff.

What it means
    A container cannot start because its image cannot be fetched to the node. The kubelet tries again, ever more
    slowly, up to every five minutes.

How it is recognised
    `state.waiting.reason` of a container is ErrImagePull or ImagePullBackOff. The registry's words stand in
    `state.waiting.message` (1.32 and newer) or in the Event `Failed to pull image …`.

What to do
    See the finding below it, if the words were understood: a wrong name or tag, refused credentials, a rate limit, a
    wrong platform. Else mend what the words name (DNS, proxy, certificate, registry down).

Limits
    Where Events have expired and the kubelet is older than 1.32, the registry's words are gone.

References
    https://kubernetes.io/docs/concepts/containers/images/#imagepullbackoff; pkg/kubelet/images, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import kubectl, sentence
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

from ._events import short
from ._images import Pull, failed_pulls
from ._node import OVER
from ._owner import edit

CAUSE = Cause("WP418", "image-pull-failed", Triage.SCHEDULED_NOT_READY, explained_by=OVER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each image that cannot be pulled."""
    for pull in failed_pulls(evidence):
        pod = pull.member.pod
        yield CAUSE.finding(
            _message(pull),
            citations=(pull.member.cite_spec("image", pull.image), *pull.citations),
            remedies=(
                look(
                    "Read the Events of the Pod: they hold the registry's answer.",
                    kubectl(pod.namespace, "events", "--for", f"pod/{pod.name}"),
                ),
                edit(evidence, "Correct the image if it is not the one that was meant."),
            ),
        )


def _message(pull: Pull) -> str:
    why = f": {short(pull.words)}" if pull.words else "; what the registry said is no longer there"
    node = pull.member.pod.spec.node_name or "the node"
    return sentence(f"Image {pull.image} for {pull.who} of {pull.member.pod.ref} cannot be pulled to {node}{why}")
