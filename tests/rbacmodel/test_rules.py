"""RBAC as the API server judges it: wildcards, names, groups, namespaces, aggregation."""

from __future__ import annotations

import pytest

from whypending.objects.base import LabelSelector, ObjectMeta
from whypending.objects.rbac import AggregationRule, Binding, PolicyRule, Role, Subject
from whypending.rbacmodel.rules import Grant, Request, Who, allows, binds, may, rules_of, who

USER = "system:serviceaccount:infra:second"
LEASE = Request("update", "coordination.k8s.io", "leases", "kube-system", "second")


def rule(verbs: str, groups: str, resources: str, names: str = "") -> PolicyRule:
    split = [tuple(x.split(",")) if x else () for x in (verbs, groups, resources, names)]
    return PolicyRule(verbs=split[0], api_groups=split[1] or ("",), resources=split[2], resource_names=split[3])


@pytest.mark.parametrize(
    ("given", "request_", "allowed"),
    [
        (rule("get,update", "coordination.k8s.io", "leases"), LEASE, True),
        (rule("*", "*", "*"), LEASE, True),
        (rule("update", "coordination.k8s.io", "leases", "second"), LEASE, True),
        (rule("update", "coordination.k8s.io", "leases", "kube-scheduler"), LEASE, False),
        (rule("create", "coordination.k8s.io", "leases", "second"), LEASE._replace(verb="create"), False),
        (rule("create", "coordination.k8s.io", "leases"), LEASE._replace(verb="create"), True),
        (rule("get", "coordination.k8s.io", "leases"), LEASE, False),
        (rule("update", "apps", "leases"), LEASE, False),
        (rule("list", "", "pods"), Request("list", "", "pods"), True),
        (rule("list", "", "pods", "web"), Request("list", "", "pods"), False),
        (rule("create", "", "pods"), Request("create", "", "pods/binding"), False),
        (rule("create", "", "pods/binding"), Request("create", "", "pods/binding"), True),
        (rule("create", "", "*/binding"), Request("create", "", "pods/binding"), True),
        (rule("create", "", "*/binding"), Request("create", "", "bindings"), False),
        (rule("create", "", "*"), Request("create", "", "pods/binding"), True),
        (PolicyRule(), LEASE, False),
    ],
)
def test_a_rule(given: PolicyRule, request_: Request, allowed: bool) -> None:
    assert allows(given, request_) is allowed


@pytest.mark.parametrize(
    ("subject", "namespace", "bound"),
    [
        (Subject(kind="ServiceAccount", name="second", namespace="infra"), "", True),
        (Subject(kind="ServiceAccount", name="second", namespace="other"), "", False),
        (Subject(kind="ServiceAccount", name="second"), "infra", True),
        (Subject(kind="ServiceAccount", name="second"), "", False),
        (Subject(kind="User", name=USER), "", True),
        (Subject(kind="User", name="second"), "", False),
        (Subject(kind="Group", name="system:serviceaccounts"), "", True),
        (Subject(kind="Group", name="system:serviceaccounts:infra"), "", True),
        (Subject(kind="Group", name="system:serviceaccounts:other"), "", False),
        (Subject(kind="Group", name="system:authenticated"), "", True),
        (Subject(kind="Group", name=USER), "", False),
    ],
)
def test_a_subject(subject: Subject, namespace: str, bound: bool) -> None:
    binding = Binding(metadata=ObjectMeta(name="b", namespace=namespace), subjects=(subject,))
    assert binds(binding, who(USER)) is bound


def test_any_other_user_is_authenticated_and_no_more() -> None:
    plain = ("system:kube-scheduler", "system:serviceaccount:infra", "x:serviceaccount:infra:second")
    assert [who(name) for name in plain] == [Who(name, ("system:authenticated",)) for name in plain]


ALLOWING = (rule("*", "*", "*"),)


@pytest.mark.parametrize(
    ("grants", "allowed"),
    [
        ((), False),
        ((Grant(()),), False),
        ((Grant(None),), None),
        ((Grant(None), Grant(ALLOWING)), True),
        ((Grant(ALLOWING, "kube-system"),), True),
        ((Grant(ALLOWING, "infra"),), False),
        ((Grant(None, "infra"),), False),
    ],
)
def test_what_all_grants_together_say(grants: tuple[Grant, ...], allowed: bool | None) -> None:
    assert may(grants, LEASE) is allowed


def test_what_is_granted_in_a_namespace_is_not_granted_everywhere() -> None:
    assert may((Grant(ALLOWING, "kube-system"),), Request("list", "", "pods")) is False


def test_an_aggregating_role_has_the_rules_of_those_it_selects() -> None:
    selects = AggregationRule(cluster_role_selectors=(LabelSelector(match_labels={"to": "edit"}),))
    edit = Role(metadata=ObjectMeta(name="edit", labels={"to": "edit"}), aggregation_rule=selects)
    mine = Role(metadata=ObjectMeta(name="mine", labels={"to": "edit"}), rules=(rule("get", "", "pods"),))
    other = Role(metadata=ObjectMeta(name="other"), rules=ALLOWING)
    assert rules_of(edit, (edit, mine, other)) == mine.rules
    assert rules_of(mine, (other,)) == mine.rules
