"""Objects that point at everything a collector follows; a world is one state of a cluster and who is asked about."""

from __future__ import annotations

from typing import Any, NamedTuple

from whypending.collectors.queues import COSCHEDULING_GROUPS, KUEUE_QUEUE, VOLCANO_GROUP
from whypending.objects.kinds import WORKLOADS, Kind

Object = dict[str, Any]
NAMESPACE = "shop"
BORN = "2026-11-30T21:00:00Z"


class Target(NamedTuple):
    """Whom to ask about."""

    kind: str
    namespace: str
    name: str


class World(NamedTuple):
    """What there is, and whom to ask about."""

    target: Target
    objects: tuple[Object, ...]


def _object(kind: str, name: str, *, api: str = "v1", namespace: str = NAMESPACE, **fields: Any) -> Object:
    meta = {"name": name, "namespace": namespace, "uid": f"{kind}-{name}", "creationTimestamp": BORN}
    return {"apiVersion": api, "kind": kind, "metadata": meta | fields.pop("metadata", {}), **fields}


def _refused(spec: Object, **meta: Any) -> Object:
    no = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "lastTransitionTime": BORN}
    return _object("Pod", "web", metadata=meta, spec=spec, status={"phase": "Pending", "conditions": [no]})


def _event(reason: str, by: str) -> Object:
    about = {"kind": "Pod", "namespace": NAMESPACE, "name": "web", "uid": "Pod-web"}
    return _object("Event", f"web.{reason}", involvedObject=about, reason=reason, type="Warning", lastTimestamp=BORN,
                   reportingComponent=by, source={"component": by})  # fmt: skip


def _claim(name: str, phase: str, **spec: Any) -> Object:
    return _object("PersistentVolumeClaim", name, spec={"storageClassName": "fast", **spec}, status={"phase": phase})


def _volumes(*names: str) -> list[Object]:
    return [{"name": n, "persistentVolumeClaim": {"claimName": n}} for n in names]


def _workload(kind: Kind[Any], **fields: Any) -> Object:
    return _object(kind.kind, "web", api=kind.versions[0], **fields)


WEB = Target("Pod", NAMESPACE, "web")
BOUND = {"nodeName": "n1", "volumes": _volumes("full")}
FULL = _claim("full", "Bound", volumeName="pv-1")
SCHEDULER = {"spec": {"containers": [{"name": "main", "image": "example.com/my-scheduler:1"}],
                      "volumes": [{"name": "config", "configMap": {"name": "my-config"}}]}}  # fmt: skip
UNTAKEN = _object("Pod", "web", spec={"schedulerName": "other"}, status={"phase": "Pending"})
DRA = [{"name": "gpu", "resourceClaimName": "gpu"}]


def _pods() -> list[World]:
    """One Pod of each class, with all that its spec can name."""
    empty, full = _claim("empty", "Pending"), FULL
    return [
        World(WEB, (_refused({"volumes": _volumes("empty")}), empty, _event("FailedScheduling", "karpenter"))),
        World(WEB, (_refused({"volumes": _volumes("full"), "resourceClaims": DRA}), full)),
        World(WEB, (_object("Pod", "web", spec=BOUND, status={"phase": "Pending"}), full,
                    _event("FailedAttachVolume", "attachdetach-controller"))),
        World(WEB, (UNTAKEN, _object("Deployment", "my-scheduler", api="apps/v1", namespace="kube-system",
                                     spec={"template": SCHEDULER, "selector": {"matchLabels": {"app": "s"}}}))),
        _starved(),
        World(WEB, ()),
    ]  # fmt: skip


CONFIGURED = """apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{schedulerName: other}]
"""


def _starved() -> World:
    """A scheduler that runs and serves the Pod, with a log, and with bindings to roles of each kind."""
    system, api = "kube-system", "rbac.authorization.k8s.io/v1"
    ready = {"conditions": [{"type": "Ready", "status": "True"}]}
    labels = {"labels": {"app": "s"}}
    bound: Object = {"api": api, "subjects": [{"kind": "ServiceAccount", "namespace": system, "name": "default"}]}
    return World(WEB, (
        UNTAKEN,
        _object("ConfigMap", "my-config", namespace=system, data={"config.yaml": CONFIGURED}),
        _object("Deployment", "my-scheduler", api="apps/v1", namespace=system,
                spec={"template": SCHEDULER, "selector": {"matchLabels": {"app": "s"}}}),
        _object("Pod", "my-scheduler-1", namespace=system, metadata=labels, status=ready, spec=SCHEDULER["spec"]),
        _object("ClusterRoleBinding", "s", namespace="", roleRef={"kind": "ClusterRole", "name": "s"}, **bound),
        _object("ClusterRole", "s", api=api, namespace="", aggregationRule={"clusterRoleSelectors": []}),
        _object("RoleBinding", "s", namespace=system, roleRef={"kind": "Role", "name": "s"}, **bound),
    ))  # fmt: skip


def _queued() -> list[World]:
    marks: list[Object] = [{"labels": {KUEUE_QUEUE: "q"}}, {"annotations": {VOLCANO_GROUP: "g"}}]
    marks += [{"labels": {key: "g"}} for key in COSCHEDULING_GROUPS]
    return [World(WEB, (_refused({}, **mark),)) for mark in marks]


def _owned(kind: Kind[Any]) -> list[World]:
    """The kind as the owner of a Pod that has ended, as a target without Pods, and as a name that is not there."""
    reference = {"apiVersion": kind.versions[0], "kind": kind.kind, "name": "web", "uid": "u", "controller": True}
    pod = _object("Pod", "web", metadata={"ownerReferences": [reference]}, spec={"nodeName": "n1"},
                  status={"phase": "Failed", "reason": "Evicted"})  # fmt: skip
    template = {"spec": {"priorityClassName": "high", "containers": []}}
    lonely = _workload(kind, spec={"template": template, "selector": {"matchLabels": {"app": "web"}}})
    if kind.kind == "ReplicationController":
        lonely["spec"]["selector"] = {"app": "web"}
    target = Target(kind.kind, NAMESPACE, "web")
    return [World(WEB, (pod, _workload(kind))), World(target, (lonely,)), World(target, (UNTAKEN,))]


WORLDS = (*_pods(), *_queued(), *(world for kind in WORKLOADS for world in _owned(kind)))
