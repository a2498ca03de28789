"""``Cluster``: a control plane and, if wanted, a real node, for as long as a ``with`` block lasts."""

from __future__ import annotations

import itertools
import json
import os
import secrets
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.cluster import simulated
from tests.cluster.api import ApiError
from tests.cluster.base import Object
from tests.cluster.build import CONTROL_PLANE, build
from tests.cluster.controlplane import API_SERVER, SCHEDULER
from tests.cluster.images import SCHEDULER as SCHEDULER_IMAGE
from tests.cluster.images import write_image
from tests.cluster.lifecycle import Lifecycle, usable_node
from tests.cluster.node import CONTAINERD, KUBELET, Node
from tests.cluster.tools import kubectl_command


class KubectlError(RuntimeError):
    """kubectl failed; the message is what it said."""


class Cluster(Lifecycle):
    """A cluster whose files lie below ``root``; see the README beside this file."""

    _serial = itertools.count(1)

    @property
    def server(self) -> str:
        """The API server's address."""
        return self.control_plane.server

    @property
    def images(self) -> list[str]:
        """The images on the real node; nothing else can be pulled."""
        return list(self._real_node().images)

    @property
    def logs(self) -> Path:
        """The folder with one log for each component."""
        return self.processes.logs

    def port(self, component: str) -> int:
        """The port of a component, for example of the scheduler's metrics."""
        return self.run.port(component)

    # -- objects ------------------------------------------------------------------------------

    def kubectl(
        self,
        *arguments: str,
        input: str | None = None,  # noqa: A002 - as subprocess has it
        check: bool = True,
        kubeconfig: Path | None = None,
    ) -> str:
        """What kubectl prints; without ``check`` also what it complains of."""
        done = subprocess.run(
            [str(kubectl_command()), f"--kubeconfig={kubeconfig or self.kubeconfig}", *arguments],
            input=input,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "KUBECACHEDIR": str(self.root / "kubectl-cache")},
        )
        if check and done.returncode:
            raise KubectlError(f"kubectl {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout if check else done.stdout + done.stderr

    def apply(self, objects: str | Object | Iterable[Object], namespace: str | None = None) -> str:
        """Applies YAML text, an object or several."""
        if not isinstance(objects, str):
            items = [objects] if isinstance(objects, dict) else list(objects)
            objects = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
        where = ("-n", namespace) if namespace else ()
        return self.kubectl("apply", "-f", "-", *where, input=objects)

    def namespace(self, prefix: str = "t") -> str:
        """Makes a namespace that is ready for Pods."""
        name = f"{prefix}-{next(self._serial)}-{secrets.token_hex(2)}"
        self.api.request("POST", "/api/v1/namespaces", {"metadata": {"name": name}})
        self._await(f"/api/v1/namespaces/{name}/serviceaccounts/default")
        return name

    def get(self, kind: str, namespace: str | None, name: str) -> Object | None:
        """An object, or None if it is not there."""
        return self.api.find(self.api.resource(kind).path(namespace, name))

    def wait(
        self,
        kind: str,
        namespace: str | None,
        name: str,
        predicate: Callable[[Object], bool],
        timeout: float = 60,
    ) -> Object:
        """Waits until the object is there and the predicate holds of it."""
        deadline = time.monotonic() + timeout
        while True:
            found = self.get(kind, namespace, name)
            if found is not None and predicate(found):
                return found
            if time.monotonic() > deadline:
                last = "does not exist" if found is None else json.dumps(found.get("status", {}))
                raise TimeoutError(f"{kind} {namespace}/{name} after {timeout:g} s: {last}")
            time.sleep(0.15)

    def wait_gone(self, kind: str, namespace: str | None, name: str, timeout: float = 60) -> None:
        """Waits until the object is no more."""
        deadline = time.monotonic() + timeout
        while self.get(kind, namespace, name) is not None:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{kind} {namespace}/{name} is still there after {timeout:g} s")
            time.sleep(0.15)

    def user_kubeconfig(self, user: str, groups: Sequence[str] = ()) -> Path:
        """A kubeconfig with a client certificate of that user, who has no rights until given some."""
        safe = "".join(c if c.isalnum() else "-" for c in "_".join((user, *groups)))
        return self.control_plane.kubeconfig(f"user-{safe}", user, groups)

    # -- nodes --------------------------------------------------------------------------------

    def simulated_node(  # noqa: PLR0913 - each is one property of a Node
        self,
        name: str,
        *,
        cpu: str = "4",
        memory: str = "8Gi",
        pods: int = 110,
        labels: Mapping[str, str] | None = None,
        taints: Iterable[Object | str] = (),
        extra: Mapping[str, str] | None = None,
        unschedulable: bool = False,
        runs_pods: bool = False,
    ) -> Object:
        """A Node without a machine behind it that is and stays Ready.

        Pods are bound to it and stay Pending, or with ``runs_pods`` are reported Running. Taints
        are objects or written ``key=value:Effect``.
        """
        node = simulated.node_object(
            name,
            cpu=cpu,
            memory=memory,
            pods=pods,
            labels=labels,
            taints=taints,
            extra=extra,
            unschedulable=unschedulable,
        )
        simulated.create_node(self.api, node, runs_pods=runs_pods)
        return self.wait("Node", None, name, usable_node)

    def delete_node(self, name: str) -> None:
        """Removes a simulated Node; the Pods on it go with it."""
        for path in (f"/api/v1/nodes/{name}", f"{simulated.LEASES}/{name}"):
            try:
                self.api.request("DELETE", path)
            except ApiError as error:
                if error.status != 404:
                    raise

    def silence_node(self, name: str) -> None:
        """Stops renewing a simulated Node's Lease: it is NotReady (Unknown) after some 20 s."""
        # The node controller of 1.37 never gives up a Node whose Lease was changed without being renewed.
        last = {
            "metadata": {"labels": {simulated.SIMULATED: None}},
            "spec": {"renewTime": simulated.timestamp(micro=True)},
        }
        self.api.merge(f"{simulated.LEASES}/{name}", last)

    def break_cni(self, how: str = "plugin") -> None:
        """Breaks the real node's Pod network; see ``Node.break_cni``."""
        self._real_node().break_cni(how)

    def mend_cni(self) -> None:
        """Undoes ``break_cni``."""
        self._real_node().mend_cni()

    def load_scheduler_image(self) -> str:
        """Puts an image of kube-scheduler on the real node and gives its name."""
        if SCHEDULER_IMAGE not in self._real_node().images:
            archive = self.root / "node" / "images" / "kube-scheduler.tar"
            program = (build(CONTROL_PLANE) / SCHEDULER).resolve()
            links = {f"bin/{SCHEDULER}": program.name}
            write_image(archive, SCHEDULER_IMAGE, program, [f"/bin/{SCHEDULER}"], links)
            self._real_node().load_image(SCHEDULER_IMAGE, archive)
        return SCHEDULER_IMAGE

    def _real_node(self) -> Node:
        if self.node is None:
            raise RuntimeError("this cluster was started without a real node")
        return self.node

    # -- components ---------------------------------------------------------------------------

    def start_scheduler(
        self,
        extra_args: Sequence[str] = (),
        *,
        binary: Path | None = None,
        config: Path | Mapping[str, Any] | None = None,
        name: str = SCHEDULER,
        kubeconfig: Path | None = None,
    ) -> None:
        """Starts kube-scheduler, after ``stop_scheduler``, or one more under another name.

        ``config`` is a KubeSchedulerConfiguration: a file, or its fields (apiVersion, kind and
        clientConnection are added).
        """
        self.control_plane.start_scheduler(
            name, extra_args=extra_args, binary=binary, config=config, kubeconfig=kubeconfig
        )

    def stop_scheduler(self, *, kill: bool = False, name: str = SCHEDULER) -> None:
        """Ends a scheduler: in order, which gives its Lease back, or by SIGKILL, which leaves it held."""
        self.processes.stop(name, kill=kill)

    def stop(self, component: str, *, kill: bool = False) -> None:
        """Ends a component."""
        self.processes.stop(component, kill=kill)

    def start(self, component: str) -> None:
        """Starts a component that was stopped, with the arguments it had, and waits until it answers."""
        self.processes.restart(component)
        if component == API_SERVER:
            self.control_plane.await_ready()
        elif component == CONTAINERD:
            self._real_node().await_containerd()
        elif component == KUBELET:
            self._real_node().await_kubelet()

    def freeze(self, component: str) -> None:
        """Stops a component where it is (SIGSTOP)."""
        self.processes.freeze(component)

    def thaw(self, component: str) -> None:
        """Lets a frozen component go on."""
        self.processes.thaw(component)

    @property
    def components(self) -> list[str]:
        """The names of the components that run; ``simulated-nodes`` renews the simulated Nodes' Leases."""
        return [p.name for p in self.run.processes if p.alive()]
