"""Brings a scenario onto a cluster, dumps what kubectl shows of it, and takes it down again."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.cluster import Cluster
from tests.live.scenario import Scenario

IN_NAMESPACE = (
    "pods", "events", "deployments", "replicasets", "statefulsets", "daemonsets", "jobs", "cronjobs",
    "persistentvolumeclaims", "resourcequotas", "limitranges", "resourceclaims",
)  # fmt: skip
OF_CLUSTER = (
    "nodes", "persistentvolumes", "storageclasses", "volumeattachments", "csinodes", "csidrivers", "priorityclasses",
)  # fmt: skip
EVERYWHERE = ("pods", "deployments", "leases", "configmaps")


@contextmanager
def on_stage(cluster: Cluster, scenario: Scenario) -> Iterator[str]:
    """The namespace in which the scenario's state has been reached."""
    for name, shape in scenario.nodes.items():
        cluster.simulated_node(name, **shape)
    namespace = cluster.namespace("live")
    try:
        with scenario.fault(cluster):
            show(cluster, scenario, namespace)
            wait_for(cluster, scenario, namespace)
            yield namespace
    finally:
        clear(cluster, scenario, namespace)


def show(cluster: Cluster, scenario: Scenario, namespace: str) -> None:
    """Applies the manifest, and does what follows it."""
    label = scenario.namespace_labels
    if label:
        cluster.kubectl("label", "namespace", namespace, *label)
    cluster.apply(scenario.manifest, namespace)
    scenario.then(cluster, namespace)


def wait_for(cluster: Cluster, scenario: Scenario, namespace: str) -> None:
    """Until the state is reached."""
    cluster.wait(scenario.kind, namespace, scenario.name, scenario.reached, timeout=scenario.timeout)


def clear(cluster: Cluster, scenario: Scenario, namespace: str) -> None:
    """Deletes what the scenario made."""
    cluster.kubectl("delete", "-n", namespace, "-f", "-", "--wait=false", "--force", "--ignore-not-found",
                    "--grace-period=0", input=scenario.manifest, check=False)  # fmt: skip
    cluster.kubectl("delete", "namespace", namespace, "--wait=false", check=False)
    for name in scenario.nodes:
        cluster.delete_node(name)


def dump(cluster: Cluster, namespace: str, folder: Path) -> None:
    """What `kubectl get … -o yaml` shows, a file a kind."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [
        *((folder / f"{kind}-{namespace}.yaml", kind, ("-n", namespace)) for kind in IN_NAMESPACE),
        *((folder / f"{kind}.yaml", kind, ()) for kind in OF_CLUSTER),
        *((folder / f"{kind}-A.yaml", kind, ("-A",)) for kind in EVERYWHERE),
    ]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda w: save(cluster, w[0], w[1], *w[2]), wanted))


def save(cluster: Cluster, path: Path, kind: str, *where: str) -> None:
    """One kind as kubectl writes it: a List."""
    path.write_text(cluster.kubectl("get", kind, *where, "-o", "yaml"))
