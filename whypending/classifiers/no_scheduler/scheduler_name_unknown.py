"""scheduler-name-unknown: no running scheduler (or profile of one) serves the Pod's spec.schedulerName.

What it means
    The Pod asks for a scheduler that nobody is. It will wait for ever, without any Event: each scheduler
    passes over Pods that carry another name than its own.

How it is recognised
    spec.nodeName is empty, the condition PodScheduled is absent, and the name in spec.schedulerName appears in no
    scheduler's configuration or flags, on no scheduler's workload and on no Pod that has a node. Proved where
    Deployments, StatefulSets, DaemonSets, the schedulers' Pods and configurations, all Leases, bound Pods and Events
    were read from the API server, none of them carries the name, and another scheduler is seen to lead: a scheduler
    outside the cluster that lived would have written PodScheduled. Possible where the workloads could not be read and
    the name is not mistyped, or a provider serves it from outside; else likely.

What to do
    Correct schedulerName in the workload's template (it cannot be changed on a Pod), or start the scheduler,
    or the profile, that should serve the name.

Limits
    A scheduler outside the cluster that has ended, and was right by its name, looks the same as a name that is wrong.
    Files are never taken to be complete, a snapshot apart.

References
    Pod spec.schedulerName (core/v1); KubeSchedulerConfiguration profiles[].schedulerName
    (kubescheduler.config.k8s.io/v1); https://kubernetes.io/docs/tasks/extend-kubernetes/configure-multiple-schedulers/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._rename import rename
from whypending.classifiers.no_scheduler._words import judged, waited
from whypending.classifiers.words import field_citation, kubectl, names
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, Gap, seen
from whypending.inventory.excluded import nobody_serves
from whypending.inventory.found import known_names, serving
from whypending.inventory.names import near_name
from whypending.inventory.process import BY_NAME, DEFAULT
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload

CAUSE = Cause("WP101", "scheduler-name-unknown", Triage.NO_SCHEDULER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The name is nobody's, as far as could be read."""
    pod = evidence.the_pod
    name = pod.scheduler_name if pod else DEFAULT
    if pod is None or name == DEFAULT or serving(evidence, name) or name in known_names(evidence):
        return
    known = BY_NAME.get(name)
    near = "" if known else near_name(name, known_names(evidence) | {DEFAULT})
    yield CAUSE.finding(
        _message(evidence, pod, near),
        confidence=_confidence(evidence, name, near),
        citations=_proof(evidence, pod),
        remedies=_remedies(evidence, pod, near),
    )


def _confidence(evidence: Evidence, name: str, near: str) -> Confidence:
    known = BY_NAME.get(name)
    outside = known is not None and known.is_managed
    unread = isinstance(evidence.scheduler_workloads, Gap) and not near
    if outside or unread:
        return Confidence.POSSIBLE
    return Confidence.PROVED if nobody_serves(evidence, name) else Confidence.LIKELY


def _message(evidence: Evidence, pod: Pod, near: str) -> str:
    name, known = pod.scheduler_name, BY_NAME.get(pod.scheduler_name)
    how_long = waited(pod, evidence)
    head = f'{pod.ref} asks for the scheduler "{name}"'
    if known and known.is_managed:
        return f"{head}, which {known.project} runs outside the cluster, and it has not looked at it{how_long}."
    whose = f" ({known.project})" if known else ""
    if isinstance(evidence.scheduler_workloads, Gap) and not near:
        return f"{head}{whose}, and nobody has looked at it{how_long}; who serves that name could not be looked up."
    meant = f'; did you mean "{near}"?' if near else "."
    return f"{head}{whose}, and no scheduler of that name was found, so nobody has looked at it{how_long}{meant}"


def _proof(evidence: Evidence, pod: Pod) -> Iterator[Citation]:
    yield field_citation(pod, "spec.schedulerName", pod.scheduler_name, pod.metadata.creation_timestamp)
    yield judged(pod)
    yield from _carrier(evidence, pod)
    found = names(sorted(known_names(evidence)))
    if found:
        yield Citation(object="the cluster", field="schedulerNames that are configured or bound a Pod", value=found)
    mates = [p for p in seen(evidence.waiting) if p.scheduler_name == pod.scheduler_name]
    if mates:
        value = f"{len(mates)}: {names(p.ref for p in mates)}"
        yield Citation(object="the cluster", field="other Pods that wait for this name", value=value)


def _carrier(evidence: Evidence, pod: Pod) -> Iterator[Citation]:
    """Where the name really stands: in the workload's template, or in none, and then something changed the Pod."""
    template = _template(evidence)
    if template is None:
        return
    path = "spec.jobTemplate.spec.template" if template.kind == "CronJob" else "spec.template"
    told = template.spec.template.spec.scheduler_name or f"unset, which is {DEFAULT}"
    if _was_changed(evidence, pod):
        told = f"{told}: the Pod's name was put there when it was made, by an admission webhook or policy"
    yield field_citation(template, f"{path}.spec.schedulerName", told)


def _template(evidence: Evidence) -> Workload | None:
    """The topmost owner that was read and has a template."""
    return next((w for w in reversed(seen(evidence.owners)) if w.spec.template.spec.containers), None)


def _was_changed(evidence: Evidence, pod: Pod) -> bool:
    """The Pod's name is not its template's."""
    template = _template(evidence)
    return template is not None and (template.spec.template.spec.scheduler_name or DEFAULT) != pod.scheduler_name


def _remedies(evidence: Evidence, pod: Pod, near: str) -> Iterator[Remedy]:
    if _was_changed(evidence, pod):
        yield look(
            "See which admission webhook writes this name into Pods, and correct it there.",
            "kubectl get mutatingwebhookconfigurations,mutatingadmissionpolicies",
        )
    elif near:
        yield from rename(evidence, pod, near)
    yield _search(pod.scheduler_name)
    if not near:
        yield from rename(evidence, pod, DEFAULT, lead=f"If {DEFAULT} will do, ")


def _search(name: str) -> Remedy:
    known = BY_NAME.get(name)
    if known and known.is_managed:
        return look(f"See in the settings of {known.project} whether this Pod is selected for it.")
    if known:
        command = kubectl(known.namespace, "get", f"deployment/{known.deployment}")
        return look(f"See whether {known.project} is installed; this is where it usually is.", command)
    return look(
        f'If "{name}" is meant, see which schedulers run, and whether one has a profile of that name.',
        "whypending schedulers",
    )
