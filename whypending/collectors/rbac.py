"""What the schedulers that should serve the Pod may do: asked of the API server, or judged from roles and bindings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import msgspec

from whypending.collectors.wish import Wish
from whypending.evidence import NOT_READ, Access, Evidence, Gap, GapReason, Known, seen
from whypending.inventory.found import serving, works
from whypending.objects.kinds import CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS, ROLES, Kind
from whypending.objects.rbac import Binding, PolicyRule, Role, RoleRef
from whypending.rbacmodel.rules import Grant, Request, binds, may, rules_of, who
from whypending.rbacmodel.scheduler import needs_of, subject_of
from whypending.sources.base import Query, Review, Source

REVIEW, ROLES_SAY = "SubjectAccessReview", "roles and bindings"
_DECIDES = "whether the scheduler may do what it needs"
_SAVE = "add `kubectl get clusterrolebindings,rolebindings,clusterroles,roles -A -o yaml` to --from"
Needs = Mapping[str, tuple[Request, ...]]
Rules = tuple[PolicyRule, ...] | None


def of_schedulers(source: Source, evidence: Evidence, wish: Wish) -> dict[str, Any]:
    """For each scheduler that runs, serves the Pod's schedulerName and has bound nothing since the Pod was made."""
    needs = _needs(evidence)
    if not needs:
        return {}
    reviewed = _reviewed(source, needs) if wish.check_access or source.kind == "files" else NOT_READ
    if not isinstance(reviewed, Gap):
        return {"access": reviewed}
    judged, gaps = _judged(source, needs)
    partly = [g for g in (reviewed, *gaps) if g.reason is not GapReason.NOT_READ and g is not judged]
    return {"access": judged, "partly": tuple(partly)}


def _needs(evidence: Evidence) -> Needs:
    """What each user needs; a user that is not known is left out."""
    pod = evidence.the_pod
    if pod is None or works(evidence):
        return {}
    found = [s for s in serving(evidence, pod.scheduler_name) if s.is_up is not False]
    users = {subject_of(s): tuple(needs_of(s, evidence.server_version)) for s in found}
    return {user: needs for user, needs in users.items() if user}


def _reviewed(source: Source, needs: Needs) -> Known[Access]:
    """The API server's own answers; a Gap where the first, or another, is refused."""
    reviews = [(user, request) for user, requests in needs.items() for request in requests]
    first = source.review(_review(*reviews[0]))
    if isinstance(first, Gap):
        return first
    rest = source.gather([partial(source.review, _review(*each)) for each in reviews[1:]])
    gap = next((known for known in rest if isinstance(known, Gap)), None)
    if gap is not None:
        return gap
    answers = (first[0], *(known[0] for known in rest))
    return tuple(_access(*each, allowed, REVIEW) for each, allowed in zip(reviews, answers, strict=True))


def _review(user: str, request: Request) -> Review:
    return Review(user=user, groups=who(user).groups, **request._asdict())


def _access(user: str, request: Request, allowed: bool | None, how: str) -> Access:
    return Access(subject=user, **request._asdict(), allowed=allowed, how=how)


def _judged(source: Source, needs: Needs) -> tuple[Known[Access], list[Gap]]:
    """From all ClusterRoleBindings, and the RoleBindings where the Leases are; with what could not be read of these."""
    places = sorted({r.namespace for requests in needs.values() for r in requests if r.namespace})
    every, *local = source.gather([
        partial(_bindings, source, CLUSTER_ROLE_BINDINGS, ""),
        *(partial(_bindings, source, ROLE_BINDINGS, place) for place in places),
    ])  # fmt: skip
    if isinstance(every, Gap):
        return every, []
    bindings = (*every, *(b for known in local for b in seen(known)))
    mine = {user: tuple(b for b in bindings if binds(b, who(user))) for user in needs}
    roles = _roles(source, {_role_of(b) for found in mine.values() for b in found})
    hidden = [Grant(None, place) for place, known in zip(places, local, strict=True) if isinstance(known, Gap)]
    access = []
    for user, requests in needs.items():
        grants = [*hidden, *(Grant(roles[_role_of(b)], b.namespace) for b in mine[user])]
        access += [_access(user, request, may(grants, request), ROLES_SAY) for request in requests]
    return tuple(access), [known for known in local if isinstance(known, Gap)]


def _bindings(source: Source, kind: Kind[Binding], namespace: str) -> Known[Binding]:
    """All of them. Files may hold a few only: what is not bound there is not known to be bound nowhere."""
    known = source.read(Query(kind=kind, namespace=namespace, would_decide=_DECIDES))
    if source.kind != "files" or (isinstance(known, Gap) and known.reason is not GapReason.NOT_IN_SNAPSHOT):
        return known
    whole = source.read(Query(kind=kind, namespace=namespace, name="no-such-binding", would_decide=_DECIDES))
    return msgspec.structs.replace(whole, what=f"{kind.kind} objects", grant=_SAVE) if isinstance(whole, Gap) else known


def _role_of(binding: Binding) -> tuple[str, RoleRef]:
    """Its roleRef, and the namespace that a Role is in."""
    return (binding.namespace if binding.role_ref.kind == "Role" else "", binding.role_ref)


def _roles(source: Source, wanted: Iterable[tuple[str, RoleRef]]) -> dict[tuple[str, RoleRef], Rules]:
    """The rules of each: none where there is no such role, None where it could not be read."""
    listed = sorted(wanted, key=lambda each: (each[0], each[1].name))
    queries = [
        Query(kind=ROLES if place else CLUSTER_ROLES, namespace=place, name=ref.name, would_decide=_DECIDES)
        for place, ref in listed
    ]
    known = source.gather([partial(source.read, query) for query in queries])
    return {each: _rules(source, role) for each, role in zip(listed, known, strict=True)}


def _rules(source: Source, known: Known[Role]) -> Rules:
    if isinstance(known, Gap):
        return None
    if not known:
        return ()
    role = known[0]
    if role.aggregation_rule is None or role.rules:
        return role.rules
    others = source.read(Query(kind=CLUSTER_ROLES, would_decide=_DECIDES))
    return None if isinstance(others, Gap) else rules_of(role, others)
