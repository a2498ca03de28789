"""Containers of a Pod (core/v1), as far as they are read: never a literal environment value."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from whypending.objects.base import Base

Quantities = Mapping[str, str | int | float]


class Resources(Base, frozen=True):
    """`resources` of a container or of the Pod; quantities as written."""

    requests: Quantities = msgspec.field(default_factory=dict)
    limits: Quantities = msgspec.field(default_factory=dict)
    claims: tuple[Mapping[str, str], ...] = ()


class ContainerPort(Base, frozen=True):
    """`ports[]` of a container."""

    name: str = ""
    container_port: int = 0
    host_port: int = 0
    host_ip: str = msgspec.field(default="", name="hostIP")
    protocol: str = ""


class EnvSource(Base, frozen=True):
    """`env[].valueFrom`, `envFrom[]` and volume references: the names, never the values."""

    name: str = ""
    key: str = ""
    optional: bool | None = None


class EnvValueFrom(Base, frozen=True):
    """`env[].valueFrom`."""

    secret_key_ref: EnvSource | None = None
    config_map_key_ref: EnvSource | None = None


class EnvVar(Base, frozen=True):
    """`env[]`: the variable's name and reference; a literal value is never read."""

    name: str = ""
    value_from: EnvValueFrom | None = None


class EnvFrom(Base, frozen=True):
    """`envFrom[]`."""

    secret_ref: EnvSource | None = None
    config_map_ref: EnvSource | None = None


class ExecAction(Base, frozen=True):
    """`exec` of a probe or hook."""

    command: tuple[str, ...] = ()


class HTTPGetAction(Base, frozen=True):
    """`httpGet` of a probe or hook."""

    path: str = ""
    port: int | str = ""
    scheme: str = ""


class TCPSocketAction(Base, frozen=True):
    """`tcpSocket` of a probe."""

    port: int | str = ""


class GRPCAction(Base, frozen=True):
    """`grpc` of a probe."""

    port: int | str = ""
    service: str = ""


class Probe(Base, frozen=True):
    """A readiness, liveness or startup probe; times in seconds, defaults as the API server fills them in."""

    exec: ExecAction | None = None
    http_get: HTTPGetAction | None = None
    tcp_socket: TCPSocketAction | None = None
    grpc: GRPCAction | None = None
    initial_delay_seconds: int = 0
    period_seconds: int = 10
    timeout_seconds: int = 1
    failure_threshold: int = 3
    success_threshold: int = 1


class LifecycleHandler(Base, frozen=True):
    """`lifecycle.postStart` and `preStop`."""

    exec: ExecAction | None = None
    http_get: HTTPGetAction | None = None


class Lifecycle(Base, frozen=True):
    """`lifecycle` of a container."""

    post_start: LifecycleHandler | None = None
    pre_stop: LifecycleHandler | None = None


class VolumeMount(Base, frozen=True):
    """`volumeMounts[]`."""

    name: str = ""
    mount_path: str = ""
    sub_path: str = ""


class Container(Base, frozen=True):
    """`spec.containers[]` and `spec.initContainers[]`."""

    name: str = ""
    image: str = ""
    image_pull_policy: str = ""
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    env: tuple[EnvVar, ...] = ()
    env_from: tuple[EnvFrom, ...] = ()
    ports: tuple[ContainerPort, ...] = ()
    resources: Resources = msgspec.field(default_factory=Resources)
    volume_mounts: tuple[VolumeMount, ...] = ()
    readiness_probe: Probe | None = None
    liveness_probe: Probe | None = None
    startup_probe: Probe | None = None
    lifecycle: Lifecycle | None = None
    restart_policy: str = ""
