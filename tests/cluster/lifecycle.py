"""The life of a cluster: built, started, and taken down however its process ends."""

from __future__ import annotations

import atexit
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from tests.cluster.api import Api
from tests.cluster.base import Object, until
from tests.cluster.build import CONTROL_PLANE, HERE, NODE_MODULES, build
from tests.cluster.controlplane import ControlPlane
from tests.cluster.node import NODE_NAME, Node
from tests.cluster.processes import Processes
from tests.cluster.state import Run, claim_slot
from tests.cluster.teardown import leftovers, sweep_leftovers, take_down
from tests.cluster.tools import busybox_command, kubectl_command, require_node_rights, runc_command

HEARTBEAT = "simulated-nodes"


class Lifecycle:
    """Starts and ends a cluster whose files lie below ``root``.

    Without ``controllers`` there is neither kube-controller-manager, nor the admission plugins that wait for its work,
    nor anybody who keeps simulated Nodes Ready: a cluster that can be filled quickly, and stays as it was filled.
    """

    def __init__(self, root: Path, *, node: bool = True, node_lifecycle: bool = True, controllers: bool = True) -> None:
        self.root = Path(root).resolve()
        self.with_node = node
        self.node_lifecycle = node_lifecycle
        self.controllers = controllers
        self.kubeconfig = self.root / "kubeconfigs" / "admin.yaml"
        self.run: Run
        self.processes: Processes
        self.control_plane: ControlPlane
        self.node: Node | None = None
        self.api: Api
        self._held = ExitStack()

    def __enter__(self) -> Self:
        self.bring_up()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shut_down()

    def bring_up(self, *, detached: bool = False) -> None:
        """Builds what is missing and starts everything; the cluster is ready when it returns.

        A detached cluster outlives this process, until ``python -m tests.cluster down``.
        """
        if self.with_node:
            require_node_rights()
            runc_command()
            busybox_command()
        kubectl_command()
        binaries = build(CONTROL_PLANE)
        node_binaries = [build(module) for module in NODE_MODULES] if self.with_node else []
        sweep_leftovers()
        end_orderly_on_signals()
        self.root.mkdir(parents=True, exist_ok=True)
        self.run = claim_slot(self.root, self._held)
        atexit.register(self.shut_down)
        try:
            self.run.node = self.with_node
            self.run.save()
            self._start(binaries, node_binaries)
        except BaseException:
            self.shut_down()
            raise
        if detached:
            self.run.detached = True
            self.run.save()
            atexit.unregister(self.shut_down)

    def shut_down(self) -> None:
        """Ends the cluster and everything it left on the machine; only the logs stay."""
        atexit.unregister(self.shut_down)
        if hasattr(self, "run"):
            take_down(self.run)
        if hasattr(self, "processes"):
            self.processes.reap()
        self._held.close()

    def leftovers(self) -> list[str]:
        """What is still on this machine of a cluster that was shut down, in words."""
        return leftovers(self.run)

    def _start(self, binaries: Path, node_binaries: list[Path]) -> None:
        self.processes = Processes(self.run, self.root / "logs")
        if self.with_node:
            self.node = Node(self.run, self.processes, [binaries, *node_binaries], self.root / "node")
            self.node.start_runtime()
        self.control_plane = ControlPlane(
            self.run,
            self.processes,
            binaries,
            self.root,
            node_lifecycle=self.node_lifecycle,
            controllers=self.controllers,
        )
        self.control_plane.start()
        self.control_plane.kubeconfig("admin", "kubernetes-admin", ("system:masters",))
        self.api = Api(self.kubeconfig)
        if not self.controllers:
            return
        self.processes.start(
            HEARTBEAT,
            [sys.executable, "-m", "tests.cluster.heartbeat", str(self.kubeconfig)],
            {"PYTHONPATH": str(HERE.parents[1])},
        )
        if self.node:
            user = f"system:node:{NODE_NAME}"
            own = self.control_plane.kubeconfig("kubelet", user, ("system:nodes",))
            self.node.join(own, self.control_plane.authority.certificate)
            self._await(f"/api/v1/nodes/{NODE_NAME}", usable_node)
        # The first Pod would be refused without it.
        self._await("/api/v1/namespaces/default/serviceaccounts/default")

    def _await(self, path: str, predicate: Callable[[Object], bool] | None = None, timeout: float = 60) -> None:
        def holds() -> bool:
            found = self.api.find(path)
            return found is not None and (predicate is None or predicate(found))

        if not until(holds, timeout):
            raise TimeoutError(f"{path} is not as it should be after {timeout:g} s")


def usable_node(node: Object) -> bool:
    """Whether a Node is Ready and the controllers have taken note of it."""
    conditions = {c["type"]: c["status"] for c in node["status"].get("conditions", [])}
    taints = [t["key"] for t in node["spec"].get("taints", [])]
    return conditions.get("Ready") == "True" and "node.kubernetes.io/not-ready" not in taints


def end_orderly_on_signals() -> None:
    """Makes SIGTERM and SIGHUP an ordinary end, in which ``with`` blocks and atexit are honoured."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _exit_on_signal)


def _exit_on_signal(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
