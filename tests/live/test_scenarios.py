"""Each scenario on the real cluster: JSON, text, exit status, and the same answer from what kubectl shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.cluster import Cluster
from tests.live import on_the_node, schedulers, unschedulable, workloads
from tests.live.conftest import run
from tests.live.scenario import Scenario
from tests.live.stage import clear, dump, on_stage, show, wait_for

TOGETHER = (*on_the_node.SCENARIOS, *workloads.SCENARIOS)


@pytest.fixture(scope="session")
def shown(cluster: Cluster) -> Iterator[dict[str, str]]:
    """All quiet scenarios of the real node at once, each in a namespace of its own."""
    with ExitStack() as stack:
        namespaces = {}
        for scenario in TOGETHER:
            namespaces[scenario.id] = cluster.namespace("live")
            stack.callback(clear, cluster, scenario, namespaces[scenario.id])
            show(cluster, scenario, namespaces[scenario.id])
        yield namespaces


@pytest.mark.cluster
@pytest.mark.parametrize("scenario", TOGETHER, ids=lambda s: s.id)
def test_on_the_real_node(
    scenario: Scenario, shown: dict[str, str], cluster: Cluster, valid: Callable[[Any], None], tmp_path: Path
) -> None:
    namespace = shown[scenario.id]
    wait_for(cluster, scenario, namespace)
    check(cluster, scenario, namespace, valid, tmp_path)


@pytest.mark.cluster
@pytest.mark.parametrize("scenario", on_the_node.ALONE, ids=lambda s: s.id)
def test_alone_on_the_real_node(
    scenario: Scenario, shown: dict[str, str], cluster: Cluster, valid: Callable[[Any], None], tmp_path: Path
) -> None:
    assert shown
    with on_stage(cluster, scenario) as namespace:
        check(cluster, scenario, namespace, valid, tmp_path)


@pytest.mark.cluster
@pytest.mark.parametrize("scenario", [*unschedulable.SCENARIOS, *schedulers.SCENARIOS], ids=lambda s: s.id)
def test_on_simulated_nodes(
    scenario: Scenario, control_plane: Cluster, valid: Callable[[Any], None], tmp_path: Path
) -> None:
    with on_stage(control_plane, scenario) as namespace:
        check(control_plane, scenario, namespace, valid, tmp_path)


def check(cluster: Cluster, scenario: Scenario, namespace: str, valid: Callable[[Any], None], folder: Path) -> None:
    """The whole contract for one state."""
    ask = ("pod", "-n", namespace, scenario.target)
    live = run(*ask, "-o", "json", kubeconfig=cluster.kubeconfig)
    assert live.status == (0 if scenario.triage == "not_stuck" else 1), live.stderr
    valid(live.json)
    assert (live.json["triage"], live.names[: len(scenario.causes)]) == (scenario.triage, scenario.causes)
    assert live.json["confidence"] == scenario.confidence
    text = run(*ask, kubeconfig=cluster.kubeconfig)
    first = text.stdout.splitlines()[0]
    assert all(name in first for name in scenario.causes)
    assert live.json["summary"].split()[0] in text.stdout
    if scenario.from_files:
        saved = folder / "saved"
        dump(cluster, namespace, saved)
        files = run(*ask, "-o", "json", "--from", str(saved), "--now", live.json["observedAt"])
        assert (files.json["confidence"], files.json["summary"]) == (scenario.from_files, live.json["summary"])
        return
    compare_with_files(cluster, namespace, ask, folder)


def compare_with_files(cluster: Cluster, namespace: str, ask: tuple[str, ...], folder: Path) -> None:
    """The same answer from what kubectl shows; a cluster goes on between two looks, so it may take three tries."""
    for attempt in range(3):
        saved = folder / str(attempt)
        live = run(*ask, "-o", "json", kubeconfig=cluster.kubeconfig).json
        dump(cluster, namespace, saved)
        files = run(*ask, "-o", "json", "--from", str(saved), "--now", live["observedAt"]).json
        if _answer(files) == _answer(live):
            return
    assert _answer(files) == _answer(live)


def _answer(report: dict[str, Any]) -> dict[str, Any]:
    """What must be the same from a cluster and from files: all but where and when, and how a gap is closed there."""
    gaps = [{k: v for k, v in gap.items() if k != "grant"} for gap in report["notEvaluated"] or []]
    same = {
        k: v for k, v in report.items() if k not in {"tool", "source", "observedAt", "schedulers", "chain", "timeline"}
    }
    return {**same, "notEvaluated": gaps}
