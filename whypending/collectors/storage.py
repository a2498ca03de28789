"""The Pod's claims and what stands behind them: volumes, classes, drivers, attachments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from whypending.collectors import events
from whypending.evidence import Evidence, Gap, Known, seen
from whypending.objects.base import KubeObject
from whypending.objects.kinds import ATTACHMENTS, CLAIMS, CSI_DRIVERS, CSI_NODES, STORAGE_CLASSES, VOLUMES, Kind
from whypending.objects.pod import Pod
from whypending.objects.storage import PersistentVolumeClaim
from whypending.sources.base import Query, Source

T = TypeVar("T", bound=KubeObject)
_ABOUT_ATTACHING = {"FailedAttachVolume", "FailedMount", "FailedMapVolume"}


def claim_names(pod: Pod) -> tuple[str, ...]:
    """Claims that the Pod names, generic ephemeral volumes included (their claim is called POD-VOLUME)."""
    names = [v.persistent_volume_claim.claim_name for v in pod.spec.volumes if v.persistent_volume_claim]
    names += [f"{pod.name}-{v.name}" for v in pod.spec.volumes if v.ephemeral is not None]
    return tuple(dict.fromkeys(names))


def of_pod(source: Source, evidence: Evidence) -> dict[str, Any]:
    """Claims with their Events, then the volumes, classes and drivers that they name."""
    pod = evidence.the_pod
    names = claim_names(pod) if pod else ()
    if pod is None or not names:
        return {}
    claims = _by_name(source, CLAIMS, pod.namespace, names, "whether the Pod's claims exist and are bound")
    if isinstance(claims, Gap):
        return {"claims": claims}
    unbound = [c for c in claims if c.status.phase != "Bound"]
    calls: list[Callable[[], Any]] = [
        partial(events.of_objects, source, unbound, "why a claim is not bound"),
        partial(_volumes, source, claims),
        partial(_classes, source, claims, need_all=bool(unbound)),
        partial(_drivers, source, CSI_DRIVERS, needed=bool(claims)),
        partial(_drivers, source, CSI_NODES, needed=bool(claims)),
    ]
    fields = ("claim_events", "volumes", "storage_classes", "csi_drivers", "csi_nodes")
    return {"claims": claims, **dict(zip(fields, source.gather(calls), strict=True))}


def of_bound_pod(source: Source, evidence: Evidence) -> dict[str, Any]:
    """The same, only where the Pod's volumes may be what it waits for; attachments if an Event speaks of them."""
    pod = evidence.the_pod
    if pod is None or not claim_names(pod) or _got_past_volumes(pod):
        return {}
    fields = of_pod(source, evidence)
    if any(e.reason in _ABOUT_ATTACHING for e in seen(evidence.events)):
        query = Query(kind=ATTACHMENTS, would_decide="which Node still holds the volume, and what the attacher said")
        fields["attachments"] = source.read(query)
    return fields


def _got_past_volumes(pod: Pod) -> bool:
    sandbox = pod.condition("PodReadyToStartContainers")
    statuses = pod.status.init_container_statuses + pod.status.container_statuses
    ran = any(s.state.running or s.state.terminated or s.last_state.terminated for s in statuses)
    return ran or (sandbox is not None and sandbox.status == "True") or pod.status.phase == "Failed"


def _volumes(source: Source, claims: tuple[PersistentVolumeClaim, ...]) -> Known[Any]:
    names = tuple(c.spec.volume_name for c in claims if c.spec.volume_name)
    return _by_name(source, VOLUMES, "", names, "where the bound volumes can be used")


def _classes(source: Source, claims: tuple[PersistentVolumeClaim, ...], *, need_all: bool) -> Known[Any]:
    if need_all:
        return source.read(
            Query(kind=STORAGE_CLASSES, would_decide="whether the claim's class exists, and the default")
        )
    names = tuple(c.spec.storage_class_name for c in claims if c.spec.storage_class_name)
    return _by_name(source, STORAGE_CLASSES, "", names, "how the claim's class binds")


def _drivers(source: Source, kind: Kind[T], *, needed: bool) -> Known[T]:
    if not needed:
        return ()
    return source.read(Query(kind=kind, would_decide="whether the CSI driver is installed, and on which Nodes"))


def _by_name(source: Source, kind: Kind[T], namespace: str, names: tuple[str, ...], decides: str) -> Known[T]:
    """Those of the named objects that exist; a Gap if any of them could not be looked at."""
    unique = tuple(dict.fromkeys(names))
    known = source.gather([
        partial(source.read, Query(kind=kind, namespace=namespace, name=n, would_decide=decides)) for n in unique
    ])  # fmt: skip
    gap = events.first_gap(*known)
    found = tuple(x for k in known if not isinstance(k, Gap) for x in k)
    return gap if gap is not None and not found else found
