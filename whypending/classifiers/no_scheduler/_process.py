"""What runs in a Pod: whether it is a scheduler, its flags, and whom it serves by convention; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from whypending.objects.container import Container
from whypending.objects.pod import PodSpec
from whypending.patterns import Pattern

DEFAULT = "default-scheduler"
KUBE_SCHEDULER = "kube-scheduler"
VOLCANO = "vc-scheduler"
BY_PROGRAM = {VOLCANO: "volcano", "yunikorn": "yunikorn"}
"""Schedulers without a KubeSchedulerConfiguration: program, and the schedulerName it serves unless a flag says else."""
_OTHER_TRADES = frozenset({
    "descheduler", "extender", "controller", "controllers", "manager", "admission", "webhook", "simulator",
    "exporter", "dashboard", "ui", "web", "binder", "airflow", "celery", "dask",
})  # fmt: skip
_GENERIC = frozenset({"scheduler", "kube", "k8s", "default", "custom", "system", DEFAULT, KUBE_SCHEDULER})
_FLAG = Pattern(r"--?([a-z][a-z0-9-]*)(?:=(.*))?", re.DOTALL)
_WORDS = Pattern(r"[^a-z0-9]+")

Flags = Mapping[str, tuple[str, ...]]


class Known(NamedTuple):
    """A scheduler that is known by its name: whose it is, and where its usual installation puts it."""

    project: str
    namespace: str = ""
    deployment: str = ""

    @property
    def is_managed(self) -> bool:
        """The provider runs it outside the cluster, where nothing of it can be read."""
        return not self.deployment


BY_NAME = {
    "volcano": Known("Volcano", "volcano-system", "volcano-scheduler"),
    "yunikorn": Known("Apache YuniKorn", "yunikorn", "yunikorn-scheduler"),
    "kai-scheduler": Known("KAI Scheduler", "kai-scheduler", "kai-scheduler-default"),
    "koord-scheduler": Known("Koordinator", "koordinator-system", "koord-scheduler"),
    "hami-scheduler": Known("HAMi", "kube-system", "hami-scheduler"),
    "stork": Known("Portworx Stork", "kube-system", "stork-scheduler"),
    "scheduler-plugins-scheduler": Known("scheduler-plugins", "scheduler-plugins", "scheduler-plugins-scheduler"),
    "fargate-scheduler": Known("Amazon EKS on Fargate"),
    "gke.io/optimize-utilization-scheduler": Known("Google GKE"),
}
"""schedulerNames by convention: the defaults of the projects' own charts and manifests."""


def schedulers_of(spec: PodSpec) -> tuple[Container, ...]:
    """The containers that are schedulers."""
    return tuple(c for c in spec.containers if is_scheduler(c))


def is_scheduler(container: Container) -> bool:
    """Its image, command or name is a scheduler's, and none of them a descheduler's, an extender's or the like."""
    words = [set(_WORDS.split(w.lower())) for w in (*programs(container), container.name)]
    if any(w & _OTHER_TRADES for w in words):
        return False
    return any("scheduler" in w for w in words) or any(p in BY_PROGRAM for p in programs(container))


def programs(container: Container) -> tuple[str, ...]:
    """The last part of its image (without tag) and of its command: `kube-scheduler`."""
    image = container.image.rsplit("/", 1)[-1].partition("@")[0].partition(":")[0]
    command = container.command[0].split() if container.command else []
    return tuple(p for p in (image, command[0].rsplit("/", 1)[-1] if command else "") if p)


def runs(spec: PodSpec, program: str) -> bool:
    """One of its schedulers is that program."""
    return any(program in programs(c) for c in schedulers_of(spec))


def flags_of(spec: PodSpec) -> Flags:
    """Flags of its schedulers: `--name=value`, `--name value`, and inside a shell's `-c`; all values of each."""
    found: dict[str, tuple[str, ...]] = {}
    for container in schedulers_of(spec):
        for name, value in _flags((*container.command, *container.args)):
            found[name] = (*found.get(name, ()), value)
    return found


def _flags(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    parts = [p for w in words for p in w.split()]
    for part, following in pairwise((*parts, "-")):
        match = _FLAG.fullmatch(part.strip("'\""))
        if match:
            value = match[2] if match[2] is not None else "" if following.startswith("-") else following
            yield match[1], value.strip("'\"")


def is_akin(owner: str, name: str) -> bool:
    """A workload of that name is probably the scheduler of that name: `volcano-scheduler` is `volcano`'s."""
    known = BY_NAME.get(name)
    if owner == name or (known is not None and owner == known.deployment):
        return True
    short, long = sorted((owner, name), key=len)
    return short not in _GENERIC and (long.startswith(f"{short}-") or long.endswith(f"-{short}"))
