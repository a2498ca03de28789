"""The Pod's containers with their statuses, in the order in which the node starts them: init, sidecars, main."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from whypending.diagnosis import Citation
from whypending.objects.container import Container
from whypending.objects.pod import ContainerStatus, Pod, StateRunning, StateTerminated, StateWaiting

_NOTHING_YET = {"", "ContainerCreating", "PodInitializing"}


class Member(msgspec.Struct, frozen=True):
    """One container of a Pod: what was asked (`spec`), what is (`status`, None where the kubelet posted none)."""

    pod: Pod
    spec: Container
    status: ContainerStatus | None
    init: bool

    @property
    def name(self) -> str:
        """The container's name."""
        return self.spec.name

    @property
    def sidecar(self) -> bool:
        """A restartable init container: `restartPolicy: Always` on an init container."""
        return self.init and self.spec.restart_policy == "Always"

    @property
    def label(self) -> str:
        """As a sentence begins with it: `Container "web"`, `Init container "db"`, `Sidecar "proxy"`."""
        kind = "Sidecar" if self.sidecar else "Init container" if self.init else "Container"
        return f'{kind} "{self.name}"'

    @property
    def noun(self) -> str:
        """As `label`, inside a sentence."""
        return self.label[0].lower() + self.label[1:]

    @property
    def waiting(self) -> StateWaiting | None:
        """`state.waiting`."""
        return self.status.state.waiting if self.status else None

    @property
    def waiting_reason(self) -> str:
        """`state.waiting.reason`, "" where it does not wait."""
        return self.waiting.reason if self.waiting else ""

    @property
    def running(self) -> StateRunning | None:
        """`state.running`."""
        return self.status.state.running if self.status else None

    @property
    def terminated(self) -> StateTerminated | None:
        """`state.terminated`."""
        return self.status.state.terminated if self.status else None

    @property
    def last_terminated(self) -> StateTerminated | None:
        """The end of the newest run that is over: `state.terminated`, else `lastState.terminated`."""
        if self.status is None:
            return None
        return self.status.state.terminated or self.status.last_state.terminated

    @property
    def ended_at(self) -> str:
        """Where `last_terminated` stands: `state.terminated` or `lastState.terminated`."""
        return "state.terminated" if self.terminated else "lastState.terminated"

    @property
    def restarts(self) -> int:
        """`restartCount`."""
        return self.status.restart_count if self.status else 0

    @property
    def ready(self) -> bool:
        """`ready` (for an init container: it has finished)."""
        return bool(self.status and self.status.ready)

    @property
    def done(self) -> bool:
        """It ended with exit code 0."""
        return self.terminated is not None and self.terminated.exit_code == 0

    def path(self, rest: str = "") -> str:
        """A field path of its status: `status.containerStatuses[name=web].state.waiting.reason`."""
        which = "initContainerStatuses" if self.init else "containerStatuses"
        return f"status.{which}[name={self.name}]{'.' if rest else ''}{rest}"

    def spec_path(self, rest: str = "") -> str:
        """A field path of its spec: `spec.containers[name=web].image`."""
        which = "initContainers" if self.init else "containers"
        return f"spec.{which}[name={self.name}]{'.' if rest else ''}{rest}"

    def cite(self, rest: str, value: object) -> Citation:
        """A status field as proof."""
        end = self.last_terminated
        at = end.finished_at if end is not None and "erminated" in rest else None
        return Citation(object=self.pod.ref, field=self.path(rest), value=str(value), at=at)

    def cite_spec(self, rest: str, value: object) -> Citation:
        """A spec field as proof."""
        return Citation(object=self.pod.ref, field=self.spec_path(rest), value=str(value))


def members(pod: Pod) -> tuple[Member, ...]:
    """Every container in starting order; a status whose container the spec lacks comes with a bare spec."""
    init = _joined(pod, pod.spec.init_containers, pod.status.init_container_statuses, init=True)
    return (*init, *_joined(pod, pod.spec.containers, pod.status.container_statuses, init=False))


def _joined(
    pod: Pod, specs: Iterable[Container], statuses: tuple[ContainerStatus, ...], *, init: bool
) -> tuple[Member, ...]:
    by_name = {s.name: s for s in statuses}
    known = [Member(pod, c, by_name.pop(c.name, None), init) for c in specs]
    return (*known, *(Member(pod, Container(name=s.name, image=s.image), s, init) for s in by_name.values()))


def waiting_for(pod: Pod, *reasons: str) -> tuple[Member, ...]:
    """The containers that wait with one of those reasons."""
    return tuple(m for m in members(pod) if m.waiting is not None and m.waiting.reason in reasons)


def began(pod: Pod) -> bool:
    """Some container has run, or runs: volumes and sandbox worked at least once."""
    return any(m.running or m.last_terminated for m in members(pod))


def has_own_trouble(pod: Pod) -> bool:
    """A container reports a failure of its own (not merely that it has not been started)."""
    return any(_troubled(m) for m in members(pod))


def _troubled(member: Member) -> bool:
    if member.waiting is not None and member.waiting.reason not in _NOTHING_YET:
        return True
    return member.terminated is not None and member.terminated.exit_code != 0
