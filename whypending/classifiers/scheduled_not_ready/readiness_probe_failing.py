"""readiness-probe-failing: the readiness probe fails.

What it means
    The container runs, but it does not answer its readiness probe as it should, so the Pod gets no traffic and does not
    count as available. It is not restarted for this.

How it is recognised
    The container is running, started and not ready. Proved with an Event Unhealthy `Readiness probe failed: …` from its
    present run; likely where Events are missing, the container has a readiness probe, and its first answer is overdue.

What to do
    Ask the container the same question; compare port, path and time-out of the probe with what the program serves. A
    program that says 503 usually waits for something itself.

Limits
    The kubelet's Events say what came back, not why.

References
    https://kubernetes.io/docs/concepts/workloads/pods/probes/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.words import event_citation
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence

from ._containers import Member
from ._logs import read_log
from ._node import OVER
from ._owner import edit
from ._probes import answer, failure, first_answer, since_start, target, unready

CAUSE = Cause(
    "WP439",
    "readiness-probe-failing",
    Triage.SCHEDULED_NOT_READY,
    refines=("sidecar-blocked",),
    explained_by=(*OVER, "container-crashloop", "liveness-probe-killing", "startup-probe-failing"),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each running container that does not pass its readiness probe."""
    for member in unready(evidence):
        if not _is_started(member):
            continue
        event = failure(evidence, member, "Readiness")
        if event is None and not _overdue(evidence, member):
            continue
        asks = target(member, member.spec.readiness_probe)
        said = f": {answer(event)}" if event else "; what it answers is not recorded"
        yield CAUSE.finding(
            f"{member.label} of {member.pod.ref} runs but fails its readiness probe"
            f"{f' ({asks})' if asks else ''}{said}.",
            confidence=Confidence.PROVED if event else Confidence.LIKELY,
            citations=(
                member.cite("ready", "false"),
                *((event_citation(event),) if event else ()),
                *((member.cite_spec("readinessProbe", asks),) if asks else ()),
            ),
            remedies=(
                read_log(member),
                edit(evidence, "Correct the probe if it asks the wrong port or path, or gives too little time."),
            ),
        )


def _is_started(member: Member) -> bool:
    begun = member.status.started if member.status else False
    return begun is True or (begun is None and member.spec.startup_probe is None)


def _overdue(evidence: Evidence, member: Member) -> bool:
    probe, runs = member.spec.readiness_probe, since_start(evidence, member)
    return probe is not None and runs is not None and runs > first_answer(probe)
