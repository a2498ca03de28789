"""Nobody schedules: the real kube-scheduler killed, ended in order, or never asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from tests.cluster import Cluster
from tests.live.scenario import Object, Scenario, older_than, pod, sleeper
from tests.live.unschedulable import TWO

WAITED = older_than(22)


def _start(cluster: Cluster) -> None:
    """Starts kube-scheduler and waits until it leads."""
    began = datetime.now(UTC)
    cluster.start_scheduler()
    cluster.wait("Lease", "kube-system", "kube-scheduler", lambda lease: _renewed(lease) > began)


def _renewed(lease: Object) -> datetime:
    held = lease["spec"].get("holderIdentity")
    return datetime.fromisoformat(lease["spec"]["renewTime"]) if held else datetime.min.replace(tzinfo=UTC)


@contextmanager
def killed(cluster: Cluster) -> Iterator[None]:
    """Kill -9: the Lease stays held until it expires."""
    cluster.stop_scheduler(kill=True)
    try:
        yield
    finally:
        _start(cluster)


@contextmanager
def ended(cluster: Cluster) -> Iterator[None]:
    """An orderly end gives the Lease back."""
    cluster.stop_scheduler()
    try:
        yield
    finally:
        _start(cluster)


DOWN = ("default-scheduler-not-running", "scheduler-lease-expired")

SCENARIOS = (
    Scenario(
        "scheduler-name-unknown",
        "mistyped",
        "no_scheduler",
        ("scheduler-name-unknown",),
        pod(sleeper("  schedulerName: defualt-scheduler\n")),
        reached=WAITED,
        nodes=TWO,
        from_files="likely",
    ),
    Scenario(
        "default-scheduler-not-running",
        "killed",
        "no_scheduler",
        DOWN,
        pod(sleeper()),
        reached=WAITED,
        nodes=TWO,
        fault=killed,
    ),
    Scenario(
        "scheduler-lease-expired",
        "ended-in-order",
        "no_scheduler",
        DOWN,
        pod(sleeper()),
        reached=WAITED,
        nodes=TWO,
        fault=ended,
    ),
)
