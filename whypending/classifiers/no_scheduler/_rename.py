"""Remedies that give a Pod another scheduler, on the object that owns the field, by what its kind allows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import change, destroy
from whypending.classifiers.words import kubectl, owning_workload, resource
from whypending.diagnosis import Remedy
from whypending.evidence import Evidence
from whypending.objects.base import KubeObject, ObjectMeta
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload
from whypending.patterns import Pattern

_REPLACES = frozenset({"Deployment", "DaemonSet"})
"""Kinds whose controller replaces the stuck Pod by itself after a change of the template."""
_PLAIN = Pattern(r"[A-Za-z0-9._-]{1,253}")


def rename(
    evidence: Evidence, pod: Pod, name: str, *, lead: str = "", workload: Workload | None = None
) -> Iterator[Remedy]:
    """Set schedulerName to `name`.

    lead: begins the sentence, such as `If default-scheduler will do, `. workload: what makes the Pod, where it is known
    by other ways than the Pod's owners.
    """
    owner = workload or _owner(evidence, pod)
    told = f'{lead}{"set" if lead else "Set"} schedulerName to "{name}" in {owner.ref}'
    if isinstance(owner, Workload) and owner.kind == "Job":
        yield destroy(f"{told} and make the Job anew: its template cannot be changed.")
    elif isinstance(owner, Workload):
        yield from _patched(owner, pod, name, told)
    elif owner.kind == "Pod":
        yield destroy(f"{told} and make the Pod anew: the field cannot be changed.", _anew(pod, name))
    else:
        yield change(f"{told}, which makes this Pod.")


def _owner(evidence: Evidence, pod: Pod) -> KubeObject:
    """A ReplicaSet that was not read and is called by its pod-template-hash was made by the Deployment before it."""
    owner = owning_workload(evidence) or pod
    hashed = f"-{pod.metadata.labels.get('pod-template-hash', '')}"
    if (
        owner.kind != "ReplicaSet"
        or isinstance(owner, Workload)
        or not owner.name.removesuffix(hashed)
        or hashed == "-"
    ):
        return owner
    if not owner.name.endswith(hashed):
        return owner
    meta = ObjectMeta(name=owner.name.removesuffix(hashed), namespace=owner.namespace)
    return Workload(api_version=owner.api_version, kind="Deployment", metadata=meta)


def _patched(owner: Workload, pod: Pod, name: str, told: str) -> Iterator[Remedy]:
    template = {"template": {"spec": {"schedulerName": name}}}
    spec = {"jobTemplate": {"spec": template}} if owner.kind == "CronJob" else template
    patch = json.dumps({"spec": spec}, separators=(",", ":"), ensure_ascii=False)
    command = kubectl(owner.namespace, "patch", resource(owner), "--type=merge", "-p", patch)
    if owner.kind in _REPLACES:
        yield change(f"{told}; it then makes new Pods.", command, patch)
    elif owner.kind == "CronJob":
        yield change(f"{told}; its next Job has it.", command, patch)
    else:
        yield change(f"{told}; it does not replace the Pod that waits.", command, patch)
        delete = kubectl(pod.namespace, "delete", "pod", pod.name)
        yield destroy(f"Then delete {pod.ref}, so that it is made anew.", delete)


def _anew(pod: Pod, name: str) -> str:
    """Read, change, and put back by delete and create."""
    if not _PLAIN.fullmatch(name):
        return ""
    script = quote(f"s/^( +schedulerName: ).*/\\1{name}/")
    read = kubectl(pod.namespace, "get", "pod", pod.name, "-o", "yaml")
    return f"{read} | sed -E {script} | {kubectl(pod.namespace, 'replace', '--force', '-f', '-')}"
