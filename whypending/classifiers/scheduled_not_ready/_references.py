"""Secrets and ConfigMaps that a container or volume names and the kubelet did not find, by the kubelet's own words.

Forms of pkg/kubelet/kubelet_pods.go and pkg/volume/{secret,configmap}, Kubernetes 1.8 to 1.37. Secrets are never read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from whypending.classifiers.words import event_citation
from whypending.diagnosis import Citation
from whypending.evidence import Evidence
from whypending.objects.pod import Pod, Volume
from whypending.patterns import Pattern

from ._containers import Member, waiting_for
from .volume_mount_failed import failed_mount

SECRET, CONFIG_MAP = "Secret", "ConfigMap"
_KEY = Pattern(r"couldn't find key (\S+) in (Secret|ConfigMap) ([^/\s]+)/([^\s,;]+)", re.IGNORECASE)
_OBJECT = Pattern(r'\b(secrets?|configmaps?) "([^"]+)" not found', re.IGNORECASE)
_VOLUME_KEY = Pattern(r"(configmap )?references non-existent (secret|config) key: (\S+)")


class Absent(msgspec.Struct, frozen=True):
    """A Secret or ConfigMap (with `key`: one key of it) that is not there, and what needs it."""

    kind: str
    name: str
    key: str
    needed_by: str
    citations: tuple[Citation, ...]


def absent(evidence: Evidence, kind: str, *, key: bool) -> Iterator[Absent]:
    """What is missing of that kind: whole objects, or (with `key`) keys of objects that are there; each once."""
    done: set[tuple[str, str, str]] = set()
    for item in (*_of_containers(evidence), *_of_volumes(evidence)):
        mark = (item.kind, item.name, item.key)
        if item.kind == kind and bool(item.key) is key and mark not in done:
            done.add(mark)
            yield item


def _of_containers(evidence: Evidence) -> Iterator[Absent]:
    pod = evidence.the_pod
    for member in waiting_for(pod, "CreateContainerConfigError") if pod else ():
        message = member.waiting.message if member.waiting else ""
        cited = (member.cite("state.waiting.message", message),)
        if found := _KEY.search(message):
            kind = SECRET if found[2].lower() == "secret" else CONFIG_MAP
            yield Absent(kind, found[4], found[1], _needed(member, kind, found[4], found[1]), cited)
        elif found := _OBJECT.search(message):
            kind = _kind(found[1])
            yield Absent(kind, found[2], "", _needed(member, kind, found[2], ""), cited)


def _of_volumes(evidence: Evidence) -> Iterator[Absent]:
    pod, failed = evidence.the_pod, failed_mount(evidence)
    if pod is None or failed is None:
        return
    cited = (event_citation(failed.event),)
    needed = f'volume "{failed.volume}" of {pod.ref}' if failed.volume else pod.ref
    if found := _OBJECT.search(failed.words):
        yield Absent(_kind(found[1]), found[2], "", needed, cited)
    elif found := _VOLUME_KEY.search(failed.words):
        kind = SECRET if found[2] == "secret" else CONFIG_MAP
        for name in _sources(pod, failed.volume, kind)[:1]:
            yield Absent(kind, name, found[3].rstrip("]"), needed, cited)


def _kind(word: str) -> str:
    return SECRET if word.lower().startswith("secret") else CONFIG_MAP


def _needed(member: Member, kind: str, name: str, key: str) -> str:
    """`container "web" (variable TOKEN)`: where in the container's spec the reference stands."""
    for var in member.spec.env:
        source = var.value_from
        ref = (source.secret_key_ref if kind == SECRET else source.config_map_key_ref) if source else None
        if ref is not None and ref.name == name and key in {"", ref.key}:
            return f"{member.noun} (variable {var.name}) of {member.pod.ref}"
    return f"{member.noun} of {member.pod.ref}"


def _sources(pod: Pod, volume: str, kind: str) -> list[str]:
    found = next((v for v in pod.spec.volumes if v.name == volume), None)
    return [n for n in _names(found, kind) if n] if found else []


def _names(volume: Volume, kind: str) -> Iterator[str]:
    own = volume.secret if kind == SECRET else volume.config_map
    if own is not None:
        yield own.secret_name or own.name
    for source in volume.projected.sources if volume.projected else ():
        part = source.secret if kind == SECRET else source.config_map
        if part is not None:
            yield part.name or part.secret_name
