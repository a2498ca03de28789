from __future__ import annotations

from fractions import Fraction

from whypending.objects.container import Container, Resources
from whypending.objects.node import Node, NodeStatus
from whypending.objects.pod import PodSpec
from whypending.objects.requests import allocatable, requests_of


def box(cpu: str, *, restart: str = "") -> Container:
    return Container(resources=Resources(requests={"cpu": cpu}), restart_policy=restart)


def test_sums_containers_and_adds_overhead() -> None:
    spec = PodSpec(containers=(box("250m"), box("1")), overhead={"cpu": "50m", "memory": "64Mi"})
    assert requests_of(spec) == {"cpu": Fraction(13, 10), "memory": 64 * 2**20}


def test_the_largest_init_step_counts_with_the_sidecars_before_it() -> None:
    spec = PodSpec(containers=(box("1"),), init_containers=(box("4"), box("500m", restart="Always"), box("4")))
    assert requests_of(spec)["cpu"] == Fraction(9, 2)


def test_sidecars_count_beside_the_containers() -> None:
    spec = PodSpec(containers=(box("1"),), init_containers=(box("500m", restart="Always"), box("200m")))
    assert requests_of(spec)["cpu"] == Fraction(3, 2)


def test_a_limit_stands_in_for_a_request() -> None:
    spec = PodSpec(containers=(Container(resources=Resources(limits={"vendor.example/gpu": 3, "cpu": "2"})),))
    assert requests_of(spec) == {"vendor.example/gpu": 3, "cpu": 2}


def test_pod_level_requests_replace_the_sum_where_they_may() -> None:
    pod_level = Resources(requests={"cpu": "3", "ephemeral-storage": "1Gi"})
    assert requests_of(PodSpec(containers=(box("1"),), resources=pod_level)) == {"cpu": 3}


def test_allocatable_falls_back_to_capacity() -> None:
    node = Node(status=NodeStatus(capacity={"cpu": "4"}))
    assert allocatable(node, "cpu") == 4
    assert allocatable(node, "memory") == 0
