"""image-name-invalid: InvalidImageName.

What it means
    The image's name cannot be parsed: capital letters, a space, two colons, a scheme such as https://. Nothing was
    asked of a registry.

How it is recognised
    `state.waiting.reason` of a container is InvalidImageName.

What to do
    Correct the image in the workload: `[registry/]name[:tag][@digest]`, lower case, no scheme.

Limits
    None known.

References
    https://kubernetes.io/docs/concepts/containers/images/#image-names; pkg/kubelet/images, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

from ._containers import waiting_for
from ._node import OVER
from ._owner import edit

CAUSE = Cause("WP444", "image-name-invalid", Triage.SCHEDULED_NOT_READY, explained_by=OVER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A name that is none."""
    pod = evidence.the_pod
    for member in waiting_for(pod, "InvalidImageName") if pod else ():
        state = member.waiting
        message = state.message if state else ""
        yield CAUSE.finding(
            f'"{member.spec.image}" is not a valid image name, so {member.noun} of {member.pod.ref} cannot start.',
            citations=(
                member.cite_spec("image", member.spec.image),
                member.cite("state.waiting.reason", "InvalidImageName"),
                *((member.cite("state.waiting.message", message),) if message else ()),
            ),
            remedies=(edit(evidence, "Correct the image: [registry/]name[:tag], lower case, without https://."),),
        )
