"""Logs of the schedulers that should serve the Pod: from the cluster, a bounded end of each, or from files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any

import msgspec

from whypending.collectors import schedulers
from whypending.collectors.wish import Wish
from whypending.evidence import Evidence, Gap, GapReason, Known, LogLine, seen
from whypending.inventory.found import serving
from whypending.inventory.process import schedulers_of
from whypending.objects.pod import Pod
from whypending.scheduler_logs import lines_of
from whypending.sources.base import LogQuery, Source
from whypending.triage import was_refused

_DECIDES = "why a scheduler that runs does not take the Pod up"
_MOST = 6
"""Containers whose logs are read; the newest Pods first."""
_LINES = 2_000
_QUIET_LINES = 200
"""Of a log that says nothing within the window: a scheduler that waits says so once, when it begins to."""

_NO_LOG = Gap(
    what="the log of a scheduler",
    reason=GapReason.NOT_GIVEN,
    would_decide="why one that runs does not take the Pod up",
    grant="save it beside the objects as a *.log file and read them with --from",
)


def of_schedulers(source: Source, evidence: Evidence, wish: Wish) -> dict[str, Any]:
    """Those of the Pods that serve, or should serve, its schedulerName, beside what log files say."""
    given = source.log_lines()
    entries = [*_entries(seen(given), evidence)]
    known = _of_pods(source, evidence, wish, {line.origin for line in entries})
    entries += [line for lines in known for line in seen(lines)]
    gap = next((k for k in known if isinstance(k, Gap) and k.reason is not GapReason.NOT_IN_SNAPSHOT), None)
    if entries or not isinstance(given, Gap) or (known and not any(isinstance(k, Gap) for k in known)):
        return {"logs": tuple(entries), "partly": (gap,) if gap else ()}
    asked = evidence.the_pod
    if gap is None and asked is not None and was_refused(asked, evidence):
        return {}
    return {"logs": gap or _NO_LOG}


def of_refusal(source: Source, evidence: Evidence, wish: Wish) -> dict[str, Any]:
    """For a Pod that a scheduler could not finish with (SchedulerError, an extender): what it logged of that.

    To any other refusal a log adds too little to be missed: only files are looked at.
    """
    if _needs_more(evidence):
        found = msgspec.structs.replace(evidence, **schedulers.processes(source, evidence))
        return of_schedulers(source, found, wish)
    given = source.log_lines()
    return {} if isinstance(given, Gap) else {"logs": tuple(_entries(given, evidence))}


def _needs_more(evidence: Evidence) -> bool:
    pod = evidence.the_pod
    scheduled = pod.condition("PodScheduled") if pod else None
    return scheduled is not None and (scheduled.reason == "SchedulerError" or "extender" in scheduled.message)


def _entries(given: tuple[LogLine, ...], evidence: Evidence) -> Iterator[LogLine]:
    """Lines of files with their times, log by log."""
    for origin, lines in groupby(given, key=lambda line: line.origin):
        listed = list(lines)
        texts = {line.number: line.text for line in listed}
        first = listed[0].number
        raw = (texts.get(number, "") for number in range(first, listed[-1].number + 1))
        yield from lines_of(raw, origin, evidence.now, first=first)


def _of_pods(source: Source, evidence: Evidence, wish: Wish, origins: set[str]) -> list[Known[LogLine]]:
    """One answer a container: the run before its last restart, then the current one."""
    asked = evidence.the_pod
    found = serving(evidence, asked.scheduler_name) if asked else ()
    pods = {(p.namespace, p.name): p for s in found for p in s.pods}.values()
    newest = sorted(
        pods, key=lambda p: -p.metadata.creation_timestamp.timestamp() if p.metadata.creation_timestamp else 0
    )
    wanted = [
        (pod, container.name)
        for pod in newest
        if not any(_is_of(pod, origin) for origin in origins)
        for container in schedulers_of(pod.spec)
    ]
    return source.gather([partial(_of_container, source, p, name, evidence, wish) for p, name in wanted[:_MOST]])


def _is_of(pod: Pod, origin: str) -> bool:
    """A file's path names the Pod: its log was read from there."""
    return re.search(rf"(?<![\w-]){re.escape(pod.name)}(?![a-z0-9])", origin) is not None


def _of_container(source: Source, pod: Pod, container: str, evidence: Evidence, wish: Wish) -> Known[LogLine]:
    query = LogQuery(
        namespace=pod.namespace, pod=pod.name, container=container, tail_lines=_LINES,
        since_seconds=max(1, round(wish.log_window)), would_decide=_DECIDES,
    )  # fmt: skip
    restarts = next((s.restart_count for s in pod.status.container_statuses if s.name == container), 0)
    before = source.log(msgspec.structs.replace(query, previous=True)) if restarts else ()
    now = source.log(query)
    if now == ():
        now = source.log(msgspec.structs.replace(query, since_seconds=None, tail_lines=_QUIET_LINES))
    if isinstance(now, Gap):
        return now
    told = partial(lines_of, origin=f"{pod.namespace}/{pod.name}/{container}", now=evidence.now, pod=_path(pod))
    return (*told(seen(before), previous=True), *told(now))


def _path(pod: Pod) -> str:
    return f"{pod.namespace}/{pod.name}"
