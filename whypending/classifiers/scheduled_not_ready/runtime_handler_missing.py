"""runtime-handler-missing: RuntimeClass handler is not configured in the node's container runtime.

What it means
    The Pod asks for a RuntimeClass (gVisor, Kata, nvidia …), and the container runtime of its node does not know the
    handler that this class names.

How it is recognised
    A standing FailedCreatePodSandBox with containerd's `no runtime for "X" is configured`, CRI-O's `failed to find
    runtime handler X from runtime list`, or `RuntimeHandler "X" not supported`.

What to do
    Configure the handler on the node (or let the operator that installs it do so), or keep the Pod on nodes that have
    it: `scheduling.nodeSelector` in the RuntimeClass.

Limits
    Which nodes have the handler is known only where the kubelet lists `status.runtimeHandlers`.

References
    https://kubernetes.io/docs/concepts/containers/runtime-class/; internal/cri/config/config.go, containerd 2.x;
    CRI-O, internal/oci/oci.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, field_citation
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

from ._node import OVER
from ._owner import edit
from .sandbox_creation_failed import failed_sandbox

CAUSE = Cause(
    "WP414",
    "runtime-handler-missing",
    Triage.SCHEDULED_NOT_READY,
    refines=("sandbox-creation-failed",),
    explained_by=OVER,
)
_TEXT = Pattern(
    r'no runtime for "(?P<containerd>[^"]+)" is configured'
    r"|failed to find runtime handler (?P<crio>\S+) from runtime list"
    r'|RuntimeHandler "(?P<docker>[^"]+)" not supported'
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The runtime does not know the handler."""
    found = failed_sandbox(evidence)
    text = _TEXT.search(found[1].text) if found else None
    if found is None or text is None:
        return
    pod, event = found
    handler = next(g for g in text.groups() if g)
    node = pod.spec.node_name or "the node"
    yield CAUSE.finding(
        f'The container runtime on {node} has no handler "{handler}", which {_class(pod)} of {pod.ref} needs.',
        citations=(event_citation(event), *_asked(pod)),
        remedies=tuple(_remedies(evidence, pod, handler)),
    )


def _class(pod: Pod) -> str:
    return f"RuntimeClass {pod.spec.runtime_class_name}" if pod.spec.runtime_class_name else "the RuntimeClass"


def _asked(pod: Pod) -> Iterator[Citation]:
    if pod.spec.runtime_class_name:
        yield field_citation(pod, "spec.runtimeClassName", pod.spec.runtime_class_name)


def _remedies(evidence: Evidence, pod: Pod, handler: str) -> Iterator[Remedy]:
    if pod.spec.runtime_class_name:
        yield look(
            "See which handler the class names and on which nodes it may be used.",
            f"kubectl get runtimeclass {quote(pod.spec.runtime_class_name)} -o yaml",
        )
    yield look(
        f'Configure handler "{handler}" in the container runtime of {pod.spec.node_name}, or check its installer.'
    )
    yield edit(
        evidence, "Or choose nodes that have the handler, by nodeSelector here or scheduling in the RuntimeClass."
    )
