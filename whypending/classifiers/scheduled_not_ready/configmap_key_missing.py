"""configmap-key-missing: the ConfigMap exists but lacks the key.

What it means
    The ConfigMap is there, but not the key that the Pod asks for.

How it is recognised
    The kubelet's own words: `couldn't find key K in ConfigMap NS/NAME` in the message of a container that waits with
    CreateContainerConfigError, or `configmap references non-existent config key: K` in a standing FailedMount.

What to do
    Add the key to the ConfigMap, or correct the key (or drop the reference) in the workload.

Limits
    The ConfigMap itself is not read: it may have changed since the kubelet's last try.

References
    https://kubernetes.io/docs/concepts/configuration/configmap/; pkg/kubelet/kubelet_pods.go, pkg/volume/configmap,
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
from ._references import CONFIG_MAP, absent

CAUSE = Cause(
    "WP447",
    "configmap-key-missing",
    Triage.SCHEDULED_NOT_READY,
    refines=("container-config-error", "volume-mount-failed"),
    explained_by=OVER,
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each key that the kubelet did not find in its ConfigMap."""
    pod = evidence.the_pod
    for item in absent(evidence, CONFIG_MAP, key=True) if pod else ():
        namespace = pod.namespace if pod else ""
        yield CAUSE.finding(
            f'ConfigMap {namespace}/{item.name} has no key "{item.key}", which {item.needed_by} needs.',
            citations=item.citations,
            remedies=(
                look("See which keys it has.", kubectl(namespace, "describe", "configmap", item.name)),
                change(
                    f'Put the key "{item.key}" into the ConfigMap.', kubectl(namespace, "edit", "configmap", item.name)
                ),
                edit(evidence, "Or correct the reference in the workload."),
            ),
        )
