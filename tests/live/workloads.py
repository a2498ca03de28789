"""The real API server refuses a workload's Pods."""

from __future__ import annotations

from dataclasses import replace

from tests.live import admission
from tests.live.scenario import BUSYBOX, Object, Scenario

DEPLOYMENT = f"""apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  replicas: 2
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers:
      - {{name: web, image: "{BUSYBOX}", command: ["sleep", "3600"]}}
"""
QUOTA = """apiVersion: v1
kind: ResourceQuota
metadata: {name: small}
spec: {hard: {%s}}
---
"""
LIMITS = """apiVersion: v1
kind: LimitRange
metadata: {name: caps}
spec: {limits: [{type: Container, max: {memory: 64Mi}, default: {memory: 32Mi}}]}
---
"""


def refused(obj: Object) -> bool:
    """The workload says that its Pods could not be made."""
    conditions = obj.get("status", {}).get("conditions", [])
    return any(c["type"] == "ReplicaFailure" and c["status"] == "True" for c in conditions)


def _refused(cause: str, slug: str, manifest: str, first: str = "pod-creation-rejected") -> Scenario:
    causes = (first, cause) if cause != first else (cause,)
    return Scenario(
        cause, slug, "no_pod", causes, manifest, target="deploy/web", kind="Deployment", reached=refused
    )  # fmt: skip


SCENARIOS = (
    _refused("quota-requires-requests", "cpu", QUOTA % 'requests.cpu: "2"' + DEPLOYMENT),
    _refused("quota-exceeded", "pods", QUOTA % 'pods: "0"' + DEPLOYMENT),
    _refused(
        "limit-range-violation",
        "memory",
        LIMITS + DEPLOYMENT.replace('["sleep", "3600"]', '["sleep", "3600"], resources: {limits: {memory: 1Gi}}'),
    ),
    replace(
        _refused("pod-security-violation", "restricted", DEPLOYMENT),
        namespace_labels=("pod-security.kubernetes.io/enforce=restricted",),
    ),
    _refused(
        "service-account-missing",
        "never-made",
        DEPLOYMENT.replace("      containers:", "      serviceAccountName: deployer\n      containers:"),
    ),
    Scenario(
        "scaled-to-zero",
        "deployment",
        "no_pod",
        ("scaled-to-zero",),
        DEPLOYMENT.replace("replicas: 2", "replicas: 0"),
        target="deploy/web",
        kind="Deployment",
        reached=lambda o: o.get("status", {}).get("observedGeneration", 0) >= 1,
    ),
    *admission.SCENARIOS,
)
