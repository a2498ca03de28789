"""What all Kubernetes objects share: the base Struct, metadata and conditions.

Field names are the API's, in snake case. Only the fields that are read are named; decoding skips all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

import msgspec

Time = Annotated[datetime, msgspec.Meta(tz=True)]
"""A point in time with its zone; one without is malformed and dropped while decoding."""


class Base(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A frozen part of a Kubernetes object, decoded from and encoded to the API's camel case."""


class OwnerReference(Base, frozen=True):
    """`metadata.ownerReferences[]`."""

    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None


class ObjectMeta(Base, frozen=True):
    """`metadata` of any object; times are UTC."""

    name: str = ""
    namespace: str = ""
    uid: str = ""
    generate_name: str = ""
    resource_version: str = ""
    generation: int | None = None
    creation_timestamp: Time | None = None
    deletion_timestamp: Time | None = None
    deletion_grace_period_seconds: int | None = None
    labels: Mapping[str, str] = msgspec.field(default_factory=dict)
    annotations: Mapping[str, str] = msgspec.field(default_factory=dict)
    owner_references: tuple[OwnerReference, ...] = ()
    finalizers: tuple[str, ...] = ()

    @property
    def controller(self) -> OwnerReference | None:
        """The owner that manages this object, if any (`controller: true`)."""
        return next((o for o in self.owner_references if o.controller), None)


class Condition(Base, frozen=True):
    """`status.conditions[]` of any kind."""

    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""
    last_transition_time: Time | None = None
    last_probe_time: Time | None = None
    last_heartbeat_time: Time | None = None
    last_update_time: Time | None = None
    observed_generation: int | None = None


class KubeObject(Base, frozen=True):
    """An object of its own: metadata and what the kind adds."""

    api_version: str = ""
    kind: str = ""
    metadata: ObjectMeta = msgspec.field(default_factory=ObjectMeta)

    @property
    def name(self) -> str:
        """`metadata.name`."""
        return self.metadata.name

    @property
    def namespace(self) -> str:
        """`metadata.namespace`, empty for cluster-scoped objects."""
        return self.metadata.namespace

    @property
    def ref(self) -> str:
        """How a report names this object: `Pod prod/api-1`, `Node n1`."""
        path = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {path}"


def condition(conditions: tuple[Condition, ...], type_: str) -> Condition | None:
    """The condition of that type, or None where it was never written."""
    return next((c for c in conditions if c.type == type_), None)


class LabelSelectorRequirement(Base, frozen=True):
    """`matchExpressions[]`; `values` are compared as strings (and as integers by Gt and Lt)."""

    key: str = ""
    operator: str = ""
    values: tuple[str, ...] = ()


class LabelSelector(Base, frozen=True):
    """`metav1.LabelSelector`: both parts must match; empty matches all."""

    match_labels: Mapping[str, str] = msgspec.field(default_factory=dict)
    match_expressions: tuple[LabelSelectorRequirement, ...] = ()


class CustomObject(KubeObject, frozen=True):
    """A custom resource that is read field by field: `spec` and `status` as plain JSON values."""

    spec: Mapping[str, Any] = msgspec.field(default_factory=dict)
    status: Mapping[str, Any] = msgspec.field(default_factory=dict)
