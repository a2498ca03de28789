"""Which Pods are in the same trouble for the same reason, so that one answer is true of all of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from hashlib import blake2b

import msgspec

from whypending.objects.base import ObjectMeta
from whypending.objects.container import Container
from whypending.objects.pod import ContainerStatus, Pod

_TOKEN = "kube-api-access-"  # noqa: S105 (the name of the volume that holds a ServiceAccount's token: random in its end)


def likeness(pod: Pod) -> Hashable:
    """Equal for Pods that differ in name, age and times alone.

    Same namespace, owners, labels, spec (Node, schedulerName, gates, claims and all), conditions and container states.
    """
    status = pod.status
    return (
        pod.namespace,
        tuple((o.kind, o.name, o.uid) for o in pod.metadata.owner_references),
        _marks(pod.metadata),
        _spec(pod),
        (status.phase, status.reason, _plain(status.message, pod), status.nominated_node_name),
        tuple((c.type, c.status, c.reason, _plain(c.message, pod)) for c in status.conditions),
        tuple(_state(s, pod) for s in (*status.init_container_statuses, *status.container_statuses)),
        pod.metadata.deletion_timestamp is not None,
        pod.name if _has_own_objects(pod) else "",
    )


def _marks(meta: ObjectMeta) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((k, v) for k, v in (*meta.labels.items(), *meta.annotations.items()) if v != meta.name))


def _has_own_objects(pod: Pod) -> bool:
    """Claims that are made for each Pod by its name."""
    made = any(c.resource_claim_template_name for c in pod.spec.resource_claims)
    return made or any(v.ephemeral is not None for v in pod.spec.volumes)


def _spec(pod: Pod) -> bytes:
    spec = msgspec.structs.replace(
        pod.spec,
        volumes=tuple(v for v in pod.spec.volumes if not v.name.startswith(_TOKEN)),
        containers=tuple(_without_token(pod.spec.containers)),
        init_containers=tuple(_without_token(pod.spec.init_containers)),
    )
    return blake2b(msgspec.json.encode(spec), digest_size=16).digest()


def _without_token(containers: tuple[Container, ...]) -> Iterator[Container]:
    for container in containers:
        mounts = tuple(m for m in container.volume_mounts if not m.name.startswith(_TOKEN))
        yield msgspec.structs.replace(container, volume_mounts=mounts)


def _state(status: ContainerStatus, pod: Pod) -> tuple[Hashable, ...]:
    waiting, ended, last = status.state.waiting, status.state.terminated, status.last_state.terminated
    return (
        status.name, status.ready, status.started, bool(status.restart_count),
        (waiting.reason, _plain(waiting.message, pod)) if waiting else None,
        (ended.reason, ended.exit_code) if ended else None,
        (last.reason, last.exit_code) if last else None,
    )  # fmt: skip


def _plain(text: str, pod: Pod) -> str:
    """The text without the Pod's own name and UID."""
    for own in (pod.metadata.uid, pod.name):
        text = text.replace(own, "") if own else text
    return text
