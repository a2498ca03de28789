"""A scheduler's configuration as the cluster has it: a ConfigMap, and the workloads that mount it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import msgspec

from whypending.errors import ForbiddenError, NotFoundError
from whypending.evidence import Gap, GapReason, Known, seen
from whypending.objects.container import Container
from whypending.objects.kinds import CONFIG_MAPS, DEPLOYMENTS, PODS
from whypending.objects.pod import Pod, PodSpec
from whypending.objects.policy import ConfigMap
from whypending.objects.workload import Workload
from whypending.schedulerconfig import Deployed
from whypending.sources.base import Query, Source

_DECIDES = "replicas, flags and image of the scheduler that mounts the ConfigMap"
_SHELLS = {"sh", "bash", "ash", "dash"}


class Mount(NamedTuple):
    """A container that runs with the ConfigMap; `key` is the file name in its --config, else empty."""

    deployed: Deployed
    key: str


class Configured(msgspec.Struct, frozen=True):
    """The ConfigMap, who mounts it, and what could not be looked at."""

    config_map: ConfigMap
    mounts: tuple[Mount, ...] = ()
    gaps: tuple[Gap, ...] = ()


def configured(source: Source, namespace: str, name: str) -> Configured:
    """Read a ConfigMap and its users. Raises ForbiddenError or NotFoundError where there is no ConfigMap to read."""
    query = Query(kind=CONFIG_MAPS, namespace=namespace, name=name, would_decide="the configuration itself")
    known, deployments, pods = source.gather([
        partial(source.read, query),
        partial(source.read, Query(kind=DEPLOYMENTS, namespace=namespace, would_decide=_DECIDES)),
        partial(source.read, Query(kind=PODS, namespace=namespace, would_decide=_DECIDES, keep=_if_own)),
    ])  # fmt: skip
    config_map = _the(known, namespace, name)
    mounts = (*_of_workloads(deployments, name), *_of_pods(pods, name))
    gaps = tuple(k for k in (deployments, pods) if isinstance(k, Gap))
    return Configured(config_map, mounts, () if mounts else gaps)


def _the(known: Known[ConfigMap], namespace: str, name: str) -> ConfigMap:
    if isinstance(known, Gap):
        kind = ForbiddenError if known.reason is GapReason.FORBIDDEN else NotFoundError
        said = f" ({known.detail})" if known.detail else ""
        raise kind(f"ConfigMap {namespace}/{name} can't be read: {known.reason}{said}.", known.grant)
    if not known:
        raise NotFoundError(f"There is no ConfigMap {namespace}/{name}.", f"kubectl -n {namespace} get configmaps")
    return known[0]


def _if_own(pod: Pod) -> Pod | None:
    """A Pod that no workload makes: static ones, and those made by hand."""
    owners = {owner.kind for owner in pod.metadata.owner_references}
    return pod if owners <= {"Node"} else None


def _of_workloads(known: Known[Workload], name: str) -> Iterator[Mount]:
    for workload in seen(known):
        yield from _of_spec(workload.spec.template.spec, name, workload.ref, workload.wanted)


def _of_pods(known: Known[Pod], name: str) -> Iterator[Mount]:
    for pod in seen(known):
        yield from _of_spec(pod.spec, name, pod.ref, 1)


def _of_spec(spec: PodSpec, name: str, ref: str, replicas: int | None) -> Iterator[Mount]:
    volumes = {v.name for v in spec.volumes if name in _config_maps(v)}
    for container in spec.containers:
        if volumes & {m.name for m in container.volume_mounts}:
            words = _words(container)
            deployed = Deployed(ref, replicas, container.image, words)
            yield Mount(deployed, (deployed.flag("config") or "").rpartition("/")[2])


def _config_maps(volume: object) -> Iterator[str]:
    config_map, projected = getattr(volume, "config_map", None), getattr(volume, "projected", None)
    if config_map:
        yield config_map.name
    for part in projected.sources if projected else ():
        if part.config_map:
            yield part.config_map.name


def _words(container: Container) -> tuple[str, ...]:
    """Command and arguments; of a shell, the words of its script."""
    words = (*container.command, *container.args)
    if words and words[0].rpartition("/")[2] in _SHELLS:
        try:
            return tuple(word for part in words[1:] for word in shlex.split(part))
        except ValueError:
            return words
    return words
