"""runtime-stuck: container runtime holds a stale reservation or hangs.

What it means
    The container runtime on the node does not finish what it was asked: a call times out, and each new try finds the
    name still reserved by the one before. Slow disks, a full node or a hanging shim are the usual ground.

How it is recognised
    `name "…" is reserved for "…"` (containerd), `name is reserved` or `Kubelet may be retrying requests that are timing
    out` (CRI-O), or `context deadline exceeded` in the standing FailedCreatePodSandBox or in the message of a container
    that waits with CreateContainerError; or the Node is not Ready because `container runtime is down` or `PLEG is not
    healthy`. A reservation is proof; a time-out is likely.

What to do
    Look at the node's disk and load, then restart the container runtime; drain and reboot the node if shims hang.

Limits
    What the runtime waits for is only in its log on the node. A time-out inside a CNI plugin looks like the runtime's.

References
    internal/registrar/registrar.go, containerd 2.x; pkg/kubelet/runtime.go, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, change, destroy, look
from whypending.classifiers.words import condition_citation, event_citation
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._containers import waiting_for
from ._node import ready
from .sandbox_creation_failed import failed_sandbox

CAUSE = Cause(
    "WP426",
    "runtime-stuck",
    Triage.SCHEDULED_NOT_READY,
    refines=("sandbox-creation-failed", "container-create-failed", "node-not-ready-after-bind"),
)
_RESERVED = Pattern(r"is reserved for|name is reserved|Kubelet may be retrying requests that are timing out")
_TIMEOUT = Pattern(r"context deadline exceeded|DeadlineExceeded|stream terminated by RST_STREAM")
_DOWN = Pattern(r"container runtime is down|PLEG is not healthy")
_CREATING = ("CreateContainerError", "RunContainerError")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The runtime times out, or still holds what an earlier try reserved."""
    pod = evidence.the_pod
    proof = tuple(_proof(evidence)) if pod is not None and pod.status.phase != "Failed" else ()
    if pod is None or not proof:
        return
    reserved = any(_RESERVED.search(c.value) for c in proof)
    node = pod.spec.node_name or "the node"
    how = "still holds the name that an earlier try reserved" if reserved else "does not answer in time"
    yield CAUSE.finding(
        f"The container runtime on {node} is stuck: it {how} for {pod.ref}.",
        confidence=Confidence.PROVED if reserved else Confidence.LIKELY,
        citations=proof,
        remedies=(
            look(f"Log in to {node}: look at disk, load and the runtime's log (journalctl -u containerd)."),
            change("Restart the container runtime there: systemctl restart containerd (running containers go on)."),
            destroy(
                "If that does not free it, drain the node (its Pods move) and reboot it.",
                f"kubectl drain {quote(node)} --ignore-daemonsets",
            ),
        ),
    )


def _proof(evidence: Evidence) -> Iterator[Citation]:
    failed = failed_sandbox(evidence)
    if failed is not None and _tells(failed[1].text):
        yield event_citation(failed[1])
    pod, node = evidence.the_pod, evidence.the_node
    for member in waiting_for(pod, *_CREATING) if pod else ():
        if member.waiting is not None and _tells(member.waiting.message):
            yield member.cite("state.waiting.message", member.waiting.message)
    condition = ready(node) if node else None
    if node is not None and condition is not None and condition.status == "False" and _DOWN.search(condition.message):
        yield condition_citation(node, condition)


def _tells(text: str) -> bool:
    return bool(_RESERVED.search(text) or _TIMEOUT.search(text))
