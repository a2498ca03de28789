"""secret-key-missing: the Secret exists but lacks the key.

What it means
    The Secret is there, so a look at its existence finds nothing wrong; but the key that the Pod asks for is not in
    it. Often it was applied again with fewer keys while running Pods went on with the old values.

How it is recognised
    The kubelet's own words: `couldn't find key K in Secret NS/NAME` in the message of a container that waits with
    CreateContainerConfigError, or `references non-existent secret key: K` in a standing FailedMount.

What to do
    Put the key into the Secret, or correct the key (or drop the reference) in the workload.

Limits
    Secrets are never read: which keys there are is for you to see.

References
    https://kubernetes.io/docs/concepts/configuration/secret/; pkg/kubelet/kubelet_pods.go, pkg/volume/secret,
    Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.words import kubectl
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence

from ._node import OVER
from ._owner import edit
from ._references import SECRET, absent

CAUSE = Cause(
    "WP424",
    "secret-key-missing",
    Triage.SCHEDULED_NOT_READY,
    refines=("container-config-error", "volume-mount-failed"),
    explained_by=OVER,
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each key that the kubelet did not find in its Secret."""
    pod = evidence.the_pod
    for item in absent(evidence, SECRET, key=True) if pod else ():
        namespace = pod.namespace if pod else ""
        yield CAUSE.finding(
            f'Secret {namespace}/{item.name} has no key "{item.key}", which {item.needed_by} needs.',
            citations=item.citations,
            remedies=(
                look(
                    "See which keys it has (names and sizes only).",
                    kubectl(namespace, "describe", "secret", item.name),
                ),
                change(
                    f'Put the key "{item.key}" into the Secret: in base64 under data, or as it is under stringData.',
                    kubectl(namespace, "edit", "secret", item.name),
                ),
                edit(evidence, "Or correct the reference in the workload."),
            ),
        )
