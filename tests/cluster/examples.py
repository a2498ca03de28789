"""Pods that do not run, one for each of the common causes, to try the tool on."""

from __future__ import annotations

from typing import Any

from tests.cluster.base import Object
from tests.cluster.images import BUSYBOX

NAMESPACE = "stuck"
_SLEEP = ["sleep", "100000"]


def _pod(name: str, container: Object | None = None, **spec: Any) -> Object:
    inner = {"name": "main", "image": BUSYBOX, "command": _SLEEP, **(container or {})}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"terminationGracePeriodSeconds": 0, "containers": [inner], **spec},
    }


def stuck_pods() -> list[tuple[str, Object]]:
    """What is wrong with each Pod, and the Pod."""
    absent = [{"configMapRef": {"name": "absent"}}]
    return [
        ("a mistyped schedulerName", _pod("mistyped", schedulerName="defualt-scheduler")),
        ("more CPU than any node has", _pod("too-big", {"resources": {"requests": {"cpu": "500"}}})),
        ("a scheduling gate", _pod("gated", schedulingGates=[{"name": "example.com/hold"}])),
        ("a crash loop", _pod("crash-loop", {"command": ["sh", "-c", "echo boom; exit 1"]})),
        ("an image that can't be pulled", _pod("image-pull", {"image": "registry.invalid/nothing:1"})),
        ("a ConfigMap that is not there", _pod("missing-configmap", {"envFrom": absent})),
    ]
