"""Who owns the fields that a remedy changes, and the commands that change them."""

from __future__ import annotations

import msgspec

from whypending.classifiers.cause import change, destroy
from whypending.classifiers.jobs import failed_job, run_again
from whypending.classifiers.words import kubectl, owning_workload, resource
from whypending.diagnosis import Remedy
from whypending.evidence import Evidence, seen
from whypending.objects.base import KubeObject
from whypending.objects.pod import Pod

_MIRROR = "kubernetes.io/config.mirror"
_HASH = "pod-template-hash"
_FIXED = {"Pod", "Job"}


def template_owner(evidence: Evidence) -> KubeObject | None:
    """The object whose template made the Pod; a Deployment that was not read is told from its ReplicaSet's name.

    The Deployment controller calls its ReplicaSets DEPLOYMENT-HASH and labels their Pods `pod-template-hash: HASH`.
    """
    top = owning_workload(evidence)
    pod = evidence.the_pod
    if top is None or pod is None or top.kind != "ReplicaSet" or evidence.target.kind == "Deployment":
        return top
    name, _, suffix = top.name.rpartition("-")
    if not name or suffix != pod.metadata.labels.get(_HASH) or top.metadata.controller:
        return top
    metadata = msgspec.structs.replace(top.metadata, name=name, uid="")
    return KubeObject(api_version=top.api_version or "apps/v1", kind="Deployment", metadata=metadata)


def owner_name(evidence: Evidence) -> str:
    """`Deployment prod/web`, or the Pod itself where nothing owns it; "" without a Pod."""
    owner = template_owner(evidence)
    return owner.ref if owner is not None else ""


def is_owned(pod: Pod) -> bool:
    """A controller makes a new Pod when this one is deleted."""
    return pod.metadata.controller is not None


def is_static(pod: Pod) -> bool:
    """A mirror Pod: the kubelet made it from a file on its node, no scheduler was asked."""
    controller = pod.metadata.controller
    return _MIRROR in pod.metadata.annotations or (controller is not None and controller.kind == "Node")


def edit(evidence: Evidence, text: str) -> Remedy:
    """A change of the template's owner, with the command that opens it; a bare Pod or a Job must be made anew."""
    owner = template_owner(evidence)
    pod = evidence.the_pod
    if owner is None or pod is None:
        return change(text)
    if owner.kind in _FIXED:
        return change(
            f"{text[:-1]}; a {owner.kind}'s spec is fixed, so delete it and create it anew from a changed manifest."
        )
    return change(f"{text[:-1]}{_also_delete(evidence, pod)}.", kubectl(pod.namespace, "edit", resource(owner)))


def _also_delete(evidence: Evidence, pod: Pod) -> str:
    """What must go besides, where a new template alone changes nothing for this Pod."""
    for owner in seen(evidence.owners):
        if kept := owner.keeps_pods:
            command = kubectl(pod.namespace, "delete", "pod", pod.name)
            return f"; after a change of the template also delete the Pod ({command}), as {kept}"
        if owner.kind == "Job":
            command = kubectl(pod.namespace, "delete", "job", owner.name)
            return (
                f"; after a change of the template also delete the Job ({command}), as it keeps the one it was made of"
            )
    return ""


def delete_pod(evidence: Evidence, text: str, *extra: str) -> Remedy:
    """Deleting this Pod."""
    pod = evidence.the_pod
    return destroy(text, kubectl(pod.namespace, "delete", "pod", pod.name, *extra) if pod else "")


def recreate(evidence: Evidence) -> Remedy:
    """Getting a new Pod in place of one that has failed for good."""
    pod = evidence.the_pod
    if (given_up := failed_job(evidence)) is not None:
        return run_again(given_up[0])
    owner = template_owner(evidence)
    if pod is not None and is_owned(pod) and owner is not None:
        return delete_pod(evidence, f"Failed is final: delete this Pod once {owner.ref} has replaced it.")
    return delete_pod(evidence, "Failed is final and nothing replaces this Pod: delete it and create it again.")
