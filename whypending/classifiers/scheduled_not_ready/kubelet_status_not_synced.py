"""kubelet-status-not-synced: containers ran or ended, but the kubelet never posted the status.

What it means
    The kubelet's own Events say that it started the containers, yet the Pod's status still shows them as not started.
    The status that users, Services and Jobs go by is behind what happened on the node.

How it is recognised
    A Started Event for every container of the Pod (by `involvedObject.fieldPath`), the newest older than a minute,
    while no container status is running, terminated or restarted. Likely: a status that was cut from the dump looks
    the same.

What to do
    Read the kubelet's log for failed status patches (`Failed to update status for pod`, conflicts, a webhook or
    authorization that refuses `pods/status`), then restart the kubelet.

Limits
    Without Events (they expire after an hour) this cannot be seen.

References
    pkg/kubelet/status/status_manager.go, Kubernetes 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.words import event_citation, field_citation, since
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

from ._containers import began
from ._node import OVER

CAUSE = Cause("WP407", "kubelet-status-not-synced", Triage.SCHEDULED_NOT_READY, explained_by=OVER)
_PATIENCE = timedelta(minutes=1)
_CONTAINER = Pattern(r"spec\.containers\{([^}]+)\}")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Started by the kubelet's word, not started by the status."""
    pod = evidence.the_pod
    if pod is None or pod.status.phase != "Pending" or began(pod):
        return
    started = _started(evidence)
    wanted = {c.name for c in pod.spec.containers}
    if not wanted or wanted - started.keys():
        return
    newest = max(started.values(), key=lambda e: e.last_seen)
    if evidence.now - newest.last_seen < _PATIENCE:
        return
    yield CAUSE.finding(
        f"The kubelet on {pod.spec.node_name} started the containers of {pod.ref} "
        f"{since(newest.last_seen, evidence.now)} ago, but the Pod's status was never updated.",
        confidence=Confidence.LIKELY,
        citations=(event_citation(newest), field_citation(pod, "status.phase", pod.status.phase), _statuses(pod)),
        remedies=(
            look(f"Read the kubelet's log on {pod.spec.node_name} for failed status updates: journalctl -u kubelet."),
            change("Restart the kubelet on that node: systemctl restart kubelet (running containers go on)."),
        ),
    )


def _started(evidence: Evidence) -> dict[str, Event]:
    found = ((_CONTAINER.search(e.about.field_path), e) for e in seen(evidence.events) if e.reason == "Started")
    return {m[1]: e for m, e in found if m}


def _statuses(pod: Pod) -> Citation:
    waiting = [s.state.waiting.reason for s in pod.status.container_statuses if s.state.waiting]
    return field_citation(pod, "status.containerStatuses[].state.waiting.reason", ", ".join(waiting) or None)
