"""The real API server's admission plugins, webhooks and policies refuse a workload's Pods."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from tests.cluster import Cluster
from tests.live.scenario import BUSYBOX, Object, Reached, Scenario, no_fault, older_than

GUARDED = "whypending.test/guarded"


def workload(kind: str, extra: str = "", container: str = "", spec: str = "", name: str = "web") -> str:
    """A manifest of that kind with two replicas where it has any; `extra` is YAML of its spec."""
    replicas = "" if kind == "DaemonSet" else "  replicas: 2\n"
    return f"""apiVersion: apps/v1
kind: {kind}
metadata: {{name: {name}}}
spec:
{replicas}{extra}  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web, {GUARDED}: "yes"}}}}
    spec:
      terminationGracePeriodSeconds: 0
{spec}      containers:
      - name: web
        image: {BUSYBOX}
        command: ["sleep", "3600"]
{container}"""


QUOTA = """apiVersion: v1
kind: ResourceQuota
metadata: {name: small}
spec: {hard: {requests.cpu: 150m}}
---
"""
DEFAULTS = """apiVersion: v1
kind: LimitRange
metadata: {name: defaults}
spec: {limits: [{type: Container, default: {cpu: 50m}}]}
---
"""
SOME_CPU = "        resources: {requests: {cpu: 100m}}\n"
WEBHOOK = f"""apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {{name: whypending-policy}}
webhooks:
- name: policy.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  timeoutSeconds: 5
  clientConfig: {{service: {{namespace: policy, name: policy-server, path: /validate}}}}
  objectSelector: {{matchLabels: {{{GUARDED}: "yes"}}}}
  rules: [{{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}}]
"""
POLICY = f"""apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {{name: require-limits.example.com}}
spec:
  failurePolicy: Fail
  matchConstraints:
    objectSelector: {{matchLabels: {{{GUARDED}: "yes"}}}}
    resourceRules: [{{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}}]
  validations:
  - expression: object.spec.containers.all(c, has(c.resources) && has(c.resources.limits))
    message: every container needs limits
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {{name: require-limits.example.com}}
spec: {{policyName: require-limits.example.com, validationActions: [Deny]}}
"""


def in_force(manifest: str, words: str) -> Callable[[Cluster], AbstractContextManager[None]]:
    """The fault that these admission objects are, from when the API server heeds them."""

    @contextmanager
    def fault(cluster: Cluster) -> Iterator[None]:
        cluster.apply(manifest)
        try:
            _await_refusal(cluster, words)
            yield
        finally:
            cluster.kubectl("delete", "-f", "-", input=manifest)

    fault.__doc__ = "kubectl apply of\n" + manifest
    return fault


def _await_refusal(cluster: Cluster, words: str) -> None:
    probe = f"""apiVersion: v1
kind: Pod
metadata: {{name: probe, labels: {{{GUARDED}: "yes"}}}}
spec: {{containers: [{{name: probe, image: {BUSYBOX}}}]}}
"""
    deadline = time.monotonic() + 20
    while words not in cluster.kubectl("create", "--dry-run=server", "-f", "-", input=probe, check=False):
        assert time.monotonic() < deadline, words
        time.sleep(0.2)


def replica_failure(obj: Object) -> bool:
    """The workload says that its Pods could not be made."""
    conditions = obj.get("status", {}).get("conditions", [])
    return any(c["type"] == "ReplicaFailure" and c["status"] == "True" for c in conditions)


def quiet(obj: Object) -> bool:
    """Refused, and the controller's next tries are ten seconds apart."""
    return replica_failure(obj) and older_than(11)(obj)


def observed(obj: Object) -> bool:
    """Its controller has seen it."""
    return bool(obj.get("status", {}).get("observedGeneration"))


def _refused(
    cause: str, slug: str, manifest: str, fault: Callable[[Cluster], AbstractContextManager[None]] = no_fault
) -> Scenario:
    causes = ("pod-creation-rejected", cause)
    return Scenario(
        cause, slug, "no_pod", causes, manifest,
        target="deploy/web", kind="Deployment", fault=fault,
        reached=replica_failure if fault is no_fault else quiet,
    )  # fmt: skip


def _suspended(kind: str, target: str, manifest: str, reached: Reached) -> Scenario:
    return Scenario(
        "owner-suspended", kind.lower(), "held", ("owner-suspended",), manifest,
        target=target, kind=kind, reached=reached,
    )  # fmt: skip


JOB = f"""  template:
    spec:
      restartPolicy: Never
      containers: [{{name: web, image: "{BUSYBOX}", command: ["true"]}}]
"""

SCENARIOS = (
    _refused("quota-exceeded", "cpu", QUOTA + workload("Deployment", container=SOME_CPU)),
    _refused("invalid-pod-template", "limit-below-request", DEFAULTS + workload("Deployment", container=SOME_CPU)),
    _refused("priority-class-missing", "never-made", workload("Deployment", spec="      priorityClassName: gold\n")),
    Scenario(
        "no-matching-node-for-daemonset",
        "no-label",
        "no_pod",
        ("no-matching-node-for-daemonset",),
        workload("DaemonSet", spec="      nodeSelector: {disktype: ssd}\n"),
        target="ds/web",
        kind="DaemonSet",
        reached=observed,
    ),
    _suspended(
        "Job",
        "job/web",
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: web}\nspec:\n  suspend: true\n" + JOB,
        lambda o: any(c["type"] == "Suspended" for c in o.get("status", {}).get("conditions", [])),
    ),
    _suspended(
        "CronJob",
        "cronjob/web",
        'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: web}\nspec:\n  suspend: true\n  schedule: "* * * * *"\n'
        "  jobTemplate:\n    spec:\n" + "".join(f"    {line}\n" for line in JOB.splitlines()),
        lambda _: True,
    ),
)

ALONE = (
    _refused(
        "webhook-unavailable",
        "no-service",
        workload("Deployment"),
        in_force(WEBHOOK, "failed calling webhook"),
    ),
    _refused(
        "admission-policy-denied",
        "limits",
        workload("Deployment"),
        in_force(POLICY, "every container needs limits"),
    ),
)
