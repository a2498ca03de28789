"""scheduler-informer-not-synced: the scheduler's caches never sync, so its loop never starts.

What it means
    Before its first decision a scheduler lists everything it needs. If one of those lists never succeeds it waits
    for ever, alive and idle.

How it is recognised
    Its log says "Failed to list …" or "Failed to watch …" (or that caches did not sync), no later line shows it at
    work, and the Pod was never judged. "Waiting for caches to sync" alone is a normal start.

What to do
    Mend what the log gives as the reason of the failed list: rights, an API the server does not have, the network.

Limits
    Needs the scheduler's log. /healthz stays ok in this state, only /readyz fails.

References
    client-go reflector and informer messages; kube-scheduler /readyz
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_scheduler._logs import BEGUN, cite, hits
from whypending.classifiers.no_scheduler._refusals import FORBIDDEN, OPTIONAL, named, user_of
from whypending.classifiers.no_scheduler._words import title
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

CAUSE = Cause(
    "WP109",
    "scheduler-informer-not-synced",
    Triage.NO_SCHEDULER,
    refines=("default-scheduler-not-running",),
    explained_by=("scheduler-rbac", "scheduler-auth-failed", "scheduler-version-skew"),
)
NOT_SYNCED = Pattern(
    r"[Ff]ailed to (?:list|watch)\b|Unable to sync caches|caches? (?:did not|failed to) sync"
    r"|timed out waiting for caches|handlers are not fully synchronized"
)
_REASON = Pattern(r"[Ff]ailed to (?:list|watch) \*?[\w.]{1,100}: (?!failed to).{1,250}")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Lists that fail, in the scheduler's log."""
    found = [
        h
        for h in hits(evidence, NOT_SYNCED, BEGUN, "ailed to ", "cache", "handlers are")
        if not _is_foreign(evidence, h.line.text)
    ]
    pod = evidence.the_pod
    if pod is None or not found:
        return
    reason = _REASON.search(found[-1].line.text)
    why = f" ({_plain(reason[0])})" if reason else ""
    yield CAUSE.finding(
        f"{title(pod.scheduler_name)} has not begun its work: a list that it needs first does not succeed{why}.",
        confidence=Confidence.LIKELY,
        citations=cite(found),
        remedies=[look("Mend what the log names as the reason of the failed list, then restart the scheduler.")],
    )


def _plain(text: str) -> str:
    """What client-go says, without the fields that klog puts behind it."""
    told = text.replace('\\"', "'").partition('"')[0]
    return " ".join(told.split()).rstrip(" .'")


def _is_foreign(evidence: Evidence, text: str) -> bool:
    refusal = FORBIDDEN.search(text)
    return refusal is not None and (named(refusal) == OPTIONAL or user_of(evidence, refusal["user"]).is_foreign)
