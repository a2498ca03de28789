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
_VERSION = Pattern(r"v?\d+\.\d+(?:\.\d+)?(?:-[a-z0-9.]+)?")
_IMAGES = {
    "volcano": "Volcano", "yunikorn": "Apache YuniKorn", "kai-scheduler": "KAI Scheduler", "koord-": "Koordinator",
    "koordinator": "Koordinator", "hami": "HAMi", "stork": "Portworx Stork", "scheduler-plugins": "scheduler-plugins",
}  # fmt: skip
"""A part of the image's path, and whose it is."""

Flags = Mapping[str, tuple[str, ...]]


class Known(NamedTuple):
    """A scheduler that is known by its name: whose it is, and where its usual installation puts it."""

    project: str
    namespace: str = ""
    deployment: str = ""
    way: str = ""
    """How it works otherwise than kube-scheduler, as far as that decides where to look."""

    @property
    def is_managed(self) -> bool:
        """The provider runs it outside the cluster, where nothing of it can be read."""
        return not self.deployment


BY_NAME = {
    "volcano": Known(
        "Volcano", "volcano-system", "volcano-scheduler",
        "it judges whole PodGroups: see kubectl get podgroups.scheduling.volcano.sh -A",
    ),
    "yunikorn": Known(
        "Apache YuniKorn", "yunikorn", "yunikorn-scheduler",
        "it queues whole applications, and says why one waits in Events on its Pods",
    ),
    "kai-scheduler": Known(
        "KAI Scheduler", "kai-scheduler", "kai-scheduler-default",
        "it judges whole PodGroups, of queues that exist: see kubectl get podgroups.scheduling.run.ai -A",
    ),
    "koord-scheduler": Known("Koordinator", "koordinator-system", "koord-scheduler"),
    "hami-scheduler": Known(
        "HAMi", "kube-system", "hami-scheduler",
        "it is a kube-scheduler with an extender in the same Pod: if that one fails, each attempt fails",
    ),
    "stork": Known(
        "Portworx Stork", "kube-system", "stork-scheduler",
        "it is a kube-scheduler with Stork as its extender: if that one fails, each attempt fails",
    ),
    "scheduler-plugins-scheduler": Known("scheduler-plugins", "scheduler-plugins", "scheduler-plugins-scheduler"),
    "fargate-scheduler": Known(
        "Amazon EKS on Fargate", way="it takes only Pods that a Fargate profile selects by namespace and labels"
    ),
    "gke.io/optimize-utilization-scheduler": Known("Google GKE"),
}  # fmt: skip
"""schedulerNames by convention: the defaults of the projects' own charts and manifests."""


def schedulers_of(spec: PodSpec) -> tuple[Container, ...]:
    """The containers that are schedulers."""
    return tuple(c for c in spec.containers if is_scheduler(c))


def is_scheduler(container: Container) -> bool:
    """Its image, command or name is a scheduler's, and none of them a descheduler's, an extender's or the like."""
    words = [set(_WORDS.split(w.lower())) for w in (*programs(container), container.name)]
    if any(w & _OTHER_TRADES for w in words):
        return False
    known = any(p in BY_PROGRAM for p in programs(container))
    return known or any("scheduler" in w for w in words) or any(_names_itself(w) for w in container.args)


def _names_itself(word: str) -> bool:
    return word.startswith(("--scheduler-name=", "--leader-elect-resource-name="))


def known_by(container: Container) -> str:
    """What gives a container away as a scheduler: its image, its command, a flag, or its name alone."""
    image, command = image_program(container), container.command[:1]
    if is_scheduler(Container(image=container.image)):
        return f"image {image}"
    if is_scheduler(Container(command=container.command)):
        return f"command {''.join(command)}"
    flag = next((w for w in container.args if _names_itself(w)), "")
    return f"flag {flag}" if flag else f"container {container.name}"


def image_program(container: Container) -> str:
    """The last part of its image, without tag and digest."""
    return container.image.rsplit("/", 1)[-1].partition("@")[0].partition(":")[0]


def version_of(container: Container) -> str:
    """The version in its image's tag, `v1.37.2`; empty where the tag is none, as with a digest or `latest`."""
    tag = container.image.rsplit("/", 1)[-1].partition("@")[0].partition(":")[2]
    match = _VERSION.search(tag)
    return match[0] if match else ""


def release_of(container: Container) -> tuple[int, int] | None:
    """Major and minor release, if it is a kube-scheduler with a version (scheduler-plugins' v0.29 is 1.29's)."""
    match = re.match(r"v?(\d+)\.(\d+)", version_of(container))
    if match is None or KUBE_SCHEDULER not in programs(container):
        return None
    return (int(match[1]) or 1, int(match[2]))


def family_of(names: Iterable[str], containers: Iterable[Container], owner: str) -> str:
    """The project that a scheduler is of, by the names it serves, its images, or what its workload is called."""
    by_name = [BY_NAME[n].project for n in names if n in BY_NAME]
    images = " ".join(c.image for c in containers)
    by_image = [project for word, project in _IMAGES.items() if word in images]
    by_owner = [known.project for known in BY_NAME.values() if known.deployment and known.deployment == owner]
    return next(iter((*by_name, *by_image, *by_owner)), "")


def programs(container: Container) -> tuple[str, ...]:
    """The last part of its image (without tag) and of its command: `kube-scheduler`."""
    image = image_program(container)
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
