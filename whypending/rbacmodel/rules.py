"""One request against rules and bindings, as the API server judges it (plugin/pkg/auth/authorizer/rbac)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from whypending.objects.rbac import Binding, PolicyRule, Role, Subject
from whypending.objects.selectors import matches_selector

ALL = "*"
_ACCOUNT = "system:serviceaccount"


class Request(NamedTuple):
    """What is asked for. resource: with its subresource, `pods/binding`. namespace, name: empty = all of them."""

    verb: str
    group: str
    resource: str
    namespace: str = ""
    name: str = ""


class Who(NamedTuple):
    """A user and its groups."""

    user: str
    groups: tuple[str, ...] = ("system:authenticated",)


class Grant(NamedTuple):
    """A role that is bound to somebody. rules: None where the role could not be read. namespace: empty = everywhere."""

    rules: tuple[PolicyRule, ...] | None
    namespace: str = ""


def who(user: str) -> Who:
    """The user with the groups that the API server adds to a ServiceAccount's token."""
    parts = user.split(":")
    if len(parts) != 4 or not user.startswith(f"{_ACCOUNT}:"):  # noqa: PLR2004 - system, serviceaccount, namespace, name
        return Who(user)
    return Who(user, (f"{_ACCOUNT}s", f"{_ACCOUNT}s:{parts[2]}", "system:authenticated"))


def binds(binding: Binding, someone: Who) -> bool:
    """One of the binding's subjects is that user, or a group it is in."""
    return any(_is(subject, binding.namespace, someone) for subject in binding.subjects)


def _is(subject: Subject, namespace: str, someone: Who) -> bool:
    if subject.kind == "ServiceAccount":
        place = subject.namespace or namespace
        return bool(place) and someone.user == f"{_ACCOUNT}:{place}:{subject.name}"
    return subject.name in (someone.groups if subject.kind == "Group" else (someone.user,))


def allows(rule: PolicyRule, request: Request) -> bool:
    """The rule allows the request; a create has no name yet, so a rule with resourceNames never allows it."""
    name = "" if request.verb == "create" else request.name
    return (
        _has(rule.verbs, request.verb)
        and _has(rule.api_groups, request.group)
        and _has_resource(rule.resources, request.resource)
        and (not rule.resource_names or name in rule.resource_names)
    )


def _has(listed: tuple[str, ...], wanted: str) -> bool:
    return ALL in listed or wanted in listed


def _has_resource(listed: tuple[str, ...], wanted: str) -> bool:
    _, slash, sub = wanted.partition("/")
    return _has(listed, wanted) or (bool(slash) and f"{ALL}/{sub}" in listed)


def may(grants: Iterable[Grant], request: Request) -> bool | None:
    """Whether the request is allowed; None where only a role that could not be read would decide."""
    unknown = False
    for grant in grants:
        if grant.namespace not in {"", request.namespace}:
            continue
        if grant.rules is None:
            unknown = True
        elif any(allows(rule, request) for rule in grant.rules):
            return True
    return None if unknown else False


def rules_of(role: Role, others: Iterable[Role] = ()) -> tuple[PolicyRule, ...]:
    """Its rules; for an aggregating ClusterRole also those of each of `others` that it selects by label."""
    if role.aggregation_rule is None:
        return role.rules
    selectors = role.aggregation_rule.cluster_role_selectors
    chosen = (
        r for r in others if r.name != role.name and any(matches_selector(s, r.metadata.labels) for s in selectors)
    )
    return (*role.rules, *(rule for other in chosen for rule in other.rules))
