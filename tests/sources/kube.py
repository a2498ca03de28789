"""Objects as a cluster shows them, for tests of sources."""

from __future__ import annotations

import json
from typing import Any

BORN = "2026-03-01T10:00:00Z"


def obj(kind: str, name: str, namespace: str = "prod", api: str = "v1", uid: str = "", **rest: Any) -> dict[str, Any]:
    meta: dict[str, Any] = {"name": name, "creationTimestamp": BORN, "uid": uid or f"uid-{kind}-{namespace}-{name}"}
    meta |= {"namespace": namespace} if namespace else {}
    meta |= rest.pop("metadata", {})
    return {"apiVersion": api, "kind": kind, "metadata": meta, **rest}


def pod(name: str = "api-1", namespace: str = "prod", **rest: Any) -> dict[str, Any]:
    spec = {"schedulerName": "default-scheduler", "containers": [{"name": "app", "image": "app:1"}]}
    return obj("Pod", name, namespace, **{"spec": spec, "status": {"phase": "Pending"}, **rest})


def node(name: str = "n1") -> dict[str, Any]:
    return obj("Node", name, "", status={"allocatable": {"cpu": "4"}})


def event(name: str, about: str, namespace: str = "prod") -> dict[str, Any]:
    target = {"kind": "Pod", "name": about, "namespace": namespace, "uid": f"uid-Pod-{namespace}-{about}"}
    return obj("Event", name, namespace, involvedObject=target, reason="FailedScheduling", message="no", type="Warning")


def a_list(*items: dict[str, Any], kind: str = "List", api: str = "v1") -> dict[str, Any]:
    return {"apiVersion": api, "items": list(items), "kind": kind, "metadata": {"resourceVersion": ""}}


def dump(value: object, indent: int | None = 4) -> str:
    return json.dumps(value, indent=indent) + "\n"
