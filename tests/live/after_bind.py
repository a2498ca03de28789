"""What the real kubelet refuses, waits for or gives up, all on node-1 at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.cluster import Cluster
from tests.cluster.lifecycle import usable_node
from tests.live.admission import workload
from tests.live.scenario import (
    BUSYBOX,
    Object,
    Reached,
    Scenario,
    await_event,
    condition,
    older_than,
    pod,
    sleeper,
    terminated,
    waiting,
)

ON_NODE_1 = "  nodeName: node-1\n"
PORT = "    ports: [{containerPort: 80, hostPort: 28080}]\n"
REFUSED = ("kubelet-admission-rejected", "node-name-preset")
FINALIZER = "    app: web\n  finalizers: [example.com/report]"
SIDECAR = f"""  initContainers:
  - name: proxy
    image: {BUSYBOX}
    command: ["sleep", "3600"]
    restartPolicy: Always
    startupProbe: {{exec: {{command: ["test", "-f", "/tmp/ready"]}}, periodSeconds: 20, failureThreshold: 60}}
"""
WRITES = """    resources: {limits: {ephemeral-storage: 2Mi}}
"""
FIRST_CONSUMER = """apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: whypending-wait}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
  storageClassName: whypending-wait
---
"""
WITH_CLAIM = "  volumes:\n  - name: data\n    persistentVolumeClaim: {claimName: data}\n"
MOUNT = "    volumeMounts: [{name: data, mountPath: /data}]\n"


def stuck(causes: tuple[str, ...], slug: str, manifest: str, reached: Reached, **other: Any) -> Scenario:
    """A bound Pod; the deepest cause names the scenario, if not another is given."""
    return Scenario(
        str(other.pop("cause", causes[-1])), slug, "scheduled_not_ready", causes, manifest, reached=reached, **other
    )


def failed(reason: str) -> Reached:
    """The kubelet ended the Pod with that reason."""
    return lambda o: o.get("status", {}).get("phase") == "Failed" and o["status"].get("reason") == reason


def running(obj: Object) -> bool:
    """A container runs, and the Pod is not Ready."""
    statuses = obj.get("status", {}).get("containerStatuses", [])
    return any(s["state"].get("running") for s in statuses) and condition("Ready", "False")(obj)


def deleted(cluster: Cluster, namespace: str) -> None:
    """Once it is Ready: kubectl delete pod web."""
    cluster.wait("Pod", namespace, "web", condition("Ready", "True"))
    cluster.kubectl("-n", namespace, "delete", "pod", "web", "--wait=false")


def first_is_held(cluster: Cluster, namespace: str) -> None:
    """A finalizer on web-0; then: kubectl delete pod web-0."""
    cluster.wait("Pod", namespace, "web-0", running)
    held = '{"metadata":{"finalizers":["example.com/drain"]}}'
    cluster.kubectl("-n", namespace, "patch", "pod", "web-0", "--type=merge", "-p", held)
    cluster.kubectl("-n", namespace, "delete", "pod", "web-0", "--wait=false")


@contextmanager
def without_cni_config(cluster: Cluster) -> Iterator[None]:
    """No network plugin is configured on node-1, so it is NotReady."""
    cluster.break_cni("config")
    try:
        cluster.wait("Node", None, "node-1", condition("Ready", "False"))
        yield
    finally:
        cluster.mend_cni()
        cluster.wait("Node", None, "node-1", usable_node)


def refused_for_the_network(cluster: Cluster, namespace: str) -> None:
    """The kubelet says so."""
    await_event(cluster, namespace, "NetworkNotReady")
    await_event(cluster, namespace, "FailedMount")


SCENARIOS = (
    stuck(
        ("kubelet-admission-rejected", "node-name-preset"),
        "out-of-cpu",
        pod(ON_NODE_1 + sleeper(container='    resources: {requests: {cpu: "500"}}\n')),
        failed("OutOfcpu"),
        confidence="likely",
    ),
    Scenario(
        "kubelet-admission-rejected",
        "node-affinity",
        "scheduled_not_ready",
        REFUSED,
        pod(ON_NODE_1 + sleeper("  nodeSelector: {disktype: ssd}\n")),
        reached=failed("NodeAffinity"),
        confidence="likely",
    ),
    Scenario(
        "kubelet-admission-rejected",
        "host-port",
        "scheduled_not_ready",
        REFUSED,
        pod(ON_NODE_1 + sleeper(container=PORT), name="first") + "---\n" + pod(ON_NODE_1 + sleeper(container=PORT)),
        reached=failed("NodePorts"),
        confidence="likely",
    ),
    stuck(
        ("container-crashloop", "lifecycle-hook-failed"),
        "post-start",
        pod(sleeper(container='    lifecycle: {postStart: {exec: {command: ["test", "-f", "/tmp/ready"]}}}\n')),
        lambda o: waiting("PostStartHookError")(o) or waiting("CrashLoopBackOff")(o),
    ),
    stuck(
        ("sidecar-blocked", "startup-probe-failing"),
        "never-started",
        pod(sleeper(SIDECAR)),
        lambda o: older_than(35)(o) and any(s["state"].get("running") for s in o["status"]["initContainerStatuses"]),
        cause="sidecar-blocked",
        confidence="likely",
    ),
    stuck(
        ("container-create-failed",),
        "seccomp-profile",
        pod(sleeper("  securityContext: {seccompProfile: {type: Localhost, localhostProfile: not-there.json}}\n")),
        waiting("CreateContainerError"),
    ),
    stuck(
        ("pod-terminating-stuck", "terminating-finalizer"),
        "own-finalizer",
        pod(sleeper(), labels=FINALIZER.strip()),
        lambda o: "deletionTimestamp" in o["metadata"] and bool(terminated(o)) and older_than(70)(o),
        then=deleted,
        timeout=120,
        also=("container-failed",),
    ),
    stuck(
        ("evicted",),
        "storage-limit",
        pod(
            sleeper(container=WRITES).replace(
                '["sleep", "3600"]', '["sh", "-c", "yes > /tmp/full & sleep 1; kill $!; exec sleep 3600"]'
            )
        ),
        failed("Evicted"),
        timeout=120,
    ),
    stuck(
        ("min-ready-wait",),
        "initial-delay",
        pod(sleeper(container='    readinessProbe: {exec: {command: ["true"]}, initialDelaySeconds: 3600}\n')),
        running,
    ),
    stuck(
        ("pvc-wait-for-first-consumer",),
        "node-name",
        FIRST_CONSUMER + pod(ON_NODE_1 + sleeper(WITH_CLAIM, MOUNT)),
        older_than(32),
        also=("volume-mount-failed",),
    ),
    Scenario(
        "ordered-rollout-wait",
        "first-is-ending",
        "no_pod",
        ("ordered-rollout-wait",),
        workload("StatefulSet", container="        readinessProbe: {exec: {command: [test, -f, /tmp/ready]}}\n"),
        target="sts/web",
        name="web-0",
        reached=lambda o: bool(terminated(o)),
        then=first_is_held,
    ),
)

SLOW = (
    # its Events are repeated every two seconds
    stuck(
        ("node-not-ready-after-bind", "network-not-ready"),
        "no-cni-config",
        pod(sleeper("  tolerations: [{operator: Exists}]\n")),
        condition("PodScheduled", "True"),
        fault=without_cni_config,
        then=refused_for_the_network,
        also=("volume-mount-failed",),
    ),
)
