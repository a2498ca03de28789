"""scheduler-name-unknown: no running scheduler (or profile of one) serves the Pod's spec.schedulerName.

What it means
    The Pod asks for a scheduler that nobody is. It will wait for ever, without any Event: each scheduler
    passes over Pods that carry another name than its own.

How it is recognised
    spec.nodeName is empty, the condition PodScheduled is absent, no FailedScheduling Event exists, and the name in
    spec.schedulerName appears in no scheduler's configuration and on no Pod that has a node. Proved when schedulers,
    configurations, Leases, binds and Events could all be read; likely where one of them could not.

What to do
    Correct schedulerName in the workload's template (it cannot be changed on a Pod), or start the scheduler,
    or the profile, that should serve the name.

Limits
    A scheduler outside the cluster, without a Lease, that has never bound a Pod leaves no trace. Whether a profile
    was added to a configuration but never loaded can't be told from the file alone.

References
    Pod spec.schedulerName (core/v1); KubeSchedulerConfiguration profiles[].schedulerName
    (kubescheduler.config.k8s.io/v1); https://kubernetes.io/docs/tasks/extend-kubernetes/configure-multiple-schedulers/
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_scheduler._found import DEFAULT, NEVER_JUDGED, everything_was_read, known_names, serving
from whypending.classifiers.words import field_citation, kubectl, names, owning_workload, resource, since
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.base import KubeObject
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload

CAUSE = Cause("WP101", "scheduler-name-unknown", Triage.NO_SCHEDULER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The name is nobody's, as far as could be read."""
    pod = evidence.the_pod
    name = pod.scheduler_name if pod else DEFAULT
    if pod is None or name == DEFAULT or serving(evidence, name) or name in known_names(evidence):
        return
    waited = since(pod.metadata.creation_timestamp, evidence.now)
    complete = everything_was_read(evidence)
    near = get_close_matches(name, known_names(evidence) | {DEFAULT}, n=1, cutoff=0.75)
    meant = f'; did you mean "{near[0]}"?' if near else "."
    claim = "no scheduler serves that name" if complete else "no scheduler of that name was found"
    yield CAUSE.finding(
        f'The Pod asks for the scheduler "{name}", and {claim}, so nobody has looked at it in {waited}{meant}',
        confidence=Confidence.PROVED if complete else Confidence.LIKELY,
        citations=_proof(evidence, pod),
        remedies=_remedies(evidence, pod, near[0] if near else ""),
    )


def _proof(evidence: Evidence, pod: Pod) -> Iterator[Citation]:
    yield field_citation(pod, "spec.schedulerName", pod.scheduler_name, pod.metadata.creation_timestamp)
    yield field_citation(pod, "status.conditions[type=PodScheduled]", NEVER_JUDGED)
    found = names(sorted(known_names(evidence)))
    if found:
        yield Citation(object="the cluster", field="schedulerNames that are configured or bound a Pod", value=found)
    mates = [p for p in seen(evidence.waiting) if p.scheduler_name == pod.scheduler_name]
    if mates:
        value = f"{len(mates)}, such as {names(p.ref for p in mates[:3])}"
        yield Citation(object="the cluster", field="other Pods that wait for this name", value=value)


def _remedies(evidence: Evidence, pod: Pod, near: str) -> Iterator[Remedy]:
    owner = owning_workload(evidence) or pod
    meant = near or DEFAULT
    if isinstance(owner, Workload):
        patch = f'{{"spec":{{"template":{{"spec":{{"schedulerName":"{meant}"}}}}}}}}'
        command = kubectl(owner.namespace, "patch", resource(owner), "--type=merge", "-p", patch)
        yield change(f'Set schedulerName to "{meant}" in {owner.ref}; it then makes new Pods.', command, patch)
    else:
        yield change(*_recreate(owner, pod, meant))
    yield look(
        f'If "{pod.scheduler_name}" is meant, see whether its Deployment runs and has a profile of that name.',
        "kubectl get deployments -A | grep -i scheduler",
    )


def _recreate(owner: KubeObject, pod: Pod, meant: str) -> tuple[str, str]:
    if owner is not pod and owner.name != pod.name:
        return (f'Set schedulerName to "{meant}" in {owner.ref}, which makes this Pod.', "")
    command = (
        f"{kubectl(pod.namespace, 'get', 'pod', pod.name, '-o', 'yaml')} | "
        f"sed 's/schedulerName: .*/schedulerName: {meant}/' | {kubectl(pod.namespace, 'replace', '--force', '-f', '-')}"
    )
    return (f'Make the Pod anew with schedulerName "{meant}": the field cannot be changed on a Pod.', command)
