"""The object that really owns the Pod's spec, and exact commands to change it there."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from whypending.classifiers.cause import change, destroy
from whypending.classifiers.unschedulable._claims import NO_PROVISIONER, PodClaim, provisioner_of
from whypending.diagnosis import Remedy
from whypending.evidence import Evidence, Gap, seen
from whypending.objects.base import KubeObject
from whypending.objects.pod import Pod, PodSpec

_EDITABLE = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "CronJob")
_FROZEN = ("Job", "Pod")


class Owner(msgspec.Struct, frozen=True):
    """Who owns the spec: kind, namespace, name, and the template's spec where it was read."""

    kind: str
    namespace: str
    name: str
    template: PodSpec | None = None

    @property
    def ref(self) -> str:
        """`Deployment shop/web`."""
        return f"{self.kind} {self.namespace}/{self.name}"

    @property
    def is_editable(self) -> bool:
        """Whether a change of its template is allowed and reaches new Pods."""
        return self.kind in _EDITABLE

    def kubectl(self, verb: str) -> str:
        """`kubectl -n shop patch deployment/web`."""
        return f"kubectl -n {shlex.quote(self.namespace)} {verb} {self.kind.lower()}/{shlex.quote(self.name)}"

    def patch(self, spec: Mapping[str, Any]) -> str:
        """The JSON merge patch that changes the Pod spec inside this object."""
        if self.kind == "Pod":
            return json.dumps({"spec": spec})
        template: dict[str, Any] = {"spec": {"template": {"spec": spec}}}
        if self.kind == "CronJob":
            template = {"spec": {"jobTemplate": template}}
        return json.dumps(template)


def owner_of(evidence: Evidence, pod: Pod) -> Owner:
    """The topmost workload that was read; else the controller that the Pod names; else the Pod itself."""
    workloads = [w for w in seen(evidence.owners) if w.kind in (*_EDITABLE, "Job")]
    if workloads:
        return _of(workloads[-1], workloads[-1].spec.template.spec)
    reference = pod.metadata.controller
    if reference is None:
        return _of(pod, pod.spec)
    if reference.kind not in (*_EDITABLE, *_FROZEN):
        return Owner(reference.kind, pod.namespace, reference.name)
    hash_ = pod.metadata.labels.get("pod-template-hash", "")
    if reference.kind == "ReplicaSet" and hash_ and reference.name.endswith(f"-{hash_}"):
        return Owner("Deployment", pod.namespace, reference.name.removesuffix(f"-{hash_}"))
    return Owner(reference.kind, pod.namespace, reference.name)


def _of(item: KubeObject, spec: PodSpec) -> Owner:
    return Owner(item.kind, item.namespace, item.name, spec)


def patched(evidence: Evidence, pod: Pod, text: str, spec: Mapping[str, Any], *, additive: bool = False) -> Remedy:
    """A remedy that changes the Pod spec where it is owned; `additive`: the API also lets an existing Pod have it."""
    owner = owner_of(evidence, pod)
    where = f"{text} in {owner.ref}"
    if owner.is_editable or (owner.kind == "Pod" and additive):
        patch = owner.patch(spec)
        return change(f"{where}.", f"{owner.kubectl('patch')} --type=merge -p {shlex.quote(patch)}", patch)
    if owner.kind in _FROZEN:
        return change(f"{where}: delete it and create it again, since this field can't be changed.")
    return change(f"{where}, which makes the Pod.")


def edited(evidence: Evidence, pod: Pod, text: str) -> Remedy:
    """Likewise where the new value is the user's choice: opens the object that owns it."""
    owner = owner_of(evidence, pod)
    where = f"{text} in {owner.ref}"
    if owner.is_editable:
        return change(f"{where}.", owner.kubectl("edit"))
    if owner.kind in _FROZEN:
        return change(f"{where}: delete it and create it again, since this field can't be changed.")
    return change(f"{where}, which makes the Pod.")


def made_anew(evidence: Evidence, claim: PodClaim, where: str) -> Iterator[Remedy]:
    """A new, empty volume for the claim `where`; nothing where nobody would make one."""
    pod, provisioner = evidence.the_pod, provisioner_of(evidence, claim)
    if pod is None or provisioner == NO_PROVISIONER or claim.class_name == "":
        return
    if not provisioner and not isinstance(evidence.storage_classes, Gap):
        return
    space, name = shlex.quote(claim.namespace), shlex.quote(claim.name)
    head = "Only if the data does not matter, and its class has a provisioner"
    if provisioner:
        head = f"Only if the data does not matter: {provisioner} makes a new volume {where}, once"
    owner = pod.metadata.controller
    if owner is not None and owner.kind == "StatefulSet" and claim.name.endswith(f"-{pod.name}"):
        both = f"kubectl -n {space} delete pvc {name} --wait=false && kubectl -n {space} delete pod {pod.name}"
        how = f"you delete claim and Pod, which StatefulSet {owner.name} makes again"
        yield destroy(f"{head} {how}." if provisioner else f"{head}: {how[4:]}.", both)
        return
    how = "you delete the claim and create it again from its manifest (nothing does that by itself)"
    command = f"kubectl -n {space} delete pvc {name}"
    yield destroy(f"{head} {how}." if provisioner else f"{head}: {how[4:]}.", command)


def replaced(pod: Pod, why: str) -> Remedy:
    """Delete the Pod; who makes a new one depends on whether it has a controller."""
    owner = pod.metadata.controller
    then = (
        f"so that {owner.kind} {owner.name} makes a new one" if owner else "and create it again: it has no controller"
    )
    command = f"kubectl -n {shlex.quote(pod.namespace)} delete pod {shlex.quote(pod.name)}"
    return destroy(f"{why}, {then}.", command)


def template_of(evidence: Evidence, pod: Pod) -> PodSpec:
    """The spec that the owner's template holds; the Pod's own where the template was not read."""
    return owner_of(evidence, pod).template or pod.spec
