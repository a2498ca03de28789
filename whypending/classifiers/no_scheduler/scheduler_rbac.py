"""scheduler-rbac: the scheduler lacks RBAC for objects it must list/watch (or for creating events).

What it means
    The scheduler runs but the API server refuses what it has to read. Its caches never fill, so its loop never
    starts; if it may not create Events or write conditions, it can't even say so.

How it is recognised
    Lines of its log: `… is forbidden: User "…" cannot list resource "…" in API group "…"`, with no later line that
    shows it at work. Proved where the user (or the log's name) is the scheduler's and the last line is fresh. Or,
    without a log: access reviews (--check-access), or all bindings to its ServiceAccount and their roles, lack a list
    that every kube-scheduler begins with.

What to do
    Add the missing verbs to the ClusterRole bound to its ServiceAccount: list, get and watch of each resource named,
    create of events in events.k8s.io.

Limits
    Where only the log tells, the next refusal may show once this one is mended. A freshly started control plane
    refuses for some seconds until its roles are there. Roles and bindings do not show what another authorizer (a
    webhook) allows; access reviews do.

References
    The API server's RBAC refusal (pkg/endpoints/handlers/responsewriters); ClusterRole system:kube-scheduler
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_scheduler import _rights
from whypending.classifiers.no_scheduler._logs import BEGUN, Hit, cite, confidence, hits
from whypending.classifiers.no_scheduler._refusals import FORBIDDEN, NEEDS, OPTIONAL, User, named, users_of
from whypending.classifiers.no_scheduler._words import title
from whypending.classifiers.words import names
from whypending.diagnosis import Finding, Remedy, Role, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP105", "scheduler-rbac", Triage.NO_SCHEDULER, refines=("default-scheduler-not-running",))
_READS = frozenset({"list", "watch", "get"})
_SHOWN = 5
_CHECK = "Check it as that user, and restart the scheduler if it does not recover by itself."


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Refusals in the scheduler's log, or rights that lack what it lists; other than of its Lease."""
    pod = evidence.the_pod
    lacks = [_of_rights(pod.scheduler_name, lack) for lack in _rights.of_lists(evidence)] if pod else []
    yield from _rights.with_logged(lacks, _of_log(evidence))


def _of_rights(name: str, lack: _rights.Lack) -> Finding:
    first, user = lack.access[0], lack.user
    told = f"may not {_rights.words(lack.access)}, so it cannot start its work"
    resources = names([_rights.resource_of(a) for a in lack.access], _SHOWN)
    remedy = f"Give it get, list and watch of {resources}: a ClusterRole that is bound to {user.name}."
    return CAUSE.finding(
        f"{title(name)} {told}: {user.name} lacks those rights.",
        confidence=lack.confidence,
        citations=_rights.citations(lack, _SHOWN),
        remedies=(change(remedy, _bind(user)), look(_CHECK, user.can_i(first.verb, _rights.resource_of(first)))),
    )


def _bind(user: User) -> str:
    """Both of the roles that Kubernetes has for its own scheduler."""
    own = user.account[1] if user.account else "scheduler"
    return " && ".join(
        f"kubectl create clusterrolebinding {quote(f'{own}-{role}')} --clusterrole=system:{role} {user.subject}"
        for role in ("kube-scheduler", "volume-scheduler")
    )


def _of_log(evidence: Evidence) -> Iterator[Finding]:
    """One finding a user."""
    by_user: dict[User, list[Hit]] = {}
    refusals = hits(evidence, FORBIDDEN, BEGUN, *NEEDS)
    users = users_of(evidence, (hit.match["user"] for hit in refusals))
    for hit in refusals:
        user = users[hit.match["user"]]
        if hit.match["resource"] != "leases" and named(hit.match) != OPTIONAL and not user.is_foreign:
            by_user.setdefault(user, []).append(hit)
    for user, mine in by_user.items():
        yield _finding(evidence, user, mine)


def _finding(evidence: Evidence, user: User, refusals: list[Hit]) -> Finding:
    pod = evidence.the_pod
    who = title(pod.scheduler_name if pod else "")
    missing = _missing(refusals)
    reads = any(h.match["verb"] in _READS for h in refusals)
    so = "so it cannot start its work" if reads else "so it cannot tell what it decides"
    return CAUSE.finding(
        f"{who} may not {missing}, {so}: {user.name} lacks those rights.",
        confidence=confidence(evidence, refusals, is_sure=user.is_own),
        role=Role.CAUSE if reads else Role.CONTRIBUTING,
        citations=cite(refusals, _SHOWN),
        remedies=_remedies(user, refusals),
    )


def _missing(refusals: list[Hit]) -> str:
    """`list csinodes.storage.k8s.io and nodes, and create events`."""
    by_verb: dict[str, list[str]] = {}
    for hit in refusals:
        by_verb.setdefault(hit.match["verb"], []).append(_resource(hit))
    return ", and ".join(f"{verb} {names(resources)}" for verb, resources in by_verb.items())


def _resource(hit: Hit) -> str:
    group = hit.match["group"]
    resource, _, sub = hit.match["resource"].partition("/")
    return f"{resource}.{group}{'/' if sub else ''}{sub}" if group else hit.match["resource"]


def _remedies(user: User, refusals: list[Hit]) -> Iterator[Remedy]:
    for name in list(dict.fromkeys(_resource(h) for h in refusals))[:_SHOWN]:
        verbs = {h.match["verb"] for h in refusals if _resource(h) == name}
        wanted = sorted(verbs | ({"get", "list", "watch"} if verbs & _READS else set()))
        yield change(f"Add {', '.join(wanted)} of {name} to a ClusterRole that is bound to {user.name}.")
    first = refusals[0]
    resource, _, sub = _resource(first).partition("/")
    yield look(
        _CHECK,
        user.can_i(first.match["verb"], resource, subresource=sub, namespace=first.match["namespace"] or ""),
    )
