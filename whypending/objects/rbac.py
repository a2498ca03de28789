"""Role, ClusterRole, RoleBinding and ClusterRoleBinding (rbac.authorization.k8s.io/v1), as far as rights follow."""

from __future__ import annotations

import msgspec

from whypending.objects.base import Base, KubeObject, LabelSelector


class PolicyRule(Base, frozen=True):
    """`rules[]`: what is allowed; `*` stands for all, no resourceNames for every name."""

    verbs: tuple[str, ...] = ()
    api_groups: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    resource_names: tuple[str, ...] = ()


class AggregationRule(Base, frozen=True):
    """`aggregationRule` of a ClusterRole: a controller writes the rules of all that match into it."""

    cluster_role_selectors: tuple[LabelSelector, ...] = ()


class Role(KubeObject, frozen=True):
    """A Role, or a ClusterRole (which has no namespace)."""

    kind: str = "Role"
    rules: tuple[PolicyRule, ...] = ()
    aggregation_rule: AggregationRule | None = None


class RoleRef(Base, frozen=True):
    """`roleRef` of a binding."""

    kind: str = ""
    name: str = ""


class Subject(Base, frozen=True):
    """`subjects[]`: a User, a Group or a ServiceAccount; only the last has a namespace."""

    kind: str = ""
    name: str = ""
    namespace: str = ""


class Binding(KubeObject, frozen=True):
    """A RoleBinding, or a ClusterRoleBinding (which has no namespace)."""

    kind: str = "RoleBinding"
    role_ref: RoleRef = msgspec.field(default_factory=RoleRef)
    subjects: tuple[Subject, ...] = ()
