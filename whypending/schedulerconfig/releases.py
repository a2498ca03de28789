"""Releases of Kubernetes, and what each does with an apiVersion of KubeSchedulerConfiguration.

Source: the folders below pkg/scheduler/apis/config and cmd/kube-scheduler/app/options/configfile.go of each release.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

GROUP = "kubescheduler.config.k8s.io"
KIND = "KubeSchedulerConfiguration"
CURRENT = f"{GROUP}/v1"
OLDEST, NEWEST = 25, 37
"""Minor releases whose plugins and defaults are known here: those that have v1."""


class Release(NamedTuple):
    """`1.MINOR`, and how it came to be the one judged by."""

    minor: int
    origin: str = "the newest that whypending knows"

    def __str__(self) -> str:
        """`1.37`."""
        return f"1.{self.minor}"

    @property
    def known(self) -> int:
        """The nearest minor release whose plugins are known."""
        return min(max(self.minor, OLDEST), NEWEST)


class Lifetime(msgspec.Struct, frozen=True):
    """The minor releases that took an apiVersion: since, warned of from, no longer from (0: never)."""

    since: int
    deprecated: int = 0
    removed: int = 0


API_VERSIONS: Mapping[str, Lifetime] = {
    f"{GROUP}/v1alpha1": Lifetime(10, 18, 19),
    f"{GROUP}/v1alpha2": Lifetime(18, 0, 19),
    f"{GROUP}/v1beta1": Lifetime(19, 22, 23),
    f"{GROUP}/v1beta2": Lifetime(22, 25, 28),
    f"{GROUP}/v1beta3": Lifetime(23, 26, 29),
    CURRENT: Lifetime(25),
}


def parse_release(text: str, origin: str) -> Release | None:
    """`1.37`, `v1.37.2`, `1.37+`; None for what is no release."""
    found = re.match(r"v?1\.(\d{1,3})(?:[.+-].*)?$", text.strip())
    return Release(int(found[1]), origin) if found else None
