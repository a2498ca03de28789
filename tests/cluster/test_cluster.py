"""The test cluster itself: it comes up, does what tests rely on, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.base import Object, until
from tests.cluster.build import HERE
from tests.cluster.cluster import Cluster, KubectlError
from tests.cluster.fixtures import cluster, control_plane
from tests.cluster.images import BUSYBOX
from tests.cluster.state import load_runs
from tests.cluster.teardown import leftovers

__all__ = ["cluster", "control_plane"]

pytestmark = pytest.mark.cluster


def pod(name: str, **spec: object) -> Object:
    container = {"name": "main", "image": BUSYBOX, "command": ["sh", "-c", "echo hello; sleep 1000"]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"terminationGracePeriodSeconds": 0, "containers": [container], **spec},
    }


def running(found: Object) -> bool:
    return bool(found["status"].get("phase") == "Running")


def lost(found: Object) -> bool:
    return any(c["type"] == "Ready" and c["status"] == "Unknown" for c in found["status"]["conditions"])


def scheduler_refused(found: Object) -> bool:
    return any(c["type"] == "PodScheduled" and c["status"] == "False" for c in found["status"].get("conditions", []))


def test_a_pod_runs_on_the_real_node(cluster: Cluster) -> None:
    namespace = cluster.namespace()
    cluster.apply(pod("real", nodeName="node-1"), namespace)
    cluster.wait("Pod", namespace, "real", running)
    assert until(lambda: cluster.kubectl("logs", "-n", namespace, "real") == "hello\n", 10)
    assert "busybox" in cluster.kubectl("exec", "-n", namespace, "real", "--", "ls", "/bin")
    assert BUSYBOX in cluster.images


def test_a_broken_network_stops_sandboxes_until_it_is_mended(cluster: Cluster) -> None:
    namespace = cluster.namespace()
    cluster.break_cni()
    try:
        cluster.apply(pod("cut-off", nodeName="node-1"), namespace)
        events = ("get", "events", "-n", namespace)
        assert until(lambda: "FailedCreatePodSandBox" in cluster.kubectl(*events), 30, 0.5)
    finally:
        cluster.mend_cni()
    cluster.wait("Pod", namespace, "cut-off", running)


def test_a_scheduler_runs_in_a_container(cluster: Cluster) -> None:
    namespace = cluster.namespace()
    second = pod("scheduler", nodeName="node-1", hostNetwork=True)
    second["spec"]["containers"] = [
        {"name": "main", "image": cluster.load_scheduler_image(), "args": ["--version"], "imagePullPolicy": "Never"}
    ]
    second["spec"]["restartPolicy"] = "Never"
    cluster.apply(second, namespace)
    cluster.wait("Pod", namespace, "scheduler", lambda found: found["status"].get("phase") == "Succeeded")
    assert "v1.37.2" in cluster.kubectl("logs", "-n", namespace, "scheduler")


def test_a_pod_is_bound_to_a_simulated_node_and_goes_with_its_deletion(control_plane: Cluster) -> None:
    namespace = control_plane.namespace()
    control_plane.simulated_node("quiet", cpu="2", labels={"pool": "quiet"}, taints=["only=quiet:NoSchedule"])
    control_plane.simulated_node("lively", labels={"pool": "lively"}, runs_pods=True)
    tolerations = [{"key": "only", "operator": "Exists"}]
    control_plane.apply(pod("waits", nodeSelector={"pool": "quiet"}, tolerations=tolerations), namespace)
    control_plane.apply(pod("runs", nodeSelector={"pool": "lively"}), namespace)
    control_plane.apply(pod("refused", nodeSelector={"pool": "quiet"}), namespace)
    bound = control_plane.wait("Pod", namespace, "waits", lambda found: "nodeName" in found["spec"])
    assert bound["spec"]["nodeName"] == "quiet"
    control_plane.wait("Pod", namespace, "runs", running)
    control_plane.wait("Pod", namespace, "refused", scheduler_refused)
    control_plane.kubectl("delete", "pod", "-n", namespace, "waits", "--wait=false")
    control_plane.wait_gone("Pod", namespace, "waits")


def test_a_silenced_node_is_lost_and_others_stay_ready(control_plane: Cluster) -> None:
    control_plane.simulated_node("lost")
    control_plane.simulated_node("kept")
    control_plane.silence_node("lost")
    control_plane.wait("Node", None, "lost", lost)
    kept = control_plane.get("Node", None, "kept")
    assert kept is not None
    assert not lost(kept)


def test_a_pod_waits_without_a_word_while_the_scheduler_is_down(control_plane: Cluster) -> None:
    namespace = control_plane.namespace()
    control_plane.simulated_node("for-later", labels={"pool": "later"})
    control_plane.stop_scheduler()
    control_plane.apply(pod("later", nodeSelector={"pool": "later"}), namespace)
    waiting = control_plane.get("Pod", namespace, "later")
    assert waiting is not None
    assert "conditions" not in waiting["status"]
    control_plane.start_scheduler()
    control_plane.wait("Pod", namespace, "later", lambda found: "nodeName" in found["spec"])


def test_a_second_scheduler_runs_beside_the_first(control_plane: Cluster) -> None:
    namespace = control_plane.namespace()
    control_plane.simulated_node("for-second", labels={"pool": "second"})
    config = {"leaderElection": {"leaderElect": False}, "profiles": [{"schedulerName": "second"}]}
    control_plane.start_scheduler(name="second", config=config)
    try:
        control_plane.apply(pod("mine", schedulerName="second", nodeSelector={"pool": "second"}), namespace)
        control_plane.wait("Pod", namespace, "mine", lambda found: "nodeName" in found["spec"])
    finally:
        control_plane.stop("second")


def test_a_user_has_no_rights_until_given_some(control_plane: Cluster) -> None:
    kubeconfig = control_plane.user_kubeconfig("nobody")
    with pytest.raises(KubectlError, match='User "nobody" cannot list'):
        control_plane.kubectl("get", "nodes", kubeconfig=kubeconfig)


def test_an_interrupted_run_is_swept(cluster: Cluster, tmp_path: Path) -> None:
    others = cluster.namespace()
    cluster.apply(pod("spared", nodeName="node-1"), others)
    cluster.wait("Pod", others, "spared", running)
    program = (
        "import sys, time; from pathlib import Path; from tests.cluster import Cluster; "
        "from tests.cluster.test_cluster import pod, running\n"
        f"with Cluster(Path({str(tmp_path)!r})) as c:\n"
        "    c.apply(pod('left', nodeName='node-1'), 'default')\n"
        "    c.wait('Pod', 'default', 'left', running)\n"
        "    print('ready', flush=True); time.sleep(1000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], cwd=HERE.parents[1], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        os.kill(child.pid, signal.SIGKILL)
    run = next(run for run in load_runs() if run.root == str(tmp_path))
    kinds = {item.split()[0] for item in leftovers(run)}
    assert kinds == {"process", "shim", "mount", "cgroup", "bridge", "folder"}
    sweep = [sys.executable, "-m", "tests.cluster", "sweep-leftovers"]
    assert subprocess.run(sweep, cwd=HERE.parents[1], check=False).returncode == 0
    assert leftovers(run) == []
    assert cluster.kubectl("exec", "-n", others, "spared", "--", "echo", "here") == "here\n"
