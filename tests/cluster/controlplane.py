"""etcd, kube-apiserver, kube-controller-manager and kube-scheduler on 127.0.0.1."""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.cluster.certificates import Authority
from tests.cluster.processes import Processes
from tests.cluster.state import Run

LOCAL = "127.0.0.1"
SCHEDULER = "kube-scheduler"
CONTROLLER_MANAGER = "kube-controller-manager"
API_SERVER = "kube-apiserver"
ETCD = "etcd"
# Shorter than Kubernetes' own 50 s, so that a test of a lost node doesn't take a minute.
NODE_GRACE_SECONDS = 20


class ControlPlane:
    """The control plane of one run, whose files lie below ``root``."""

    def __init__(  # noqa: PLR0913 - what it is made of, and two choices
        self,
        run: Run,
        processes: Processes,
        binaries: Path,
        root: Path,
        *,
        node_lifecycle: bool,
        controllers: bool = True,
    ) -> None:
        self.run = run
        self.processes = processes
        self.binaries = binaries
        self.root = root
        self.node_lifecycle = node_lifecycle
        self.controllers = controllers
        self.server = f"https://{LOCAL}:{run.port(API_SERVER)}"
        self.authority = Authority(root / "pki")

    def start(self) -> None:
        """Starts everything and returns when the API server is ready."""
        self._start_etcd()
        self._start_api_server()
        self.await_ready()
        if self.controllers:
            self._start_controller_manager()
        self.start_scheduler()

    def kubeconfig(self, name: str, user: str, groups: Sequence[str] = ()) -> Path:
        """A kubeconfig for a client certificate of that user, made once for each name."""
        path = self.root / "kubeconfigs" / f"{name}.yaml"
        return path if path.exists() else self.authority.kubeconfig(path, self.server, user, groups)

    def start_scheduler(
        self,
        name: str = SCHEDULER,
        *,
        extra_args: Sequence[str] = (),
        binary: Path | None = None,
        config: Path | Mapping[str, Any] | None = None,
        kubeconfig: Path | None = None,
    ) -> None:
        """Starts a scheduler: the default one, or under another name one more beside it."""
        own = kubeconfig or self.kubeconfig(SCHEDULER, f"system:{SCHEDULER}")
        argv = [str(binary or self.binaries / SCHEDULER), *self._component_flags(name, own)]
        if config is not None:
            argv.append(f"--config={self._scheduler_config(name, config, own)}")
        self.processes.start(name, [*argv, *extra_args])

    def _scheduler_config(self, name: str, config: Path | Mapping[str, Any], kubeconfig: Path) -> Path:
        if isinstance(config, Path):
            return config
        whole = {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "clientConnection": {"kubeconfig": str(kubeconfig)},
            **config,
        }
        path = self.root / f"{name}-config.yaml"
        path.write_text(yaml.safe_dump(whole))
        return path

    def _component_flags(self, name: str, kubeconfig: Path) -> list[str]:
        return [
            f"--bind-address={LOCAL}",
            f"--secure-port={self.run.port(name)}",
            f"--kubeconfig={kubeconfig}",
            f"--authentication-kubeconfig={kubeconfig}",
            f"--authorization-kubeconfig={kubeconfig}",
        ]

    def _start_etcd(self) -> None:
        client = f"http://{LOCAL}:{self.run.port(ETCD)}"
        peer = f"http://{LOCAL}:{self.run.port('etcd-peer')}"
        flags = [
            f"--data-dir={self.root / 'etcd'}",
            "--unsafe-no-fsync",
            f"--listen-client-urls={client}",
            f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=default={peer}",
            "--log-level=warn",
        ]
        self.processes.start(ETCD, [str(self.binaries / ETCD), *flags])

    def _start_api_server(self) -> None:
        names = (LOCAL, "10.96.0.1", "localhost", "kubernetes", "kubernetes.default.svc")
        certificate, key = self.authority.issue(API_SERVER, API_SERVER, hosts=names)
        kubelet_certificate, kubelet_key = self.authority.issue(
            "kubelet-client", "kube-apiserver-kubelet-client", ("system:masters",)
        )
        public, private = self.authority.key_pair("service-account")
        flags = {
            "etcd-servers": f"http://{LOCAL}:{self.run.port(ETCD)}",
            "secure-port": self.run.port(API_SERVER),
            "bind-address": LOCAL,
            "advertise-address": LOCAL,
            "tls-cert-file": certificate,
            "tls-private-key-file": key,
            "client-ca-file": self.authority.certificate,
            # Without it each scheduler repeats an "Unhandled Error" line in its log.
            "requestheader-client-ca-file": self.authority.certificate,
            "requestheader-allowed-names": "front-proxy-client",
            "requestheader-username-headers": "X-Remote-User",
            "requestheader-group-headers": "X-Remote-Group",
            "requestheader-extra-headers-prefix": "X-Remote-Extra-",
            "service-account-key-file": public,
            "service-account-signing-key-file": private,
            "service-account-issuer": "https://kubernetes.default.svc",
            "authorization-mode": "Node,RBAC",
            "service-cluster-ip-range": "10.96.0.0/16",
            "kubelet-client-certificate": kubelet_certificate,
            "kubelet-client-key": kubelet_key,
            "kubelet-preferred-address-types": "InternalIP,Hostname",
            "allow-privileged": "true",
            "endpoint-reconciler-type": "none",
        }
        if not self.controllers:
            flags["disable-admission-plugins"] = "ServiceAccount,TaintNodesByCondition,DefaultTolerationSeconds"
        elif not self.node_lifecycle:
            flags["disable-admission-plugins"] = "TaintNodesByCondition"
        argv = [f"--{name}={value}" for name, value in flags.items()]
        self.processes.start(API_SERVER, [str(self.binaries / API_SERVER), *argv])

    def _start_controller_manager(self) -> None:
        kubeconfig = self.kubeconfig(CONTROLLER_MANAGER, f"system:{CONTROLLER_MANAGER}")
        flags = [
            *self._component_flags(CONTROLLER_MANAGER, kubeconfig),
            f"--service-account-private-key-file={self.authority.folder / 'service-account.key'}",
            f"--root-ca-file={self.authority.certificate}",
            "--use-service-account-credentials",
            f"--flex-volume-plugin-dir={self.root / 'no-plugins'}",
            f"--node-monitor-grace-period={NODE_GRACE_SECONDS}s",
            "--node-monitor-period=2s",
            # At the default rate it takes five seconds to start its controllers.
            "--kube-api-qps=500",
            "--kube-api-burst=1000",
        ]
        if not self.node_lifecycle:
            flags.append("--controllers=*,-node-lifecycle-controller")
        self.processes.start(CONTROLLER_MANAGER, [str(self.binaries / CONTROLLER_MANAGER), *flags])

    def await_ready(self, timeout: float = 90) -> None:
        """Waits until the API server is ready."""
        deadline = time.monotonic() + timeout
        while not self._ready():
            self.processes.require(ETCD)
            self.processes.require(API_SERVER)
            if time.monotonic() > deadline:
                raise TimeoutError(f"kube-apiserver is not ready: {self.processes.log_tail(API_SERVER)}")
            time.sleep(0.1)

    def _ready(self) -> bool:
        tls = ssl.create_default_context(cafile=str(self.authority.certificate))
        connection = http.client.HTTPSConnection(LOCAL, self.run.port(API_SERVER), context=tls, timeout=10)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()
