"""scheduler-lease-rbac: the scheduler may not read or write its lease (RBAC).

What it means
    The scheduler runs and waits for a Lease that it has no right to take, so it never leads and never schedules.

How it is recognised
    Lines of its log: `leases.coordination.k8s.io "…" is forbidden: User "…" cannot get (create, update) resource
    "leases"`, with no later line that it acquired the Lease. Proved where the user (or the log's name) is the
    scheduler's and the last line is fresh. Or, without a log: access reviews (--check-access), or all bindings to its
    ServiceAccount and their roles, do not allow it. The role system:kube-scheduler allows only the Lease called
    kube-scheduler.

What to do
    Give its user get, create and update of leases in coordination.k8s.io, for the Lease it is set to use.

Limits
    Needs the scheduler's log, or the roles: from outside such a scheduler looks healthy. Roles and bindings do not
    show what another authorizer (a webhook) allows; access reviews do.

References
    The API server's RBAC refusal; client-go leaderelection; ClusterRole system:kube-scheduler
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_scheduler import _rights
from whypending.classifiers.no_scheduler._logs import LEADS, Hit, cite, confidence, hits
from whypending.classifiers.no_scheduler._refusals import FORBIDDEN, NEEDS, User, named, users_of
from whypending.classifiers.no_scheduler._words import title
from whypending.classifiers.words import kubectl, names
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP104", "scheduler-lease-rbac", Triage.NO_SCHEDULER, refines=("default-scheduler-not-running",))
_ROLE = "scheduler-lease"


def classify(evidence: Evidence) -> Iterator[Finding]:
    """A refusal of leases in the scheduler's log, or rights that lack them."""
    pod = evidence.the_pod
    lacks = [_of_rights(pod.scheduler_name, lack) for lack in _rights.of_lease(evidence)] if pod else []
    yield from _rights.with_logged(lacks, _of_log(evidence))


def _of_rights(name: str, lack: _rights.Lack) -> Finding:
    first = lack.access[0]
    verbs = names([a.verb for a in lack.access])
    return CAUSE.finding(
        f"{title(name)} cannot become leader: {lack.user.name} may not {verbs} Lease {first.namespace}/{first.name}.",
        confidence=lack.confidence,
        citations=_rights.citations(lack),
        remedies=_remedies(lack.user, first.namespace, first.verb),
    )


def _of_log(evidence: Evidence) -> Iterator[Finding]:
    refusals = [h for h in hits(evidence, FORBIDDEN, LEADS, *NEEDS) if h.match["resource"] == "leases"]
    users = users_of(evidence, (h.match["user"] for h in refusals))
    mine = [(users[h.match["user"]], h) for h in refusals]
    mine = [(user, h) for user, h in mine if not user.is_foreign]
    pod = evidence.the_pod
    if pod is None or not mine:
        return
    user = mine[-1][0]
    found = [h for u, h in mine if u == user]
    verbs = list(dict.fromkeys(h.match["verb"] for h in found))
    yield CAUSE.finding(
        f"{title(pod.scheduler_name)} cannot become leader: {user.name} may not {names(verbs)} {_lease(found)}.",
        confidence=confidence(evidence, found, is_sure=user.is_own),
        citations=cite(found),
        remedies=_remedies(user, found[-1].match["namespace"] or "", found[-1].match["verb"]),
    )


def _lease(found: list[Hit]) -> str:
    match = found[-1].match
    name = named(match)
    return f"Lease {match['namespace']}/{name}" if name else "its Lease"


def _remedies(user: User, namespace: str, verb: str) -> Iterator[Remedy]:
    verbs = "--verb=get,create,update"
    role = kubectl(namespace, "create", "role", _ROLE, verbs, "--resource=leases.coordination.k8s.io")
    binding = f"{kubectl(namespace, 'create', 'rolebinding', _ROLE, f'--role={_ROLE}')} {user.subject}"
    yield change(f"Let {user.name} get, create and update the Lease.", f"{role} && {binding}" if namespace else "")
    check = user.can_i(verb, "leases.coordination.k8s.io", namespace=namespace)
    yield look("Check it as that user; it takes the Lease within seconds of the change.", check)
