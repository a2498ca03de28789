"""The Pod template that was refused, and the remedy that changes it where it really is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from whypending.classifiers.cause import change, look
from whypending.classifiers.words import kubectl, owning_workload, resource
from whypending.diagnosis import Remedy
from whypending.evidence import Evidence, seen
from whypending.objects.base import KubeObject
from whypending.objects.pod import PodSpec
from whypending.objects.workload import Workload

_PATHS: Mapping[str, tuple[str, ...]] = {
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
    "Pod": ("spec",),
}
_FIXED = ("Job", "Pod")
"""Kinds whose Pod spec the API server does not let anybody change."""


def owner(evidence: Evidence) -> KubeObject:
    """The object that keeps the template: the topmost known owner; the target itself where nothing was read."""
    target = evidence.target
    found = owning_workload(evidence)
    return found if found is not None else next(iter(seen(evidence.owners)), KubeObject(kind=target.kind))


def pod_spec(evidence: Evidence) -> PodSpec:
    """The template's Pod spec as the nearest workload that was read has it; empty where none has one."""
    return next((w.spec.template.spec for w in seen(evidence.owners) if w.spec.template.spec.containers), PodSpec())


def change_template(evidence: Evidence, what: str) -> Remedy:
    """`what` is an order without its end: `Set requests.cpu on container "web"`."""
    item = owner(evidence)
    if item.kind in _FIXED:
        text = f"{what} in the manifest of {item.ref} and create it anew, as its Pod template can't be changed."
        return look(text, kubectl(item.namespace, "get", resource(item), "-o", "yaml"))
    return change(f"{what} in the Pod template of {item.ref}.", kubectl(item.namespace, "edit", resource(item)))


def patch_template(evidence: Evidence, what: str, patch: Mapping[str, Any]) -> Remedy:
    """The same with the exact strategic merge patch of the Pod spec."""
    item = owner(evidence)
    if not isinstance(item, Workload) or item.kind in _FIXED:
        return change_template(evidence, what)
    body: Any = patch
    for key in reversed(_PATHS.get(item.kind, ("spec", "template", "spec"))):
        body = {key: body}
    text = json.dumps(body, separators=(",", ":"))
    command = kubectl(item.namespace, "patch", resource(item), "-p", text)
    return change(f"{what} in the Pod template of {item.ref}.", command, patch=text)
