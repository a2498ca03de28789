"""What a Pod asks of a node: component-helpers `PodRequests` over the spec (containers, sidecars, init, overhead)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from whypending.objects.container import Container, Quantities, Resources
from whypending.objects.node import Node
from whypending.objects.pod import PodSpec
from whypending.objects.quantity import amount

Amounts = Mapping[str, Fraction]


def requests_of(spec: PodSpec) -> dict[str, Fraction]:
    """Resource → amount in base units, without the implicit one `pods`.

    Sum of the containers and sidecars, or the largest step of the init sequence where that is more; Pod-level
    requests of cpu, memory and hugepages replace the sum; overhead comes on top.
    """
    total = _sum([_asked(c.resources) for c in (*spec.containers, *sidecars(spec))])
    _raise(total, _init(spec.init_containers))
    if spec.resources is not None:
        total |= {n: v for n, v in _asked(spec.resources).items() if _is_pod_level(n)}
    return _sum([total, _amounts(spec.overhead)])


def sidecars(spec: PodSpec) -> tuple[Container, ...]:
    """Init containers with `restartPolicy: Always`."""
    return tuple(c for c in spec.init_containers if c.restart_policy == "Always")


def _init(containers: Iterable[Container]) -> dict[str, Fraction]:
    largest: dict[str, Fraction] = {}
    running: dict[str, Fraction] = {}
    for container in containers:
        step = _sum([running, _asked(container.resources)])
        _raise(largest, step)
        if container.restart_policy == "Always":
            running = step
    return largest


def _asked(resources: Resources) -> dict[str, Fraction]:
    """`requests`; a limit without a request counts as one, as the API server fills it in."""
    return _amounts({**resources.limits, **resources.requests})


def _amounts(quantities: Quantities) -> dict[str, Fraction]:
    return {name: amount(value) for name, value in quantities.items()}


def _is_pod_level(name: str) -> bool:
    return name in {"cpu", "memory"} or name.startswith("hugepages-")


def _sum(parts: Iterable[Amounts]) -> dict[str, Fraction]:
    total: dict[str, Fraction] = {}
    for part in parts:
        for name, value in part.items():
            total[name] = total.get(name, Fraction(0)) + value
    return total


def _raise(total: dict[str, Fraction], least: Amounts) -> None:
    for name, value in least.items():
        total[name] = max(total.get(name, Fraction(0)), value)


def allocatable(node: Node, resource: str) -> Fraction:
    """What the node offers of it in all: `status.allocatable` (capacity where that is not written), 0 if absent."""
    return amount((node.status.allocatable or node.status.capacity).get(resource))
