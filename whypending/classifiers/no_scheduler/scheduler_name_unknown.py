"""scheduler-name-unknown: no running scheduler (or profile of one) serves the Pod's spec.schedulerName.

What it means
    The Pod asks for a scheduler that nobody is. It will wait for ever, without any Event: each scheduler
    passes over Pods that carry another name than its own.

How it is recognised
    spec.nodeName is empty, the condition PodScheduled is absent, and the name in spec.schedulerName appears in no
    scheduler's configuration or flags, on no scheduler's Deployment and on no Pod that has a node. Likely, as only
    Deployments and kube-scheduler's own Pods are looked at; possible where those could not be read and the name is not
    mistyped, or a provider serves it from outside.

What to do
    Correct schedulerName in the workload's template (it cannot be changed on a Pod), or start the scheduler,
    or the profile, that should serve the name.

Limits
    A scheduler that runs as a DaemonSet, StatefulSet or bare Pod or outside the cluster, and a profile in a file that
    can't be read, leave no trace here until they bind a Pod.

References
    Pod spec.schedulerName (core/v1); KubeSchedulerConfiguration profiles[].schedulerName
    (kubescheduler.config.k8s.io/v1); https://kubernetes.io/docs/tasks/extend-kubernetes/configure-multiple-schedulers/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._found import judged, known_names, serving, waited
from whypending.classifiers.no_scheduler._process import BY_NAME, DEFAULT
from whypending.classifiers.no_scheduler._rename import rename
from whypending.classifiers.words import field_citation, kubectl, names
from whypending.diagnosis import Citation, Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence, Gap, seen
from whypending.objects.pod import Pod

CAUSE = Cause("WP101", "scheduler-name-unknown", Triage.NO_SCHEDULER)
_SIMILAR = 0.8
_SUFFIX = "-scheduler"
_LONG = 253


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The name is nobody's, as far as could be read."""
    pod = evidence.the_pod
    name = pod.scheduler_name if pod else DEFAULT
    if pod is None or name == DEFAULT or serving(evidence, name) or name in known_names(evidence):
        return
    known = BY_NAME.get(name)
    near = "" if known else near_name(name, known_names(evidence) | {DEFAULT})
    outside = known is not None and known.is_managed
    unread = isinstance(evidence.scheduler_workloads, Gap) and not near
    yield CAUSE.finding(
        _message(evidence, pod, near),
        confidence=Confidence.POSSIBLE if outside or unread else Confidence.LIKELY,
        citations=_proof(evidence, pod),
        remedies=_remedies(evidence, pod, near),
    )


def near_name(name: str, known: Iterable[str]) -> str:
    """The known name that this one is probably a slip of, empty if none is; a common `-scheduler` says nothing."""
    ends = name.endswith(_SUFFIX)
    stems = {n.removesuffix(_SUFFIX) if ends and n.endswith(_SUFFIX) else n: n for n in sorted(known) if len(n) < _LONG}
    stem = name.removesuffix(_SUFFIX)[:_LONG] if ends else name[:_LONG]
    near = get_close_matches(stem, [s for s in stems if s], n=1, cutoff=_SIMILAR)
    return stems[near[0]] if near and stem else ""


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
    found = names(sorted(known_names(evidence)))
    if found:
        yield Citation(object="the cluster", field="schedulerNames that are configured or bound a Pod", value=found)
    mates = [p for p in seen(evidence.waiting) if p.scheduler_name == pod.scheduler_name]
    if mates:
        value = f"{len(mates)}: {names(p.ref for p in mates)}"
        yield Citation(object="the cluster", field="other Pods that wait for this name", value=value)


def _remedies(evidence: Evidence, pod: Pod, near: str) -> Iterator[Remedy]:
    if near:
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
        "kubectl get deployments,daemonsets,statefulsets,pods -A | grep -i sched",
    )
