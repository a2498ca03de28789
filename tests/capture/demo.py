"""`python -m tests.capture.demo [WORD…]`: the packaged captures of `whypending demo`, from a small shop's cluster."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.capture.folder import diagnosis_of, difference
from tests.capture.shown import asked, files, save
from tests.cluster import Cluster
from tests.live.scenario import BUSYBOX, UNSCHEDULABLE, Object, Reached, waiting
from whypending.sources.files import FilesSource
from whypending.sources.live import LiveSource
from whypending.sources.snapshot import RecordingSource

HOME = Path(__file__).parents[2] / "whypending" / "demo"
NAMESPACE = "shop"


@dataclass(frozen=True)
class Demo:
    """A shop with one workload that does not run.

    workload: the Deployment whose Pod is asked about. well: Deployments that run beside it, with their replicas.
    spec: YAML of the workload's Pod spec, container: of its container. age: seconds that the Pod waits first.
    nodes: simulated ones; none = the real node. taints: put on Nodes when all else runs.
    """

    name: str
    title: str
    workload: str
    reached: Reached
    spec: str = ""
    container: str = ""
    before: str = ""
    age: float = 30
    well: Mapping[str, int] = field(default_factory=lambda: {"storefront": 2})
    nodes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    taints: Mapping[str, str] = field(default_factory=dict)


def unseen(pod: Object) -> bool:
    """No scheduler has written anything onto it."""
    return not pod["status"].get("conditions")


WORKERS: dict[str, dict[str, Any]] = {f"worker-{n}": {"runs_pods": True} for n in (1, 2, 3)}
DEMOS = (
    Demo(
        "01-mistyped-scheduler",
        "A Deployment names a scheduler that does not exist",
        "checkout",
        unseen,
        spec="      schedulerName: defualt-scheduler\n",
        age=150,
        nodes=WORKERS,
    ),
    Demo(
        "02-taints-not-named",
        "Every node is tainted, and the scheduler's message does not say by what",
        "search",
        UNSCHEDULABLE,
        nodes=WORKERS,
        taints=dict.fromkeys(WORKERS, "maintenance=kernel-upgrade:NoSchedule"),
    ),
    Demo(
        "03-secret-key-missing",
        "A bound Pod whose Secret lacks the key that a container needs",
        "payments",
        waiting("CreateContainerConfigError"),
        container="        env:\n        - name: DB_PASSWORD\n          valueFrom:\n"
        "            secretKeyRef: {name: payments-db, key: password}\n",
        before="apiVersion: v1\nkind: Secret\nmetadata: {name: payments-db}\nstringData: {pasword: example}\n---\n",
        well={"storefront": 1},
    ),
)


def deployment(name: str, replicas: int = 1, spec: str = "", container: str = "", namespace: str = NAMESPACE) -> str:
    """A Deployment's manifest."""
    return f"""apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, namespace: {namespace}}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      terminationGracePeriodSeconds: 0
{spec}      containers:
      - name: {name}
        image: {BUSYBOX}
        command: ["sleep", "360000"]
{container}---
"""


def capture(demo: Demo, root: Path) -> str:
    """Write the demo's folder; what the files answer otherwise than the cluster, "" where they agree."""
    with Cluster(root, node=not demo.nodes) as cluster:
        for name, shape in demo.nodes.items():
            cluster.simulated_node(name, **shape)
        _open(cluster, demo)
        pod = _waiting_pod(cluster, demo)
        return _write(cluster, demo, pod)


def _open(cluster: Cluster, demo: Demo) -> None:
    cluster.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    for namespace in (NAMESPACE, "kube-system"):
        cluster.wait("ServiceAccount", namespace, "default", lambda _: True)
    well = [deployment(name, count) for name, count in demo.well.items()]
    cluster.apply("".join([*well, deployment("coredns", namespace="kube-system")]))
    for place, name in (*((NAMESPACE, name) for name in demo.well), ("kube-system", "coredns")):
        cluster.wait("Deployment", place, name, _is_available)
    for node, taint in demo.taints.items():
        cluster.kubectl("taint", "node", node, taint)
    cluster.apply(demo.before + deployment(demo.workload, 1, demo.spec, demo.container), NAMESPACE)


def _is_available(obj: Object) -> bool:
    return bool(obj.get("status", {}).get("availableReplicas", 0) >= obj["spec"]["replicas"])


def _waiting_pod(cluster: Cluster, demo: Demo) -> str:
    deadline = time.monotonic() + 60
    while not (names := _pods(cluster, demo.workload)) and time.monotonic() < deadline:
        time.sleep(0.2)
    cluster.wait("Pod", NAMESPACE, names[0], demo.reached)
    time.sleep(demo.age)
    return names[0]


def _pods(cluster: Cluster, app: str) -> list[str]:
    shown = cluster.kubectl("get", "pods", "-n", NAMESPACE, "-l", f"app={app}", "-o", "name")
    return [line.removeprefix("pod/") for line in shown.split()]


def _write(cluster: Cluster, demo: Demo, pod: str) -> str:
    recording = RecordingSource(LiveSource.connect(kubeconfig=str(cluster.kubeconfig), context=None))
    live = diagnosis_of(recording, "Pod", NAMESPACE, pod)
    folder = HOME / demo.name
    paths = save(folder, files(cluster, asked(recording, NAMESPACE), frozenset({NAMESPACE, "kube-system"})))
    told = {
        "title": demo.title,
        "pod": pod,
        "namespace": NAMESPACE,
        "paths": [Path(p).name for p in paths] if len(paths) == 1 else ["."],
    }
    (folder / "scenario.json").write_text(json.dumps(told, indent=1) + "\n")
    saved = diagnosis_of(FilesSource.open(paths, now=recording.now), "Pod", NAMESPACE, pod)
    recording.close()
    return difference(live, saved)


def main(words: Sequence[str]) -> int:
    """Capture those that have one of the words; 1 if the files of one answer otherwise than its cluster."""
    failed = False
    for demo in (d for d in DEMOS if not words or any(w in d.name for w in words)):
        with tempfile.TemporaryDirectory(prefix="demo-") as root:
            differs = capture(demo, Path(root))
        sys.stderr.write(f"{demo.name}: {differs or 'captured'}\n")
        failed = failed or bool(differs)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
