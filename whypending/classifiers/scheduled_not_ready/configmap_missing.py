"""configmap-missing: a referenced ConfigMap does not exist.

What it means
    A container's environment or a volume names a ConfigMap that is not in the Pod's own namespace.

How it is recognised
    The kubelet's own words: `configmap "X" not found` in the message of a container that waits with
    CreateContainerConfigError, or in a standing FailedMount.

What to do
    Create the ConfigMap (or correct its name in the workload). The kubelet tries again by itself.

Limits
    `kube-root-ca.crt` is made by kube-controller-manager in every namespace: if that one is missing, look there.

References
    https://kubernetes.io/docs/concepts/configuration/configmap/; pkg/kubelet/kubelet_pods.go, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import kubectl
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

from ._node import OVER
from ._owner import edit
from ._references import CONFIG_MAP, absent

CAUSE = Cause(
    "WP446",
    "configmap-missing",
    Triage.SCHEDULED_NOT_READY,
    refines=("container-config-error", "volume-mount-failed"),
    explained_by=OVER,
)
_ROOT_CA = "kube-root-ca.crt"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each ConfigMap that the kubelet did not find."""
    pod = evidence.the_pod
    for item in absent(evidence, CONFIG_MAP, key=False) if pod else ():
        namespace = pod.namespace if pod else ""
        yield CAUSE.finding(
            f"There is no ConfigMap {namespace}/{item.name}, which {item.needed_by} needs.",
            citations=item.citations,
            remedies=(
                look("See which ConfigMaps the namespace has.", kubectl(namespace, "get", "configmaps")),
                _remedy(evidence, item.name, namespace),
            ),
        )


def _remedy(evidence: Evidence, name: str, namespace: str) -> Remedy:
    if name == _ROOT_CA:
        return look("kube-controller-manager (root-ca-certificate-publisher) makes it: see that it runs.")
    return edit(
        evidence, f'Create the ConfigMap "{name}" in namespace {namespace}, or correct its name in the workload.'
    )
