"""What the real kubelet refuses, waits for or gives up, all on node-1 at once."""

from __future__ import annotations

from tests.cluster import Cluster
from tests.live.scenario import (
    BUSYBOX,
    Object,
    Reached,
    Scenario,
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
    startupProbe: {{exec: {{command: ["false"]}}, periodSeconds: 1, failureThreshold: 600}}
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


def stuck(causes: tuple[str, ...], slug: str, manifest: str, reached: Reached, **other: object) -> Scenario:
    """A bound Pod; the deepest cause names the scenario."""
    return Scenario(causes[-1], slug, "scheduled_not_ready", causes, manifest, reached=reached, **other)  # type: ignore[arg-type]


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


SCENARIOS = (
    stuck(
        ("kubelet-admission-rejected", "node-name-preset"),
        "out-of-cpu",
        pod(ON_NODE_1 + sleeper(container='    resources: {requests: {cpu: "500"}}\n')),
        failed("OutOfcpu"),
    ),
    Scenario(
        "kubelet-admission-rejected",
        "node-affinity",
        "scheduled_not_ready",
        REFUSED,
        pod(ON_NODE_1 + sleeper("  nodeSelector: {disktype: ssd}\n")),
        reached=failed("NodeAffinity"),
    ),
    Scenario(
        "kubelet-admission-rejected",
        "host-port",
        "scheduled_not_ready",
        REFUSED,
        pod(ON_NODE_1 + sleeper(container=PORT), name="first") + "---\n" + pod(ON_NODE_1 + sleeper(container=PORT)),
        reached=failed("NodePorts"),
    ),
    stuck(
        ("container-crashloop", "lifecycle-hook-failed"),
        "post-start",
        pod(sleeper(container='    lifecycle: {postStart: {exec: {command: ["false"]}}}\n')),
        lambda o: waiting("PostStartHookError")(o) or waiting("CrashLoopBackOff")(o),
    ),
    stuck(
        ("sidecar-blocked", "startup-probe-failing"),
        "never-started",
        pod(sleeper(SIDECAR)),
        lambda o: any(s["state"].get("running") for s in o.get("status", {}).get("initContainerStatuses", [])),
    ),
    stuck(
        ("container-create-failed",),
        "no-such-device",
        pod(sleeper(container='    workingDir: "/etc/passwd/no-folder"\n')),
        lambda o: waiting("CreateContainerError")(o) or waiting("RunContainerError")(o),
    ),
    stuck(
        ("pod-terminating-stuck", "terminating-finalizer"),
        "own-finalizer",
        pod(sleeper(), labels=FINALIZER.strip()),
        lambda o: "deletionTimestamp" in o["metadata"] and bool(terminated(o)) and older_than(70)(o),
        then=deleted,
        timeout=120,
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
        ("node-name-preset", "pvc-wait-for-first-consumer"),
        "node-name",
        FIRST_CONSUMER + pod(ON_NODE_1 + sleeper(WITH_CLAIM, MOUNT)),
        older_than(32),
    ),
)
