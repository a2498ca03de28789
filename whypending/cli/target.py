"""NAME as kubectl takes it: `x`, `pod/x`, `deploy/x`, `deployments.apps/x`, or the two words `deploy x`."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from whypending.errors import UsageError

_KINDS = {
    "Pod": ("pod", "pods", "po"),
    "Deployment": ("deployment", "deployments", "deploy"),
    "ReplicaSet": ("replicaset", "replicasets", "rs"),
    "StatefulSet": ("statefulset", "statefulsets", "sts"),
    "DaemonSet": ("daemonset", "daemonsets", "ds"),
    "Job": ("job", "jobs"),
    "CronJob": ("cronjob", "cronjobs", "cj"),
    "ReplicationController": ("replicationcontroller", "replicationcontrollers", "rc"),
}
KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words}
_GROUPS = ("", "apps", "v1.apps", "batch", "v1.batch")


KUBECTL_VERBS = frozenset({"get", "describe", "why", "status", "check", "debug", "logs"})
"""Words that people put in front of a Pod's name from habit."""


class Name(NamedTuple):
    """What the user asked about; the namespace comes from elsewhere."""

    kind: str
    name: str


def parse_name(words: tuple[str, ...], command: str = "pod") -> Name:
    """The target that one or two words name. Raises UsageError with a `command` that would fit."""
    if len(words) == 2 and kind_of(words[0]) and "/" not in words[1]:  # noqa: PLR2004 (TYPE NAME)
        words = ("/".join(words),)
    if not words:
        raise UsageError(
            "Which Pod? A name is missing.", f"whypending {command} NAME, or whypending {command} deploy/NAME"
        )
    if len(words) > 1:
        name = words[1] if words[0] in KUBECTL_VERBS else words[0]
        raise UsageError(f"One name at a time, not {len(words)}: {shlex.join(words)}.", f"whypending {command} {name}")
    kind, slash, name = words[0].partition("/")
    if not slash:
        return Name("Pod", _named(kind, words[0], command))
    known = kind_of(kind)
    if not known:
        raise UsageError(f'"{kind}" is no kind that has Pods.', _hint(kind, name, command))
    return Name(known, _named(name, words[0], command))


def kind_of(word: str) -> str:
    """The kind that a word stands for, empty if none."""
    plain, _, group = word.lower().partition(".")
    return KIND_OF.get(plain, "") if group in _GROUPS else ""


def _named(name: str, whole: str, command: str) -> str:
    if not name or "/" in name:
        raise UsageError(f'"{whole}" names no Pod.', f"whypending {command} NAME, or whypending {command} deploy/NAME")
    return name


def _hint(kind: str, name: str, command: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only for what is not found

    near = get_close_matches(kind.lower(), KIND_OF, n=1)
    if near:
        return f"whypending {command} {near[0]}/{name}"
    return f"for a Pod in the namespace {kind}: whypending {command} -n {shlex.join([kind, name])}"
