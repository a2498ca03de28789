"""image-pull-failed: ErrImagePull/ImagePullBackOff.

What it means
    A container cannot start because its image cannot be fetched to the node. The kubelet tries again, ever more
    slowly, up to every five minutes.

How it is recognised
    `state.waiting.reason` of a container is ErrImagePull or ImagePullBackOff. The registry's words stand in
    `state.waiting.message` (1.32 and newer) or in the Event `Failed to pull image …`.

What to do
    See the finding below it, if the words were understood: a wrong name or tag, refused credentials, a rate limit, a
    wrong platform. Else mend what the words name: a host name that does not resolve or an address that nobody
    answers at (`no such host`, `connection refused`, time-outs) is DNS, a mistyped host or the way out of the node, and
    no registry was asked at all; or a certificate that the node does not trust.

Limits
    Where Events have expired and the kubelet is older than 1.32, the registry's words are gone.

References
    https://kubernetes.io/docs/concepts/containers/images/#imagepullbackoff; pkg/kubelet/images, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import kubectl, sentence
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

from ._events import short
from ._images import Pull, failed_pulls
from ._node import OVER
from ._owner import edit
from ._reach import unreached

CAUSE = Cause("WP418", "image-pull-failed", Triage.SCHEDULED_NOT_READY, explained_by=OVER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each image that cannot be pulled."""
    for pull in failed_pulls(evidence):
        yield CAUSE.finding(
            _message(pull),
            citations=(pull.member.cite_spec("image", pull.image), *pull.citations),
            remedies=(
                *_look(pull),
                edit(evidence, f"Correct the image {pull.image} if it is not the one that was meant."),
            ),
        )


def _message(pull: Pull) -> str:
    node = _node(pull)
    far = unreached(pull.words, pull.image, node)
    why = f": {short(pull.words)}" if pull.words else "; what the runtime said of it is no longer there"
    why = f": {far.why} ({short(pull.words).rpartition(': ')[2]})" if far else why
    return sentence(f"Image {pull.image} for {pull.who} of {pull.member.pod.ref} cannot be pulled to {node}{why}")


def _node(pull: Pull) -> str:
    return pull.member.pod.spec.node_name or "the node"


def _look(pull: Pull) -> tuple[Remedy, ...]:
    """Where to look: on the way to the registry where none answered, else at what was said."""
    pod = pull.member.pod
    if far := unreached(pull.words, pull.image, _node(pull)):
        return far.remedies
    said = "they hold the registry's answer" if pull.words else "a new attempt writes down why it fails"
    return (look(f"Read the Events of the Pod: {said}.", kubectl(pod.namespace, "events", "--for", f"pod/{pod.name}")),)
