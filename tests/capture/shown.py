"""What kubectl shows of the objects that whypending read, as one YAML stream, without noise."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import yaml

from tests.cluster import Cluster
from tests.live.scenario import Object
from whypending.evidence import GapReason
from whypending.objects import kinds
from whypending.sources.manifest import NAME, Manifest, Read
from whypending.sources.snapshot import RecordingSource

OBJECTS = "objects.yaml"
_ORDER = {k.resource: (place, k) for place, k in enumerate(kinds.ALL)}
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_OF_THE_MACHINE = ("machineID", "systemUUID", "bootID", "kernelVersion", "osImage")
_NOISE_NAMES = {("ConfigMap", "kube-root-ca.crt"), ("ConfigMap", "extension-apiserver-authentication")}


@dataclass(frozen=True, order=True)
class Asked:
    """One `kubectl get`: `names` are single objects, none of them means the whole list; namespace "" = all.

    `absent`: something of that namespace was asked for, and was not there.
    """

    place: int
    resource: str
    namespace: str
    names: tuple[str, ...] = ()
    absent: bool = False

    @property
    def kind(self) -> str:
        return _ORDER[self.resource][1].kind

    @property
    def file(self) -> str:
        plural = self.resource.partition(".")[0]
        everywhere = _ORDER[self.resource][1].namespaced and not self.namespace
        return f"{plural}-{self.namespace or 'A'}.yaml" if self.absent or everywhere else OBJECTS

    @property
    def arguments(self) -> tuple[str, ...]:
        where = ("-n", self.namespace) if self.namespace else ("-A",) if _ORDER[self.resource][1].namespaced else ()
        return ("get", self.resource, *self.names, *where)


def asked(recording: RecordingSource, namespace: str) -> tuple[Asked, ...]:
    """What to ask kubectl so that `--from` can answer all that was read; whole lists of the target's namespace."""
    manifest = msgspec.json.decode(recording.files()[NAME], type=Manifest)
    reads = [r for r in manifest.reads if r.gap is None or r.gap.reason is not GapReason.UNSUPPORTED]
    found: dict[tuple[str, str], list[Read]] = {}
    for read in reads:
        found.setdefault((read.resource, read.query.namespace), []).append(read)
    everywhere = {resource for (resource, place), r in found.items() if not place and not _single(r)}
    if kinds.DEPLOYMENTS.resource in everywhere:  # schedulers were looked for; files also tell of those unmounted
        found[kinds.CONFIG_MAPS.resource, ""] = []
    kept = {k: r for k, r in found.items() if k[0] not in everywhere or not k[1]}
    return tuple(sorted(_asked(*key, reads, own=key[1] == namespace) for key, reads in kept.items()))


def save(folder: Path, texts: Mapping[str, str]) -> list[str]:
    """Write the files into a new folder; the paths that --from takes."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [str(folder / name) for name in sorted({name.partition("/")[0] for name in texts})]


def _single(reads: list[Read]) -> bool:
    """Objects were read by name only, and each was there."""
    return bool(reads) and all(r.query.name and r.objects for r in reads)


def _asked(resource: str, place: str, reads: list[Read], *, own: bool) -> Asked:
    names = sorted({r.query.name for r in reads}) if _single(reads) and not own else []
    absent = bool(place) and not any(r.objects for r in reads) and any(r.query.name or r.query.labels for r in reads)
    return Asked(_ORDER[resource][0], resource, place, tuple(names), absent)


def files(cluster: Cluster, wanted: Iterable[Asked], namespaces: frozenset[str]) -> dict[str, str]:
    """Files by name. objects.yaml: as kubectl shows them, a List a kind; of all namespaces, those in `namespaces`.

    A List can't say what it was asked for. So those that show an absence have it in their file's name.
    """
    documents: dict[str, list[Object]] = {OBJECTS: []}
    for one in wanted:
        items = [_clean(o) for o in _items(cluster, one) if _matters(o, one, namespaces)]
        documents.setdefault(one.file, []).extend(_documents(one, items))
    return {path: "---\n".join(text_of(d) for d in found) for path, found in documents.items() if found}


def _documents(one: Asked, items: list[Object]) -> Iterator[Object]:
    if one.names:
        yield from items
    elif items:
        yield {"apiVersion": "v1", "kind": "List", "items": items, "metadata": {"resourceVersion": ""}}
    else:
        version = _ORDER[one.resource][1].versions[0]
        yield {"apiVersion": version, "kind": f"{one.kind}List", "items": [], "metadata": {"resourceVersion": ""}}


def _items(cluster: Cluster, one: Asked) -> list[Object]:
    shown = json.loads(cluster.kubectl(*one.arguments, "-o", "json"))
    found: list[Object] = shown["items"] if shown["kind"] == "List" else [shown]
    return sorted(found, key=lambda o: (o["metadata"].get("namespace", ""), _age(o), o["metadata"]["name"]))


def _age(obj: Object) -> str:
    """Events by time, all else by name."""
    return str(obj["metadata"]["creationTimestamp"]) if obj["kind"] == "Event" else ""


def _matters(obj: Object, one: Asked, namespaces: frozenset[str]) -> bool:
    if (obj["kind"], obj["metadata"]["name"]) in _NOISE_NAMES:
        return False
    return bool(one.namespace) or obj["metadata"].get("namespace", "") in {"", *namespaces}


def _clean(obj: Object) -> Object:
    meta = obj["metadata"]
    meta.pop("managedFields", None)
    notes = meta.get("annotations", {})
    notes.pop(_LAST_APPLIED, None)
    if not notes:
        meta.pop("annotations", None)
    if obj["kind"] == "Node":
        obj["status"].pop("images", None)
        for name in _OF_THE_MACHINE:
            obj["status"].get("nodeInfo", {}).pop(name, None)
    return obj


def text_of(document: Any) -> str:
    """YAML as kubectl writes it: sorted keys, long lines whole."""
    return yaml.safe_dump(document, allow_unicode=True, width=10_000)
