"""scheduler-rbac: the scheduler lacks RBAC for objects it must list/watch (or for creating events).

What it means
    The scheduler runs but the API server refuses what it has to read. Its caches never fill, so its loop never
    starts; if it may not create Events, it can't even say so.

How it is recognised
    Lines of the scheduler's log: `… is forbidden: User "…" cannot list resource "…" in API group "…"`.

What to do
    Add the missing verbs to the scheduler's ClusterRole: list, get and watch of each resource named, create of
    events in events.k8s.io.

Limits
    Only what the log names is known to be missing: the next refusal may show once this one is mended.

References
    The API server's RBAC refusal; the ClusterRole system:kube-scheduler of the cluster's own release
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_scheduler._logs import FORBIDDEN, cite, matching
from whypending.classifiers.words import names
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence, LogLine

CAUSE = Cause("WP105", "scheduler-rbac", Triage.NO_SCHEDULER)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Refusals in the scheduler's log, other than of its Lease, one finding a user."""
    by_user: dict[str, list[tuple[LogLine, dict[str, str]]]] = {}
    for line, match in matching(evidence, FORBIDDEN):
        if match["resource"] != "leases":
            by_user.setdefault(match["user"], []).append((line, match.groupdict()))
    for user, refusals in by_user.items():
        missing = list(dict.fromkeys(f"{r['verb']} {_resource(r)}" for _, r in refusals))
        yield CAUSE.finding(
            f"The scheduler may not {names(missing)}, so it cannot start its work: "
            f"{user.removeprefix('system:')} lacks those rights.",
            citations=[cite(line) for line, _ in refusals[:5]],
            remedies=_remedies(user, [r for _, r in refusals]),
        )


def _resource(refusal: dict[str, str]) -> str:
    return f"{refusal['resource']}.{refusal['group']}" if refusal["group"] else refusal["resource"]


def _remedies(user: str, refusals: list[dict[str, str]]) -> Iterator[Remedy]:
    for name in dict.fromkeys(_resource(r) for r in refusals):
        verbs = {r["verb"] for r in refusals if _resource(r) == name}
        wanted = sorted(verbs | ({"get", "list", "watch"} if verbs & {"list", "watch"} else set()))
        yield change(f"Add {', '.join(wanted)} of {name} to the ClusterRole that is bound to {user}.")
    first = refusals[0]
    check = f"kubectl auth can-i {quote(first['verb'])} {quote(_resource(first))} --as={quote(user)} -A"
    yield look("Check it as that user, and restart the scheduler if it does not recover by itself.", check)
