"""What a path says of the file: support-bundle (troubleshoot) and must-gather (oc adm inspect) layouts.

Both write all objects of a kind into known places, so that a name that is not there did not exist.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from whypending.sources.files.items import KINDS, KindKey

_BUNDLE_NAMES = {
    "pvs": "persistentvolumes",
    "pvcs": "persistentvolumeclaims",
    "storage-classes": "storageclasses",
    "resource-quota": "resourcequotas",
}
_BY_PLURAL: dict[tuple[str, str], KindKey] = {(kind.plural, key[1]): key for key, kind in KINDS.items()}
_BY_NAME: dict[str, KindKey] = {}
for (_plural, _group), _key in _BY_PLURAL.items():
    _BY_NAME.setdefault(_plural, _key)
    _BY_NAME[f"{_plural}.{_group}"] = _key

_BUNDLE = re.compile(r"(?:^|/)cluster-resources/(?:custom-resources/)?([\w.-]+?)(?:/([\w.-]+))?\.(?:json|ya?ml)$")
_BUNDLE_ERRORS = re.compile(r"(?:^|/)cluster-resources/(?:[\w.-]+/)?([\w.-]+?)-errors\.json$")
_GATHER = re.compile(r"(?:^|/)namespaces/([\w.-]+)/([\w.-]+)/([a-z]+)(?:/[^/]+)?\.ya?ml$")
_GATHER_POD = re.compile(r"(?:^|/)namespaces/([\w.-]+)/pods/([\w.-]+)/\2\.ya?ml$")
_GATHER_CLUSTER = re.compile(r"(?:^|/)cluster-scoped-resources/([\w.-]+)/([a-z]+)(?:/[^/]+)?\.ya?ml$")
_NAMED = re.compile(r"([A-Za-z]+)[-_.]([A-Za-z0-9-]+)\.(?:json|ya?ml)(?:\.gz)?$")
_LOG_PATHS = (
    re.compile(
        r"(?:^|/)namespaces/(?P<ns>[\w.-]+)/pods/(?P<pod>[\w.-]+)/(?P<c>[\w.-]+)/(?:[\w.-]+)/logs/"
        r"(?P<run>current|previous)\.log$"
    ),
    re.compile(r"(?:^|/)(?:pods/)?logs/(?P<ns>[\w.-]+)/(?P<pod>[\w.-]+)/(?P<c>[\w.-]+?)(?:-(?P<run>previous))?\.log$"),
    re.compile(r"(?:^|/)(?P<ns>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_(?P<c>[a-z0-9-]+?)(?:[-_.](?P<run>previous))?\.log$"),
    re.compile(r"(?:^|/)(?P<pod>[a-z0-9.-]+?)(?:[-_.](?P<run>previous))?\.log$"),
)


_SCHEDULERS = re.compile(r"scheduler|autoscaler|karpenter|volcano|yunikorn|kueue|kai-", re.IGNORECASE)


class Place(NamedTuple):
    """The kind that a file holds all of, in that namespace ("" = not namespaced, or all of them)."""

    key: KindKey
    namespace: str


class LogPlace(NamedTuple):
    """Whose log a file is; an empty part is not known."""

    namespace: str
    pod: str
    container: str
    previous: bool


def place_of(path: str) -> Place | None:
    """What a bundle's path says of the file; None for any other path."""
    if match := _GATHER_CLUSTER.search(path):
        return _place(_BY_PLURAL.get((match[2], "" if match[1] == "core" else match[1])), "")
    if _GATHER_POD.search(path):
        return None
    if match := _GATHER.search(path):
        return _place(_BY_PLURAL.get((match[3], "" if match[2] == "core" else match[2])), match[1])
    if match := _BUNDLE.search(path):
        return _place(_BY_NAME.get(_BUNDLE_NAMES.get(match[1], match[1])), match[2] or "")
    return None


def plural_in(path: str) -> KindKey | None:
    """The kind that a file's own name speaks of (`events.yaml`, `pods-prod.json`): what an empty List was a list of."""
    words = re.split(r"[^a-z]+", path.rpartition("/")[2].lower())
    return next((_BY_NAME[word] for word in words if word in _BY_NAME), None)


def asked_in(path: str) -> str | None:
    """The namespace in a List's own file name: `pods-prod.yaml` gives `prod`, `pods-A.yaml` all ("")."""
    match = _NAMED.match(path.rpartition("/")[2])
    if match is None or match[1].lower() not in _BY_NAME:
        return None
    return "" if match[2] in {"A", "all"} else match[2]


def errors_of(path: str) -> KindKey | None:
    """The kind whose refused reads a support-bundle's `…-errors.json` tells of."""
    match = _BUNDLE_ERRORS.search(path)
    return _BY_NAME.get(_BUNDLE_NAMES.get(match[1], match[1])) if match else None


def log_of(path: str) -> LogPlace:
    """Whose log this is, as far as the path says."""
    for pattern in _LOG_PATHS:
        if match := pattern.search(path):
            part = match.groupdict()
            return LogPlace(part.get("ns") or "", part["pod"], part.get("c") or "", part["run"] == "previous")
    return LogPlace("", "", "", previous=False)


def is_of_a_scheduler(path: str) -> bool:
    """Whether a log may speak of any Pod: a scheduler's or autoscaler's by its path, or one outside a bundle."""
    in_bundle = any(pattern.search(path) for pattern in _LOG_PATHS[:2])
    return not in_bundle or _SCHEDULERS.search(path) is not None


def _place(key: KindKey | None, namespace: str) -> Place | None:
    return Place(key, namespace) if key else None
