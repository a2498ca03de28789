"""Words and citations that the causes of this class share."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from whypending.classifiers.words import condition_citation, field_citation, since
from whypending.diagnosis import Citation
from whypending.evidence import Evidence
from whypending.inventory.leases import DURATION
from whypending.inventory.process import DEFAULT
from whypending.objects.node import Lease
from whypending.objects.pod import Pod
from whypending.triage import SCHEDULING_LATENCY, age_of


def judged(pod: Pod) -> Citation:
    """PodScheduled as it is, or that it was never written: Events expire, a condition does not."""
    scheduled = pod.condition("PodScheduled")
    if scheduled is not None:
        return condition_citation(pod, scheduled)
    field = "status.conditions[type=PodScheduled]"
    return field_citation(pod, field, "absent: no scheduler has ever written its verdict")


def waited(pod: Pod, evidence: Evidence) -> str:
    """` in 20 minutes`, since it was made; empty where that is not known, as by a clock that may be slow."""
    born = pod.metadata.creation_timestamp
    unclear = evidence.clock_is_floor and age_of(born, evidence.now) < SCHEDULING_LATENCY
    return f" in {since(born, evidence.now)}" if born and not unclear else ""


def title(name: str) -> str:
    """How a sentence begins that speaks of the scheduler of that name."""
    return "kube-scheduler" if name == DEFAULT else f'The scheduler "{name}"'


def lease_citations(lease: Lease) -> Iterator[Citation]:
    """Who holds it and when it was last renewed."""
    spec = lease.spec
    yield field_citation(lease, "spec.holderIdentity", spec.holder_identity or "empty", spec.acquire_time)
    if spec.renew_time is not None:
        duration = spec.lease_duration_seconds or DURATION
        value = f"{spec.renew_time.isoformat().replace('+00:00', 'Z')}, good for {duration} s"
        yield field_citation(lease, "spec.renewTime", value, spec.renew_time)


def stamp(when: datetime) -> str:
    """A time as the API writes it, in whole seconds."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
