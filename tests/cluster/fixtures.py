"""Pytest fixtures: one cluster for all tests of a session.

Where no cluster can run, the tests that ask for one are skipped, or fail if ``CI`` is ``true``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cluster.base import ClusterUnavailable
from tests.cluster.cluster import Cluster


@contextmanager
def running_cluster(root: Path, *, node: bool) -> Iterator[Cluster]:
    """A cluster for a test, or the test's end with one line that says why there is none."""
    cluster = Cluster(root, node=node)
    try:
        cluster.bring_up()
    except ClusterUnavailable as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"no test cluster: {error}", pytrace=False)
        pytest.skip(f"no test cluster: {error}")
    try:
        yield cluster
    finally:
        cluster.shut_down()
    assert not cluster.leftovers()


@pytest.fixture(scope="session")
def control_plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A control plane without a real node; Nodes are simulated."""
    with running_cluster(tmp_path_factory.mktemp("control-plane"), node=False) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A control plane with the real node ``node-1``."""
    with running_cluster(tmp_path_factory.mktemp("cluster"), node=True) as running:
        yield running
