"""A second kube-scheduler as a Deployment on the real node, with a ServiceAccount that has the rights it is given."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from tests.cluster import Cluster

NAMESPACE = "kube-system"
RBAC = "rbac.authorization.k8s.io"
BUILT_IN = ("system:kube-scheduler", "system:volume-scheduler")
_PORT = 19259


def lease_role(name: str) -> dict[str, Any]:
    """A Role that lets its holder lead by the Lease of that name."""
    rules = [
        {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["create"]},
        {
            "apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["get", "update"],
            "resourceNames": [name],
        },
    ]  # fmt: skip
    return {"apiVersion": f"{RBAC}/v1", "kind": "Role", "metadata": {"name": name}, "rules": rules}


@contextmanager
def second_scheduler(  # noqa: PLR0913 - each is one property of it
    cluster: Cluster,
    name: str,
    *,
    cluster_roles: Sequence[str] = (),
    may_lead: bool = False,
    flags: Sequence[str] = (),
    port: int = _PORT,
) -> Iterator[str]:
    """Runs it, serving schedulerName `name` with a Lease of that name; yields its Pod's name once that is Ready."""
    made = [
        *_rights(name, cluster_roles, may_lead=may_lead),
        _config(name),
        _deployment(cluster, name, (f"--secure-port={port}", *flags)),
    ]
    cluster.apply(made, NAMESPACE)
    try:
        yield _ready_pod(cluster, name)
    finally:
        kinds = "deployment,configmap,serviceaccount,role,rolebinding"
        cluster.kubectl("delete", kinds, "-n", NAMESPACE, "-l", f"test={name}", "--wait=true")
        cluster.kubectl("delete", "clusterrolebinding", "-l", f"test={name}")
        cluster.kubectl("delete", "lease", "-n", NAMESPACE, name, "--ignore-not-found")


def _ready_pod(cluster: Cluster, name: str) -> str:
    deployed = ("-n", NAMESPACE, "-l", f"app={name}")
    cluster.wait("Deployment", NAMESPACE, name, lambda d: d["status"].get("availableReplicas") == 1, timeout=90)
    pods = json.loads(cluster.kubectl("get", "pods", *deployed, "-o", "json"))["items"]
    return str(pods[0]["metadata"]["name"])


def _meta(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "labels": {"test": more.pop("test", name)}, **more}


def _rights(name: str, cluster_roles: Sequence[str], *, may_lead: bool) -> Iterator[dict[str, Any]]:
    account = {"kind": "ServiceAccount", "name": name, "namespace": NAMESPACE}
    yield {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": _meta(name)}
    for number, role in enumerate(cluster_roles):
        meta = _meta(f"{name}-{number}", test=name)
        yield _binding("ClusterRoleBinding", meta, {"kind": "ClusterRole", "name": role}, account)
    if may_lead:
        yield {**lease_role(name), "metadata": _meta(name)}
        yield _binding("RoleBinding", _meta(name), {"kind": "Role", "name": name}, account)


def _binding(kind: str, meta: dict[str, Any], role: dict[str, str], account: dict[str, str]) -> dict[str, Any]:
    ref = {"apiGroup": RBAC, **role}
    return {"apiVersion": f"{RBAC}/v1", "kind": kind, "metadata": meta, "roleRef": ref, "subjects": [account]}


def _config(name: str) -> dict[str, Any]:
    lease = {"leaderElect": True, "resourceName": name, "resourceNamespace": NAMESPACE}
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": lease,
        "profiles": [{"schedulerName": name}],
    }
    return {
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": _meta(name), "data": {"config.yaml": json.dumps(config)},
    }  # fmt: skip


def _deployment(cluster: Cluster, name: str, flags: Sequence[str]) -> dict[str, Any]:
    address = urlsplit(cluster.server)
    env = {"KUBERNETES_SERVICE_HOST": address.hostname, "KUBERNETES_SERVICE_PORT": str(address.port)}
    command = ["/bin/kube-scheduler", "--config=/etc/scheduler/config.yaml", *flags]
    container = {
        "name": "scheduler", "image": cluster.load_scheduler_image(), "imagePullPolicy": "Never", "command": command,
        "env": [{"name": key, "value": value} for key, value in env.items()],
        "volumeMounts": [{"name": "config", "mountPath": "/etc/scheduler"}],
    }  # fmt: skip
    spec = {
        "serviceAccountName": name, "hostNetwork": True, "nodeName": "node-1", "terminationGracePeriodSeconds": 1,
        "containers": [container], "volumes": [{"name": "config", "configMap": {"name": name}}],
    }  # fmt: skip
    template = {"metadata": {"labels": {"app": name}}, "spec": spec}
    return {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": _meta(name),
        "spec": {"replicas": 1, "selector": {"matchLabels": {"app": name}}, "template": template},
    }  # fmt: skip
