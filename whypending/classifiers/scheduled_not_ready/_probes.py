"""Probes: what was asked, what the kubelet said of the answers, and how long a container may still take.

Event forms of pkg/kubelet/prober/prober.go and kuberuntime_manager.go, Kubernetes 1.10 to 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from whypending.evidence import Evidence
from whypending.objects.container import Probe
from whypending.objects.event import Event
from whypending.objects.times import later, seconds

from ._containers import Member, members
from ._events import of_container, short


def unready(evidence: Evidence) -> Iterator[Member]:
    """Containers that run (init containers only as sidecars) and do not count as ready."""
    pod = evidence.the_pod
    for member in members(pod) if pod and pod.status.phase not in {"Failed", "Succeeded"} else ():
        if member.running is not None and not member.ready and (member.sidecar or not member.init):
            yield member


def failure(evidence: Evidence, member: Member, kind: str) -> Event | None:
    """The newest Unhealthy Event of that probe (`Readiness`, `Liveness`, `Startup`) in the container's present run."""
    event = of_container(evidence, member.name, "Unhealthy", saying=rf"^{kind} probe (?:failed|errored)")
    started = member.running.started_at if member.running else None
    return None if event is None or (started is not None and event.last_seen < started) else event


def target(member: Member, probe: Probe | None) -> str:
    """What the probe asks: `GET :8080/ready`, `TCP :5432`, `gRPC :9000`, `exec "cat /ready"`."""
    if probe is None:
        return ""
    if probe.http_get is not None:
        return f"GET :{_port(member, probe.http_get.port)}{probe.http_get.path or '/'}"
    if probe.tcp_socket is not None:
        return f"TCP :{_port(member, probe.tcp_socket.port)}"
    if probe.grpc is not None:
        return f"gRPC :{probe.grpc.port}"
    return command(probe.exec.command) if probe.exec else ""


def command(words: Sequence[str]) -> str:
    """A command of a probe or hook, marked as one: `exec "cat /ready"`."""
    return f'exec "{" ".join(words)[:80]}"'


def _port(member: Member, port: int | str) -> str:
    named = next((p.container_port for p in member.spec.ports if p.name == port and p.name), None)
    return str(named if named is not None else port)


def answer(event: Event) -> str:
    """What came back, without the words that all such Events share; a command that fails may write nothing."""
    return short(event.text.partition(": ")[2]) or "it failed without a word"


def since_start(evidence: Evidence, member: Member) -> timedelta | None:
    """How long the present run has lasted."""
    started = member.running.started_at if member.running else None
    return None if started is None else evidence.now - started


def patience(probe: Probe) -> timedelta:
    """When the probe has used up its tries: initialDelaySeconds + (failureThreshold + 1) times periodSeconds."""
    return seconds(probe.initial_delay_seconds + (probe.failure_threshold + 1) * probe.period_seconds)


def first_answer(probe: Probe) -> timedelta:
    """When the first success may count: initialDelaySeconds + successThreshold times periodSeconds + the timeout."""
    return seconds(probe.initial_delay_seconds + probe.success_threshold * probe.period_seconds + probe.timeout_seconds)


def until(member: Member, span: timedelta) -> datetime | None:
    """The time at which that span of the present run is over."""
    started = member.running.started_at if member.running else None
    return None if started is None else later(started, span)
