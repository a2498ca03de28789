"""Pods and Nodes as large clusters have them, for size and speed alone."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cluster.base import Object
from tests.cluster.simulated import node_object

PODS = 10_000
MEGABYTES = 50
REFUSED = "app-0-00000"
NAMESPACE = "load"
_BORN, _SCHEDULED = "2026-03-01T09:00:00Z", "2026-03-01T09:00:04Z"


def pod(name: str, node: str, env: int = 6) -> Object:
    """A Pod on that node as a user might create it, with so many environment variables in each of two containers."""
    containers = [
        {
            "name": container,
            "image": f"registry.example.com/team/{container}:1.2.3",
            "args": ["--port", "8080", "--log-level", "info"],
            "env": [{"name": f"SETTING_{number}", "value": "x" * 24} for number in range(env)],
            "resources": {"requests": {"cpu": "20m", "memory": "32Mi"}, "limits": {"memory": "64Mi"}},
            "readinessProbe": {"httpGet": {"path": "/ready", "port": 8080}, "periodSeconds": 10},
        }
        for container in ("main", "sidecar")
    ]
    labels = {"app": name.rpartition("-")[0], "pod-template-hash": "5c9d8b7f6"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": NAMESPACE, "labels": labels},
        "spec": {"containers": containers, "nodeName": node, "terminationGracePeriodSeconds": 0},
    }


def node(name: str) -> Object:
    """A Node with as many images as a node in use has, which are most of its size."""
    made = node_object(name, pods=250)
    made["status"]["images"] = [
        {"names": [f"registry.example.com/team/app-{n}@sha256:{n:064x}", f"registry.example.com/team/app-{n}:1.{n}"]}
        for n in range(50)
    ]
    return made


def write_pods(path: Path) -> None:
    """A List of 10,000 Pods and 50 MB, as `kubectl get pods -A -o json` has it but for the indent; one was refused."""
    size = MEGABYTES * 1_000_000 // PODS
    with path.open("w", encoding="utf-8") as file:
        file.write('{"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":""},"items":[')
        for number in range(PODS):
            file.write(("," if number else "") + _sized(_listed(number), size))
        file.write("]}\n")


def _sized(item: Object, size: int) -> str:
    """The object in JSON of about so many bytes, filled up with an annotation."""
    item["metadata"]["annotations"] = {"example.com/notes": ""}
    item["metadata"]["annotations"]["example.com/notes"] = "n" * max(0, size - len(json.dumps(item)))
    return json.dumps(item)


def _listed(number: int) -> Object:
    made = pod(f"app-{number % 200}-{number:05}", "" if number % 50 == 0 else f"node-{number % 500}")
    made["metadata"] |= {"uid": f"{number:08x}-0000-4000-8000-000000000000", "creationTimestamp": _BORN}
    made["spec"] |= {"schedulerName": "default-scheduler", "serviceAccountName": "default"}
    if not made["spec"]["nodeName"]:
        made["status"] = {"phase": "Pending", "conditions": [_refusal()]}
        return made
    kinds = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
    made["status"] = {
        "phase": "Running",
        "startTime": _SCHEDULED,
        "conditions": [
            {"type": k, "status": "True", "lastProbeTime": None, "lastTransitionTime": _SCHEDULED} for k in kinds
        ],
        "containerStatuses": [
            {
                "name": container["name"],
                "image": container["image"],
                "imageID": f"{container['image']}@sha256:{number:064x}",
                "containerID": f"containerd://{number:064x}",
                "ready": True,
                "started": True,
                "restartCount": 0,
                "lastState": {},
                "state": {"running": {"startedAt": _SCHEDULED}},
            }
            for container in made["spec"]["containers"]
        ],
    }
    return made


def _refusal() -> Object:
    return {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": "0/500 nodes are available: 500 Insufficient cpu. preemption: 0/500 nodes are available: "
        "500 No preemption victims found for incoming pod.",
        "lastProbeTime": None,
        "lastTransitionTime": _SCHEDULED,
    }
