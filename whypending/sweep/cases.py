"""One piece of evidence and its diagnosis as a case of a sweep."""

from __future__ import annotations

from whypending.collectors.sweep import Alike
from whypending.diagnosis import Diagnosis, Triage
from whypending.evidence import Evidence, Target, seen
from whypending.inventory.found import known_names
from whypending.inventory.life import last_bind
from whypending.inventory.names import near_name
from whypending.objects.base import KubeObject
from whypending.objects.pod import Pod
from whypending.sweep.model import Case, Member

_DEFAULT = "default-scheduler"


def case_of(alike: Alike, evidence: Evidence, diagnosis: Diagnosis) -> Case | None:
    """The case; None where nothing is stuck, or where a workload's Pods are there (those are cases of their own)."""
    if diagnosis.triage is Triage.NOT_STUCK:
        return None
    if alike.workload is not None:
        made = evidence.the_pod is not None
        return None if made else Case(diagnosis=diagnosis, members=(_member(alike.workload, ""),))
    name = alike.pods[0].scheduler_name
    orphan = diagnosis.triage is Triage.NO_SCHEDULER
    owner = _owner(alike.pods[0], evidence)
    bound = last_bind(evidence, name) if orphan else None
    return Case(
        diagnosis=diagnosis,
        members=tuple(_member(pod, owner) for pod in alike.pods),
        scheduler_name=name,
        nearest=near_name(name, known_names(evidence) | {_DEFAULT}) if orphan and name != _DEFAULT else "",
        last_bind=bound.at if bound else None,
    )


def _member(obj: KubeObject, owner: str) -> Member:
    target = Target(kind=obj.kind, namespace=obj.namespace, name=obj.name, uid=obj.metadata.uid)
    return Member(target=target, since=obj.metadata.creation_timestamp, owner=owner)


def _owner(pod: Pod, evidence: Evidence) -> str:
    """The highest owner that could be read, else the one that the Pod names."""
    owners = seen(evidence.owners)
    if owners:
        return f"{owners[-1].kind} {owners[-1].name}"
    controller = pod.metadata.controller
    return f"{controller.kind} {controller.name}" if controller else ""
