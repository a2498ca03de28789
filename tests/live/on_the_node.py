"""The real kubelet, containerd and CNI plugins, on node-1."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.cluster import Cluster
from tests.live import admission, after_bind, registry
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
    waiting,
)


def _stuck(causes: tuple[str, ...], slug: str, manifest: str, reached: Reached, **other: object) -> Scenario:
    return Scenario(causes[-1], slug, "scheduled_not_ready", causes, manifest, reached=reached, **other)  # type: ignore[arg-type]


def _command(*words: str, extra: str = "", image: str = BUSYBOX) -> str:
    command = ", ".join(f'"{w}"' for w in words)
    container = f"  containers:\n  - name: web\n    image: {image}\n    command: [{command}]\n"
    return f"  terminationGracePeriodSeconds: 0\n{container}{extra}"


def restarted(times: int) -> Reached:
    """The container was restarted that often and waits to be restarted again."""

    def reached(obj: Object) -> bool:
        statuses = obj.get("status", {}).get("containerStatuses", [])
        return any(s["restartCount"] >= times for s in statuses) and waiting("CrashLoopBackOff")(obj)

    return reached


def unready(obj: Object) -> bool:
    """It runs, and is not Ready."""
    running = any(s.get("state", {}).get("running") for s in obj.get("status", {}).get("containerStatuses", []))
    return running and condition("Ready", "False")(obj)


def settled(obj: Object) -> bool:
    """Unready for so long that the first probe has failed, and its Event is there."""
    return unready(obj) and older_than(22)(obj)


@contextmanager
def without_cni(cluster: Cluster) -> Iterator[None]:
    """The CNI plugin fails for each new sandbox."""
    cluster.break_cni()
    try:
        yield
    finally:
        cluster.mend_cni()


ENV = """    env:
    - name: SETTING
      valueFrom: {%s: {name: %s, key: %s}}
"""
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {mode: fast}\n---\n"
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {user: me}\n---\n"
NEVER_THERE = "whypending.test/not-there:1"
PROBE = '    %s: {exec: {command: ["test", "-f", "/tmp/ready"]}, periodSeconds: %d, failureThreshold: %d}\n'
INIT = f"""  initContainers:
  - name: prepare
    image: {BUSYBOX}
    command: ["sh", "-c", "echo no database; exit 3"]
"""
NO_PATH = "  volumes: [{name: data, hostPath: {path: /whypending-no-such-folder, type: Directory}}]\n"
NO_CONFIG_VOLUME = "  volumes: [{name: data, configMap: {name: not-made}}]\n"
MOUNT = "    volumeMounts: [{name: data, mountPath: /data}]\n"
GATE = "  readinessGates: [{conditionType: example.com/in-service}]\n"
ERROR = waiting("CreateContainerConfigError")

SCENARIOS = (
    _stuck(("container-crashloop",), "exit-1", pod(_command("sh", "-c", "exit 1")), restarted(2)),
    _stuck(
        ("container-crashloop", "oom-killed"),
        "dd",
        pod(
            _command("dd", "if=/dev/zero", "of=/dev/null", "bs=200M", extra="    resources: {limits: {memory: 30Mi}}\n")
        ),
        restarted(3),
    ),
    _stuck(
        ("image-pull-failed",),
        "no-registry",
        pod(sleeper().replace(BUSYBOX, "127.0.0.1:9/shop/web:1")),
        waiting("ImagePullBackOff"),
    ),
    _stuck(
        ("image-never-pull",),
        "not-on-the-node",
        pod(sleeper(container="    imagePullPolicy: Never\n").replace(BUSYBOX, NEVER_THERE)),
        waiting("ErrImageNeverPull"),
    ),
    _stuck(
        ("image-name-invalid",),
        "upper-case",
        pod(sleeper().replace(BUSYBOX, "whypending.test/Not/Valid:1")),
        waiting("InvalidImageName"),
    ),
    _stuck(
        ("container-config-error", "configmap-missing"),
        "env",
        pod(sleeper(container=ENV % ("configMapKeyRef", "not-made", "mode"))),
        ERROR,
    ),
    _stuck(
        ("container-config-error", "configmap-key-missing"),
        "env",
        CONFIG + pod(sleeper(container=ENV % ("configMapKeyRef", "settings", "speed"))),
        ERROR,
    ),
    _stuck(
        ("container-config-error", "secret-missing"),
        "env",
        pod(sleeper(container=ENV % ("secretKeyRef", "not-made", "user"))),
        ERROR,
    ),
    _stuck(
        ("container-config-error", "secret-key-missing"),
        "env",
        SECRET + pod(sleeper(container=ENV % ("secretKeyRef", "login", "password"))),
        ERROR,
    ),
    _stuck(
        ("volume-mount-failed",),
        "host-path",
        pod(sleeper(NO_PATH, MOUNT)),
        condition("PodReadyToStartContainers", "False"),
    ),
    _stuck(
        ("volume-mount-failed", "configmap-missing"),
        "volume",
        pod(sleeper(NO_CONFIG_VOLUME, MOUNT)),
        condition("PodReadyToStartContainers", "False"),
    ),
    _stuck(("readiness-probe-failing",), "exec", pod(sleeper(container=PROBE % ("readinessProbe", 20, 1))), settled),
    _stuck(
        ("startup-probe-failing",),
        "exec",
        pod(sleeper(container=PROBE % ("startupProbe", 20, 60))),
        settled,
        confidence="likely",
    ),
    _stuck(
        ("container-crashloop", "liveness-probe-killing"),
        "exec",
        pod(sleeper(container=PROBE % ("livenessProbe", 1, 1))),
        restarted(1),
    ),
    _stuck(("readiness-gate-false",), "never-set", pod(sleeper(GATE)), unready),
    Scenario(
        "init-container-blocked",
        "exit-3",
        "scheduled_not_ready",
        ("init-container-blocked", "container-crashloop"),
        pod(sleeper(INIT)),
        reached=waiting("CrashLoopBackOff", "initContainerStatuses"),
    ),
    _stuck(
        ("container-crashloop", "container-start-error"),
        "no-such-command",
        pod(_command("/bin/not-there")),
        restarted(3),
    ),
    _stuck(
        ("sandbox-creation-failed", "runtime-handler-missing"),
        "no-handler",
        "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: whypending-none}\nhandler: none\n---\n"
        + pod(sleeper("  runtimeClassName: whypending-none\n")),
        condition("PodReadyToStartContainers", "False"),
    ),
    _stuck(
        ("container-failed",),
        "exit-2",
        pod(_command("sh", "-c", "exit 2").replace("  containers:", "  restartPolicy: Never\n  containers:")),
        lambda o: o.get("status", {}).get("phase") == "Failed",
    ),
    Scenario("ready", "running", "not_stuck", ("ready",), pod(sleeper()), reached=condition("Ready", "True")),
    Scenario(
        "completed",
        "exit-0",
        "not_stuck",
        ("completed",),
        pod(_command("true").replace("  containers:", "  restartPolicy: Never\n  containers:")),
        reached=lambda o: o.get("status", {}).get("phase") == "Succeeded",
    ),
    *after_bind.SCENARIOS,
)

ALONE = (
    # PodGC deletes a Pod without a Node 40 to 60 s after it has seen it
    _stuck(
        ("node-name-preset", "node-not-found"),
        "no-such-node",
        pod("  nodeName: no-such-node\n" + sleeper()),
        older_than(32),
    ),
    _stuck(
        ("sandbox-creation-failed",),
        "cni-broken",
        pod(sleeper()),
        condition("PodReadyToStartContainers", "False"),
        fault=without_cni,
        then=lambda c, n: await_event(c, n, "FailedCreatePodSandBox"),
    ),
    *admission.ALONE,
    *registry.SCENARIOS,
)
