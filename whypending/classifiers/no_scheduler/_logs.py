"""Whose log is whose, and what in it still holds; patterns of client-go's and kube-scheduler's own messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from whypending.diagnosis import Citation, Confidence
from whypending.evidence import Evidence, LogLine, seen
from whypending.inventory.found import Scheduler, schedulers_in, serving, works
from whypending.inventory.process import DEFAULT, KUBE_SCHEDULER
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

BEGUN = Pattern(
    r"ttempting to acquire leader lease|uccessfully acquired lease|Handlers synced|Sync completed"
    r"|Attempting to schedule pod|Successfully bound pod|Unable to schedule pod"
)
"""Its caches are full: kube-scheduler asks for its Lease only then (cmd/kube-scheduler/app/server.go: run)."""
LEADS = Pattern(r"uccessfully acquired lease|Attempting to schedule pod|Successfully bound pod|Unable to schedule pod")
STARTED = Pattern(r"Starting Kubernetes Scheduler|" + BEGUN.pattern)
_TIME = Pattern(r"\b[IWEF](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)")
_FOREIGN = Pattern(r"autoscaler|karpenter|controller|apiserver|kubelet|etcd|descheduler|extender|proxy", re.IGNORECASE)
_FRESH = timedelta(minutes=5)
"""A reflector tries again within a minute, leader election within seconds."""
_SHOWN = 300
_LOOKED_AT = 2_000
"""Characters of a line."""
_ALIKE = frozenset({"current.log", "previous.log", "logs.log"})


class Log(msgspec.Struct, frozen=True):
    """A log of the Pod's scheduler, as far as its name tells. is_sure: its name says so, and not only by default."""

    lines: tuple[LogLine, ...]
    is_sure: bool


class Hit(msgspec.Struct, frozen=True):
    """A line that matched and that no later line of the same log has made moot."""

    line: LogLine
    match: re.Match[str]
    is_sure: bool

    @property
    def citation(self) -> Citation:
        """The line as proof."""
        line = self.line
        return Citation(object=f"log {short(line.origin)}", field=f"line {line.number}", value=line.text.strip())


def short(origin: str) -> str:
    """A log's file name; with the Pod and container above it where bundles call every file alike, or in a cluster."""
    parts = origin.replace("\\", "/").split("/")
    if ".log" not in parts[-1]:
        return origin
    return "/".join(parts[-5:] if parts[-1] in _ALIKE else parts[-1:])


def hits(evidence: Evidence, pattern: Pattern, moot: Pattern, *needs: str) -> tuple[Hit, ...]:
    """Matching lines behind the last one that shows the trouble to be over (`moot`), log by log.

    needs: a match has one of these texts in it; logs are large, and this is fast to see.
    """
    return tuple(hit for log in logs_of(evidence) for hit in _kept(log, pattern, moot, needs))


def _kept(log: Log, pattern: Pattern, moot: Pattern, needs: tuple[str, ...]) -> list[Hit]:
    kept: list[Hit] = []
    for line in log.lines:
        may = any(text in line.text for text in needs)
        if may and (match := pattern.search(line.text, 0, _LOOKED_AT)):
            kept.append(Hit(line, match, log.is_sure))
        elif kept and moot.search(line.text, 0, _LOOKED_AT):
            kept.clear()
    return kept


def logs_of(evidence: Evidence) -> tuple[Log, ...]:
    """Logs that are, or may be, of the scheduler that the Pod waits for."""
    pod = evidence.the_pod
    if pod is None or not seen(evidence.logs):
        return ()
    by_origin: dict[str, list[LogLine]] = {}
    for line in seen(evidence.logs):
        by_origin.setdefault(line.origin, []).append(line)
    mine = serving(evidence, pod.scheduler_name)
    others = [s for s in schedulers_in(evidence) if s not in mine]
    judged = ((lines, _is_mine(origin, pod, mine, others)) for origin, lines in by_origin.items())
    return tuple(Log(tuple(lines), is_mine) for lines, is_mine in judged if is_mine is not None)


def _is_mine(origin: str, pod: Pod, mine: Iterable[Scheduler], others: Iterable[Scheduler]) -> bool | None:
    """True: by its name. False: nothing speaks against it. None: somebody else's."""
    parts = re.split(r"[/\\:!]", origin)
    if _names(parts, mine):
        return True
    if _names(parts, others):
        return None
    name = parts[-1].lower()
    if KUBE_SCHEDULER in name:
        return True if pod.scheduler_name == DEFAULT else None
    return None if _FOREIGN.search(name) else False


def _names(parts: list[str], schedulers: Iterable[Scheduler]) -> bool:
    """A part of the path is a Pod of these, or the last part begins with the name of one of their workloads."""
    names = {n for s in schedulers for n in (s.owner.name, *(p.name for p in s.pods)) if n}
    stem = parts[-1].removesuffix(".log")
    return any(p in names for p in parts[:-1]) or any(stem == n or stem.startswith((f"{n}-", f"{n}_")) for n in names)


def confidence(evidence: Evidence, found: Iterable[Hit], *, is_sure: bool = False) -> Confidence:
    """PROVED where the log is this scheduler's and said so within five minutes; `is_sure` knows whose by the text."""
    listed = tuple(found)
    recent = any(_is_recent(hit.line, evidence.now) for hit in listed)
    mine = is_sure or (bool(listed) and all(hit.is_sure for hit in listed))
    return Confidence.PROVED if recent and mine and not works(evidence) else Confidence.LIKELY


def cite(found: Iterable[Hit], most: int = 3) -> Iterator[Citation]:
    """The newest of each text, at most so many."""
    by_text = {_TIME.sub("", hit.line.text)[-_SHOWN:]: hit for hit in found}
    for hit in list(by_text.values())[-most:]:
        yield hit.citation


def _is_recent(line: LogLine, now: datetime) -> bool:
    at = time_of(line, now)
    return at is not None and abs(now - at) < _FRESH


def time_of(line: LogLine, now: datetime) -> datetime | None:
    """Klog's own time, which has no year and (in containers) is UTC."""
    match = _TIME.search(line.text, 0, 200)
    if match is None:
        return None
    month, day, hour, minute, second = (int(x) for x in match.groups())
    try:
        return datetime(now.year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
