"""KubeSchedulerConfiguration, as far as a verdict needs it: the names it serves and the Lease it takes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from whypending.objects.policy import ConfigMap

GROUP = "kubescheduler.config.k8s.io/"
KNOWN: Mapping[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "v1alpha1": ((1, 10), (1, 19)),
    "v1alpha2": ((1, 18), (1, 19)),
    "v1beta1": ((1, 19), (1, 23)),
    "v1beta2": ((1, 22), (1, 28)),
    "v1beta3": ((1, 23), (1, 29)),
    "v1": ((1, 25), (99, 0)),
}
"""configuration version: first release that knows it, first that does not (pkg/scheduler/apis/config/scheme)."""
_MAX = 1 << 20
"""A ConfigMap holds no more."""


class Configuration(msgspec.Struct, frozen=True):
    """One KubeSchedulerConfiguration. lease: (namespace, name), None where leader election is off."""

    source: ConfigMap
    key: str
    version: str
    names: frozenset[str]
    lease: tuple[str, str] | None


def configurations_in(configs: tuple[ConfigMap, ...]) -> tuple[Configuration, ...]:
    """Every configuration in the ConfigMaps; text that is no YAML (templates) is passed over."""
    return tuple(
        configuration
        for config in configs
        for key, text in config.data.items()
        if "KubeSchedulerConfiguration" in text
        for document in _documents(text)
        if (configuration := _read(config, key, document)) is not None
    )


@lru_cache(maxsize=32)
def _documents(text: str) -> tuple[Any, ...]:
    """With every scalar a string: no tag can construct anything."""
    import yaml  # noqa: PLC0415 - only this class needs it

    if len(text) > _MAX:
        return ()
    try:
        return tuple(yaml.load_all(text, Loader=yaml.CBaseLoader))
    except (yaml.YAMLError, RecursionError, ValueError):
        return ()


def _read(config: ConfigMap, key: str, document: object) -> Configuration | None:
    if not isinstance(document, Mapping) or document.get("kind") != "KubeSchedulerConfiguration":
        return None
    version = _text(document, "apiVersion").removeprefix(GROUP)
    profiles = document.get("profiles")
    listed = [p for p in profiles if isinstance(p, Mapping)] if isinstance(profiles, list) else []
    alone = _text(document, "schedulerName") or "default-scheduler"
    names = frozenset(_text(p, "schedulerName") or "default-scheduler" for p in listed) or frozenset({alone})
    election = document.get("leaderElection")
    election = election if isinstance(election, Mapping) else {}
    lease = (
        _text(election, "resourceNamespace") or _text(election, "lockObjectNamespace") or "kube-system",
        _text(election, "resourceName") or _text(election, "lockObjectName") or "kube-scheduler",
    )
    return Configuration(config, key, version, names, None if _text(election, "leaderElect") == "false" else lease)


def _text(mapping: Mapping[Any, Any], key: str) -> str:
    value = mapping.get(key)
    return value.strip() if isinstance(value, str) else ""
