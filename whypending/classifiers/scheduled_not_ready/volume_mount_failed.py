"""volume-mount-failed: FailedMount for a volume of the Pod.

What it means
    The Pod's containers cannot start because one of its volumes cannot be mounted on the node: a Secret or ConfigMap
    that is not there, a driver that is not registered, a server that does not answer, a path of the wrong kind.

How it is recognised
    The newest standing Event FailedMount or FailedMapVolume of a Pod that is still Pending, or whose containers are not
    running. The text about one volume is preferred to the periodic summary (`unmounted volumes=[…]`), which only lists.

What to do
    Mend what the text names; the kubelet tries again by itself within two minutes.

Limits
    A FailedMount on a Pod that runs, has ended or was refused is noise (`object "ns"/"kube-root-ca.crt" not
    registered`) and is not taken up. What a driver's node Pod logs is not read.

References
    pkg/kubelet/volumemanager and pkg/volume/util/operationexecutor, Kubernetes 1.10 to 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import event_citation, kubectl, sentence
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

from ._events import short, standing
from ._node import OVER
from ._owner import edit
from ._volumes import Failure, failure, is_summary, named

CAUSE = Cause(
    "WP417",
    "volume-mount-failed",
    Triage.SCHEDULED_NOT_READY,
    explained_by=(*OVER, "volume-multi-attach", "volume-attach-failed", "pvc-wait-for-first-consumer"),
)
_REASONS = ("FailedMount", "FailedMapVolume", "FailedMountOnFilesystemMismatch")
_DRIVER = Pattern(r"driver name (\S+) not found in the list of registered CSI drivers")
_TIME = Pattern(r"timed out waiting for the condition|context deadline exceeded")
_HOST_PATH = Pattern(r"hostPath type check failed[:,] (\S+) is not a ([a-z ]+)")


def failed_mount(evidence: Evidence) -> Failure | None:
    """The standing failure of a volume: the newest that names its reason, else the newest summary."""
    pod = evidence.the_pod
    if pod is None or pod.status.phase in {"Failed", "Succeeded"}:
        return None
    exact = standing(evidence, *_REASONS, saying=r'for volume "')
    summary = standing(evidence, *_REASONS)
    event = exact or summary
    return failure(event) if event is not None else None


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A volume that cannot be mounted holds the Pod."""
    pod, failed = evidence.the_pod, failed_mount(evidence)
    if pod is None or failed is None:
        return
    yield CAUSE.finding(
        _message(evidence, pod, failed),
        citations=(event_citation(failed.event),),
        remedies=tuple(_remedies(evidence, pod, failed)),
    )


def _message(evidence: Evidence, pod: Pod, failed: Failure) -> str:
    node = pod.spec.node_name
    if is_summary(failed.event):
        which = f"volumes {failed.volume}" if "," in failed.volume else f'volume "{failed.volume}"'
        why = short(failed.words)
        said = "; the Events do not say what holds it up" if _TIME.fullmatch(why) else f": {why}"
        return f"{pod.ref} waits on {node} for its {which} to be mounted{said}."
    what = named(evidence, failed.volume)
    if driver := _DRIVER.search(failed.words):
        missing = f"the CSI driver {driver[1]} is not registered with its kubelet"
        return f"Node {node} cannot mount {what} for {pod.ref}: {missing}."
    return sentence(f"Node {node} cannot mount {what} for {pod.ref}: {short(failed.words)}")


def _remedies(evidence: Evidence, pod: Pod, failed: Failure) -> Iterator[Remedy]:
    driver, path = _DRIVER.search(failed.words), _HOST_PATH.search(failed.words)
    if driver:
        yield look(
            f"See that the node Pod of {driver[1]} runs on {pod.spec.node_name}.",
            f"kubectl get csinode {quote(pod.spec.node_name)} -o yaml",
        )
    if path:
        kind = path[2].rstrip(". ")
        yield look(
            f"Log in to {pod.spec.node_name}: {path[1]} must be a {kind} (ls -ld {path[1]}); make it if it is missing."
        )
        create = {"directory": "DirectoryOrCreate", "file": "FileOrCreate"}.get(kind)
        made = f"Set hostPath.type to {create} to have the kubelet make it, or mount" if create else "Mount"
        yield edit(evidence, f"{made} a path that each node has.")
    yield look(
        "Read the Events of the Pod as they come in.",
        kubectl(pod.namespace, "events", "--for", f"pod/{pod.name}", "--watch"),
    )
