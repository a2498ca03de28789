"""Scenarios on a cluster, each in a namespace that is called like it, so that captures can be compared."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.cluster import Cluster
from tests.live import after_bind, nodes, on_the_node, registry, schedulers, unschedulable, volumes, workloads
from tests.live.scenario import Scenario
from tests.live.stage import clear, show, wait_for

SIMULATED = (*unschedulable.SCENARIOS, *schedulers.SCENARIOS, *nodes.SLOW, *volumes.SLOW)
TOGETHER = (*on_the_node.SCENARIOS, *workloads.SCENARIOS)
ALONE = (*on_the_node.ALONE, *after_bind.SLOW, *registry.SLOW)
EVERY = (*SIMULATED, *TOGETHER, *ALONE)
SETTLE = 2.0
"""Seconds for the Events that follow a status."""


def staged(root: Path, chosen: Sequence[Scenario]) -> Iterator[tuple[Cluster, Scenario, str]]:
    """Each scenario in its state: those of the node together, each other one alone."""
    quiet = [s for s in TOGETHER if s in chosen]
    alone = [s for s in ALONE if s in chosen]
    simulated = [s for s in SIMULATED if s in chosen]
    if simulated:
        with Cluster(root / "a", node=False) as cluster:
            yield from _one_by_one(cluster, simulated)
    if quiet or alone:
        with Cluster(root / "b", node=True) as cluster:
            yield from _together(cluster, quiet)
            yield from _one_by_one(cluster, alone)


def _one_by_one(cluster: Cluster, scenarios: Sequence[Scenario]) -> Iterator[tuple[Cluster, Scenario, str]]:
    for scenario in scenarios:
        for name, shape in scenario.nodes.items():
            cluster.simulated_node(name, **shape)
        namespace = namespace_of(cluster, scenario)
        with scenario.fault(cluster), cleared(cluster, scenario, namespace):
            show(cluster, scenario, namespace)
            if _reached(cluster, scenario, namespace):
                yield cluster, scenario, namespace


def _together(cluster: Cluster, scenarios: Sequence[Scenario]) -> Iterator[tuple[Cluster, Scenario, str]]:
    with ExitStack() as stack:
        places = {}
        for scenario in scenarios:
            places[scenario.id] = namespace_of(cluster, scenario)
            stack.enter_context(cleared(cluster, scenario, places[scenario.id]))
            show(cluster, scenario, places[scenario.id])
        for scenario in scenarios:
            if _reached(cluster, scenario, places[scenario.id]):
                yield cluster, scenario, places[scenario.id]


def _reached(cluster: Cluster, scenario: Scenario, namespace: str) -> bool:
    try:
        wait_for(cluster, scenario, namespace)
    except TimeoutError as error:
        sys.stderr.write(f"{scenario.id}: {error}\n")
        return False
    time.sleep(SETTLE)
    return True


@contextmanager
def cleared(cluster: Cluster, scenario: Scenario, namespace: str) -> Iterator[None]:
    """In the end everything of the scenario is deleted."""
    try:
        yield
    finally:
        clear(cluster, scenario, namespace)


def namespace_of(cluster: Cluster, scenario: Scenario) -> str:
    """A namespace with the scenario's name, ready for Pods."""
    name = scenario.id[:63].rstrip("-")
    cluster.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    cluster.wait("ServiceAccount", name, "default", lambda _: True)
    return name
