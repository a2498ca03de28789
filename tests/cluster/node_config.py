"""What containerd, CNI and kubelet are told."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.cluster.images import PAUSE
from tests.cluster.state import Run

LEASE_SECONDS = 20


def containerd_config(run: Run, root: Path, cni_binaries: Path, cni_config: Path) -> str:
    """Containerd's configuration; every path is the run's own."""
    cri = "plugins.'io.containerd.cri.v1"
    return f"""version = 3
root = '{root / "containerd"}'
state = '{run.runtime_dir / "containerd"}'
temp = '{root / "tmp"}'
disabled_plugins = [
  'io.containerd.nri.v1.nri',
  'io.containerd.snapshotter.v1.btrfs',
  'io.containerd.snapshotter.v1.devmapper',
  'io.containerd.snapshotter.v1.zfs',
  'io.containerd.snapshotter.v1.blockfile',
  'io.containerd.snapshotter.v1.erofs',
]

[grpc]
address = '{containerd_socket(run)}'

[plugins.'io.containerd.internal.v1.opt']
path = '{root / "opt"}'

[plugins.'io.containerd.shim.v1.manager']
socket_dir = '{run.runtime_dir / "s"}'

[{cri}.images']
snapshotter = '{_snapshotter(root)}'

[{cri}.images'.pinned_images]
sandbox = '{PAUSE}'

[{cri}.runtime']
# Without CAP_SYS_RESOURCE every sandbox fails otherwise.
restrict_oom_score_adj = true
# So that what is ours can be told from other people's.
netns_mounts_under_state_dir = true

[{cri}.runtime'.containerd.runtimes.runc]
runtime_type = 'io.containerd.runc.v2'

[{cri}.runtime'.containerd.runtimes.runc.options]
Root = '{run.runtime_dir / "runc"}'

[{cri}.runtime'.cni]
bin_dirs = ['{cni_binaries}']
conf_dir = '{cni_config}'
"""


def containerd_socket(run: Run) -> Path:
    """Where containerd listens."""
    return run.runtime_dir / "containerd.sock"


def _snapshotter(root: Path) -> str:
    """overlayfs, except on top of another overlay, where the kernel refuses it."""
    done = subprocess.run(["stat", "-f", "-c", "%T", str(root)], capture_output=True, text=True, check=False)
    return "native" if "overlay" in done.stdout else "overlayfs"


def cni_config(run: Run, root: Path) -> str:
    """The network configuration: a bridge, addresses kept below the run's root."""
    network = run.pod_network
    bridge = {
        "type": "bridge",
        "bridge": run.bridge,
        "isGateway": True,
        "ipMasq": False,
        "ipam": {
            "type": "host-local",
            "ranges": [[{"subnet": f"{network}.0/24", "rangeStart": f"{network}.10"}]],
            "routes": [{"dst": "0.0.0.0/0"}],
            "dataDir": str(root / "ipam"),
        },
    }
    return json.dumps({"cniVersion": "1.0.0", "name": run.bridge, "plugins": [bridge]}, indent=1)


def kubelet_config(run: Run, root: Path, client_ca: Path) -> dict[str, Any]:
    """Kubelet's configuration, for a cgroup v1 machine as well as for a v2 one."""
    resolver = "/etc/resolv.conf"
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "address": f"{run.pod_network}.1",
        "port": run.port("kubelet"),
        "healthzBindAddress": "127.0.0.1",
        "healthzPort": run.port("kubelet-healthz"),
        "containerRuntimeEndpoint": f"unix://{containerd_socket(run)}",
        "cgroupDriver": "cgroupfs",
        "cgroupsPerQOS": False,
        "enforceNodeAllocatable": [],
        "failCgroupV1": False,
        "failSwapOn": False,
        # Without it there is a MissingClusterDNS Event on each Pod.
        "clusterDNS": ["10.96.0.10"],
        "clusterDomain": "cluster.local",
        "resolvConf": resolver if Path(resolver).exists() else "",
        "podLogsDir": str(root / "pod-logs"),
        "volumePluginDir": str(root / "volume-plugins"),
        "staticPodPath": str(root / "manifests"),
        "nodeLeaseDurationSeconds": LEASE_SECONDS,
        "nodeStatusUpdateFrequency": "5s",
        "syncFrequency": "10s",
        "registerNode": True,
        "imageGCHighThresholdPercent": 100,
        "evictionHard": {"memory.available": "20Mi", "nodefs.available": "1Mi", "imagefs.available": "1Mi"},
        "authentication": {
            "anonymous": {"enabled": False},
            "webhook": {"enabled": True},
            "x509": {"clientCAFile": str(client_ca)},
        },
        "authorization": {"mode": "Webhook"},
    }
