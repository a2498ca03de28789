"""volume-multi-attach: an RWO volume is still attached to (or used on) another node.

What it means
    The volume may be attached to one node only, and another node has it. Either another Pod uses it there, or its
    last Pod has gone and the detach has not happened (a node that died keeps its volumes for about six minutes).

How it is recognised
    A standing Event FailedAttachVolume of the attach-detach controller: `Multi-Attach error for volume …` (up to
    1.36) or `Waiting for detach for volume …` (1.37), or the storage driver's own refusal that the volume is attached
    elsewhere. Without Events: a ReadWriteOnce claim's VolumeAttachment on another node only, which is likely.

What to do
    See which Pod and node hold the volume. Move or end that Pod; use a rollout that stops the old Pod first
    (`strategy: Recreate`, StatefulSet). For a dead node: taint it `node.kubernetes.io/out-of-service`.

Limits
    Pods in other namespaces are only counted by the Event, not named.

References
    pkg/controller/volume/attachdetach/reconciler, Kubernetes 1.10 to 1.37;
    https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/#non-graceful-node-shutdown
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, destroy, look
from whypending.classifiers.words import event_citation, field_citation, names
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.objects.storage import VolumeAttachment
from whypending.patterns import Pattern

from ._containers import began
from ._events import standing
from ._node import OVER
from ._owner import edit, template_owner
from ._volumes import attachments, claims, failure, named

CAUSE = Cause(
    "WP415",
    "volume-multi-attach",
    Triage.SCHEDULED_NOT_READY,
    refines=("volume-attach-failed",),
    explained_by=OVER,
)
_TEXT = (
    r"Multi-Attach error|Waiting for detach|already exclusively attached|already attached to (?:an|another|a different)"
    r"|RESOURCE_IN_USE_BY_ANOTHER_RESOURCE|VolumeInUse|is attached to a different instance"
)
_USERS = Pattern(r"already used by pod\(s\) (.+?)(?: and \d+ pod\(s\)|$)")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Another node has the volume."""
    pod = evidence.the_pod
    if pod is None or pod.status.phase == "Failed" or began(pod):
        return
    event = standing(evidence, "FailedAttachVolume", saying=_TEXT)
    if event is None:
        yield from _by_attachment(evidence, pod)
        return
    failed = failure(event)
    held = _elsewhere(evidence, pod, failed.volume)
    users = _USERS.search(failed.words)
    yield CAUSE.finding(
        f"{pod.ref} waits for {named(evidence, failed.volume)}, which {_holder(held, users[1] if users else '')}.",
        citations=(event_citation(event), *_cite(held)),
        remedies=tuple(_remedies(evidence, pod, held, users[1] if users else "")),
    )


def _by_attachment(evidence: Evidence, pod: Pod) -> Iterator[Finding]:
    for claim in claims(evidence):
        held = _elsewhere(evidence, pod, claim.spec.volume_name)
        here = any(a.spec.node_name == pod.spec.node_name for a in attachments(evidence, claim.spec.volume_name))
        if held and not here and "ReadWriteMany" not in claim.spec.access_modes:
            yield CAUSE.finding(
                f"{pod.ref} waits for {named(evidence, claim.spec.volume_name)}, which {_holder(held, '')}.",
                confidence=Confidence.LIKELY,
                citations=(*_cite(held), field_citation(claim, "spec.accessModes", names(claim.spec.access_modes))),
                remedies=tuple(_remedies(evidence, pod, held, "")),
            )


def _elsewhere(evidence: Evidence, pod: Pod, volume: str) -> tuple[VolumeAttachment, ...]:
    return tuple(
        a for a in attachments(evidence, volume) if a.spec.node_name != pod.spec.node_name and a.status.attached
    )


def _holder(held: tuple[VolumeAttachment, ...], users: str) -> str:
    where = f" to node {names(a.spec.node_name for a in held)}" if held else " to another node"
    by = f" and used by Pod {users}" if users else ""
    return f"can be attached to one node only and is still attached{where}{by}"


def _cite(held: tuple[VolumeAttachment, ...]) -> Iterator[Citation]:
    for item in held:
        yield field_citation(item, "spec.nodeName", item.spec.node_name)


def _remedies(evidence: Evidence, pod: Pod, held: tuple[VolumeAttachment, ...], users: str) -> Iterator[Remedy]:
    if users:
        first = users.partition(",")[0].strip()
        yield look(
            "See the Pod that uses the volume now; it must end first.",
            f"kubectl -n {quote(pod.namespace)} get pod {quote(first)} -o wide",
        )
    else:
        yield look("See which node holds the volume, and whether that node is alive.", "kubectl get volumeattachments")
    owner = template_owner(evidence)
    if owner is not None and owner.kind in {"Deployment", "ReplicaSet"}:
        yield edit(evidence, "Use spec.strategy.type Recreate (or a StatefulSet), so that the old Pod lets go first.")
    node = held[0].spec.node_name if held else "NODE"
    if held:
        yield destroy(
            f"Only if {node} is down for good: tell Kubernetes so; its Pods are deleted and its volumes detached.",
            f"kubectl taint node {quote(node)} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute",
        )
