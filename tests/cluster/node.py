"""The real node: containerd, CNI plugins and kubelet, and its complete removal."""

from __future__ import annotations

import http.client
import os
import subprocess
from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path

import yaml

from tests.cluster.base import until
from tests.cluster.images import busybox_images
from tests.cluster.network import add_bridge
from tests.cluster.node_config import cni_config, containerd_config, containerd_socket, kubelet_config
from tests.cluster.processes import Processes
from tests.cluster.state import Run
from tests.cluster.tools import SBIN_PATH, busybox_command, runc_command

KUBELET = "kubelet"
CONTAINERD = "containerd"
NODE_NAME = "node-1"


class Node:
    """The real node of one run."""

    def __init__(self, run: Run, processes: Processes, binaries: Iterable[Path], root: Path) -> None:
        self.run = run
        self.processes = processes
        self.root = root
        self.images: list[str] = []
        self._programs = {path.name: path for folder in binaries for path in folder.iterdir()}
        # kubelet makes sockets below its folder, and their paths may have no more than 107 characters.
        self._short_root = run.runtime_dir / "node"
        self._cni_binaries = root / "cni-bin"
        self._cni_file = root / "cni" / "10-bridge.conflist"
        self._path = f"{self._programs['containerd'].parent}:{runc_command().parent}:{SBIN_PATH}"

    def start_runtime(self) -> None:
        """Starts containerd, which gets ready by itself."""
        for folder in ("manifests", "cni", "tmp", "opt", "cni-bin"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)
        self.run.runtime_dir.mkdir(mode=0o700, exist_ok=True)
        self._short_root.symlink_to(self.root)
        add_bridge(self.run.bridge, f"{self.run.pod_network}.1")
        self.mend_cni()
        config = self.root / "containerd.toml"
        config.write_text(containerd_config(self.run, self.root, self._cni_binaries, self._cni_file.parent))
        self.processes.start(
            CONTAINERD, [str(self._programs[CONTAINERD]), "--config", str(config)], {"PATH": self._path}
        )

    def join(self, kubeconfig: Path, client_ca: Path) -> None:
        """Imports the images and starts kubelet."""
        self.await_containerd()
        for name, archive in busybox_images(self.root / "images", busybox_command()):
            self.load_image(name, archive)
        self._start_kubelet(kubeconfig, client_ca)

    def load_image(self, name: str, archive: Path) -> None:
        """Imports an image archive into containerd."""
        self._ctr("images", "import", "--local", str(archive))
        self.images.append(name)

    def break_cni(self, how: str = "plugin") -> None:
        """Breaks the network of Pods to come.

        ``plugin``: the bridge plugin is gone, so each sandbox fails (FailedCreatePodSandBox) on a
        node that stays Ready. ``config``: there is no configuration, so the node gets NotReady.
        """
        broken = {"plugin": self._cni_binaries / "bridge", "config": self._cni_file}
        broken[how].unlink(missing_ok=True)

    def mend_cni(self) -> None:
        """Undoes ``break_cni``."""
        for plugin in ("bridge", "loopback", "host-local"):
            link = self._cni_binaries / plugin
            if not link.exists():
                link.symlink_to(self._programs[plugin])
        if not self._cni_file.exists():
            partial = self._cni_file.with_suffix(".partial")
            partial.write_text(cni_config(self.run, self.root))
            partial.rename(self._cni_file)

    def _ctr(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self._programs["ctr"]), "--address", str(containerd_socket(self.run)), "-n", "k8s.io"]
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            raise RuntimeError(f"ctr {' '.join(arguments)}: {done.stderr.strip()}")
        return done

    def await_kubelet(self) -> None:
        """Waits until kubelet says that it is well."""

        def answers() -> bool:
            self.processes.require(KUBELET)
            connection = http.client.HTTPConnection("127.0.0.1", self.run.port("kubelet-healthz"), timeout=5)
            try:
                connection.request("GET", "/healthz")
                return connection.getresponse().status == HTTPStatus.OK
            except OSError:
                return False
            finally:
                connection.close()

        if not until(answers, 60):
            raise TimeoutError(f"kubelet is not well: {self.processes.log_tail(KUBELET)}")

    def await_containerd(self) -> None:
        """Waits until containerd answers."""

        def answers() -> bool:
            self.processes.require(CONTAINERD)
            try:
                self._ctr("version")
            except RuntimeError:
                return False
            return True

        if not until(answers, 60):
            raise TimeoutError(f"containerd does not answer: {self.processes.log_tail(CONTAINERD)}")

    def _start_kubelet(self, kubeconfig: Path, client_ca: Path) -> None:
        config = self.root / "kubelet.yaml"
        config.write_text(yaml.safe_dump(kubelet_config(self.run, self.root, client_ca)))
        flags = [
            f"--config={config}",
            f"--kubeconfig={kubeconfig}",
            f"--hostname-override={NODE_NAME}",
            f"--node-ip={self.run.pod_network}.1",
            f"--root-dir={self._short_root / 'kubelet'}",
            f"--cert-dir={self.root / 'kubelet-pki'}",
        ]
        argv = [str(self._programs[KUBELET]), *flags]
        self.processes.start(KUBELET, argv, {"PATH": f"{SBIN_PATH}:{os.environ.get('PATH', '')}"})
