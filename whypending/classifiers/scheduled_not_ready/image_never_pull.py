"""image-never-pull: ErrImageNeverPull: policy Never and the image is not on the node.

What it means
    The container says that its image must not be pulled, and the node does not have it.

How it is recognised
    `state.waiting.reason` of a container is ErrImageNeverPull (and `imagePullPolicy` is Never).

What to do
    Load the image onto every node that may run the Pod, or allow pulling: `imagePullPolicy: IfNotPresent`.

Limits
    With several nodes the image may be on some of them only; which ones is not read.

References
    https://kubernetes.io/docs/concepts/containers/images/#image-pull-policy
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

from ._containers import waiting_for
from ._node import OVER
from ._owner import edit

CAUSE = Cause("WP445", "image-never-pull", Triage.SCHEDULED_NOT_READY, explained_by=OVER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """An image that may not be pulled and is not there."""
    pod = evidence.the_pod
    for member in waiting_for(pod, "ErrImageNeverPull") if pod else ():
        node = member.pod.spec.node_name or "the node"
        yield CAUSE.finding(
            f"Image {member.spec.image} is not on {node}, and {member.noun} of {member.pod.ref} forbids pulling it "
            "(imagePullPolicy Never).",
            citations=(
                member.cite("state.waiting.reason", "ErrImageNeverPull"),
                member.cite_spec("imagePullPolicy", member.spec.image_pull_policy or "Never"),
            ),
            remedies=(
                edit(evidence, "Set imagePullPolicy to IfNotPresent, if the image is in a registry."),
                look(f"Or load the image onto {node}: ctr -n k8s.io images import, kind load, minikube image load."),
            ),
        )
