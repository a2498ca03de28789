"""KubeSchedulerConfiguration, as far as a verdict needs it: the names it serves and the Lease it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from whypending.objects.policy import ConfigMap

GROUP = "kubescheduler.config.k8s.io/"
REMOVED = {"v1alpha1": (1, 19), "v1alpha2": (1, 20), "v1beta1": (1, 25), "v1beta2": (1, 28), "v1beta3": (1, 29)}
"""configuration version: first kube-scheduler release that does not know it (Kubernetes' deprecation notes)."""


@dataclass(frozen=True, slots=True)
class Configuration:
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
def _documents(text: str) -> list[Any]:
    import yaml  # noqa: PLC0415 - only this class needs it

    try:
        return list(yaml.load_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except (yaml.YAMLError, ValueError, RecursionError):
        return []


def _read(config: ConfigMap, key: str, document: object) -> Configuration | None:
    if not isinstance(document, Mapping) or document.get("kind") != "KubeSchedulerConfiguration":
        return None
    version = str(document.get("apiVersion", "")).removeprefix(GROUP)
    listed = document.get("profiles")
    profiles = listed if isinstance(listed, list) and listed else [{}]
    names = frozenset(str(p.get("schedulerName") or "default-scheduler") for p in profiles if isinstance(p, Mapping))
    election = document.get("leaderElection")
    election = election if isinstance(election, Mapping) else {}
    lease = (
        str(election.get("resourceNamespace") or "kube-system"),
        str(election.get("resourceName") or "kube-scheduler"),
    )
    return Configuration(config, key, version, names, None if election.get("leaderElect") is False else lease)
