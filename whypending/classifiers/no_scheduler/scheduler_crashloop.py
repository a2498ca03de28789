"""scheduler-crashloop: the scheduler process starts and dies again and again.

What it means
    The scheduler that should serve the Pod ends soon after each start, so nobody schedules its Pods for long.

How it is recognised
    The scheduler's container is in CrashLoopBackOff in a Pod of that scheduler: proved where it is known to serve the
    name and none of its Pods is Ready. Likely where a container was restarted three times and ended within the last
    ten minutes, where it is only called so, or where its log shows it end more than once (`"command failed"`, a panic,
    "leaderelection lost").

What to do
    Read the log of the run before: it says why the process ended.

Limits
    Needs the scheduler's Pods or log; a managed control plane shows neither.

References
    Pod status.containerStatuses[].state.waiting.reason CrashLoopBackOff (kubelet); component-base cli.Run; klog
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._logs import Hit, cite, hits, short
from whypending.classifiers.no_scheduler._words import title
from whypending.classifiers.words import field_citation, kubectl, names, plural
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.inventory.found import Scheduler, serving, works
from whypending.inventory.process import schedulers_of
from whypending.objects.pod import ContainerStatus, Pod
from whypending.patterns import Pattern

CAUSE = Cause(
    "WP108",
    "scheduler-crashloop",
    Triage.NO_SCHEDULER,
    refines=("default-scheduler-not-running",),
    explained_by=("scheduler-config-version-removed", "scheduler-auth-failed"),
)
ENDED = Pattern(
    r'"command failed" err=(?P<why>.{1,300})|\bF\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ (?P<fatal>.{1,300})'
    r"|^panic: (?P<panic>.{1,300})|(?P<lost>[Ll]eaderelection lost)"
)
_NEVER = Pattern(r"(?!)")
_OFTEN = 3
_LATELY = timedelta(minutes=10)
_SHOWN = 200


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A Pod of the scheduler that crashes; where there is none, a log that ends more than once."""
    pod = evidence.the_pod
    name = pod.scheduler_name if pod else ""
    found = [f for s in (serving(evidence, name) if pod else ()) for f in _of_pods(evidence, s)]
    yield from found or _of_log(evidence, name)


def _of_pods(evidence: Evidence, scheduler: Scheduler) -> Iterator[Finding]:
    mine = {c.name for c in schedulers_of(scheduler.template)}
    for process in scheduler.pods:
        for status in process.status.container_statuses:
            waits = status.state.waiting is not None and status.state.waiting.reason == "CrashLoopBackOff"
            if waits or _ended_lately(evidence, status):
                sure = waits and status.name in mine and scheduler.names is not None and scheduler.is_up is False
                sure = sure and not works(evidence)
                yield _finding(evidence, process, status, Confidence.PROVED if sure else Confidence.LIKELY)


def _ended_lately(evidence: Evidence, status: ContainerStatus) -> bool:
    ended = status.state.terminated or status.last_state.terminated
    at = ended.finished_at if ended else None
    return status.restart_count >= _OFTEN and at is not None and evidence.now - at < _LATELY


def _finding(evidence: Evidence, process: Pod, status: ContainerStatus, confidence: Confidence) -> Finding:
    ended = status.last_state.terminated or status.state.terminated
    why = f", last with exit code {ended.exit_code}" if ended else ""
    words = ended.message.strip().splitlines() if ended else []
    logged = hits(evidence, ENDED, _NEVER, "command failed", "panic: ", "F", "eaderelection lost")[-1:]
    last = _last_words(words[-1]) if words else "".join(_reason(h) for h in logged)
    said = f" ({last})" if last else ""
    path = f"status.containerStatuses[name={status.name}]"
    state = [field_citation(process, f"{path}.state.waiting.reason", w.reason) for w in [status.state.waiting] if w]
    return CAUSE.finding(
        f"The scheduler's {process.ref} crashes again and again: {plural(status.restart_count, 'restart')}{why}{said}.",
        confidence=confidence,
        citations=[
            *state,
            field_citation(process, f"{path}.restartCount", status.restart_count, ended.finished_at if ended else None),
            *cite(() if words else logged),
        ],
        remedies=[
            look(
                "Read why it ended the last time.",
                kubectl(process.namespace, "logs", process.name, "-c", status.name, "--previous", "--tail=50"),
            )
        ],
    )


def _of_log(evidence: Evidence, name: str) -> Iterator[Finding]:
    """At least two ends in one log: `leaderelection lost` and the fatal line after it count once."""
    found = [
        h
        for h in hits(evidence, ENDED, _NEVER, "command failed", "panic: ", "F", "eaderelection lost")
        if not h.match["lost"]
    ]
    origins = names(sorted({short(h.line.origin) for h in found}))
    if len(found) < 2:  # noqa: PLR2004 - once is no loop
        return
    yield CAUSE.finding(
        f"{title(name)} ends soon after each start, {plural(len(found), 'time')} in its log: {_reason(found[-1])}.",
        confidence=Confidence.LIKELY,
        citations=cite(found),
        remedies=[look(f"Read in {origins} why it ends, from its last start on.")],
    )


def _reason(hit: Hit) -> str:
    return _last_words(next(group for group in hit.match.groups() if group))


def _last_words(text: str) -> str:
    return " ".join(text.replace('\\"', '"').split())[:_SHOWN].strip(" .'").removeprefix('"').removesuffix('"')
