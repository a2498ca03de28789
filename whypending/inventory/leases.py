"""Leases of schedulers: which one, who holds it, whether anyone still does; pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from whypending.diagnosis import Confidence
from whypending.evidence import Evidence, seen
from whypending.inventory.found import Scheduler, schedulers_in, started
from whypending.inventory.process import flags_of
from whypending.objects.node import Lease

DEFAULT_LEASE = ("kube-system", "kube-scheduler")
DURATION = 15
_CLOCKS = timedelta(seconds=10)
"""How far the clocks of two machines may differ."""


def lease_of(evidence: Evidence, scheduler: Scheduler) -> Lease | None:
    """The Lease that it needs, if it was found."""
    return find_lease(evidence, scheduler.lease) if scheduler.lease else None


def find_lease(evidence: Evidence, path: tuple[str, str]) -> Lease | None:
    """The Lease of that namespace and name."""
    return next((x for x in seen(evidence.leases) if (x.namespace, x.name) == path), None)


def default_lease(evidence: Evidence) -> Lease | None:
    """kube-scheduler's own; None as well where its Pods were read and do without leader election."""
    own = [s for s in schedulers_in(evidence) if s.is_default]
    off = [flags_of(s.template).get("leader-elect", ("",))[-1] == "false" for s in own]
    return None if off and all(off) else find_lease(evidence, DEFAULT_LEASE)


def ends(lease: Lease) -> datetime | None:
    """RenewTime + leaseDurationSeconds; None where nobody holds it or it was never renewed."""
    spec = lease.spec
    if not spec.holder_identity or spec.renew_time is None:
        return None
    try:
        return spec.renew_time + timedelta(seconds=spec.lease_duration_seconds or DURATION)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def is_held(evidence: Evidence, lease: Lease) -> bool:
    """Somebody holds it and has renewed it in time."""
    end = ends(lease)
    return end is not None and end >= evidence.now


def certainty(evidence: Evidence, lease: Lease) -> Confidence:
    """How sure it is that a Lease that is not held was not held either when it was read.

    A live read is compared with the server's clock. A file's clock is its newest time, and the Lease may have been
    saved before that: only a neighbour that was renewed after this one's end shows that it had ended by then.
    """
    end = ends(lease)
    if end is None or evidence.source != "files":
        return Confidence.PROVED
    others = [x.spec.renew_time for x in seen(evidence.leases) if x.namespace == lease.namespace and x is not lease]
    return Confidence.PROVED if any(t is not None and t > end for t in others) else Confidence.LIKELY


def host_of(lease: Lease) -> str:
    """The host in `HOST_UUID`."""
    return lease.spec.holder_identity.rpartition("_")[0] or lease.spec.holder_identity


def leading_profile(evidence: Evidence, lease: Lease) -> str:
    """Who holds the Lease, by the Event that it wrote when it became the leader; empty where there is none.

    kube-scheduler reports it as its first profile (cmd/kube-scheduler/app/options: makeLeaderElectionConfig).
    """
    holder = lease.spec.holder_identity
    told = [
        e for e in seen(evidence.scheduling_events)
        if e.reason == "LeaderElection" and holder and e.text.startswith(f"{holder} ") and "became leader" in e.text
    ]  # fmt: skip
    return max(told, key=lambda e: e.last_seen).reporter if told else ""


def is_own(evidence: Evidence, scheduler: Scheduler, lease: Lease) -> bool | None:
    """Whether one of its Pods holds the Lease: by the holder's name, its Event, or as it was taken before they ran."""
    by_name = holds(scheduler, lease)
    if by_name is not None:
        return by_name
    leader = leading_profile(evidence, lease)
    if leader and scheduler.names is not None:
        return leader in scheduler.names
    times, acquired = started(scheduler), lease.spec.acquire_time
    return False if times and acquired is not None and times[0] - acquired > _CLOCKS else None


def holds(scheduler: Scheduler, lease: Lease) -> bool | None:
    """Whether the holder is one of its Pods, now or lately; None where names can't tell (hostNetwork).

    holderIdentity is HOSTNAME_UUID, and a Pod's hostname is its name, cut at 63 characters.
    """
    host = host_of(lease)
    if not host:
        return False
    if scheduler.on_host_network:
        return None
    if any(host in {p.name, p.name[:63].rstrip("-.")} for p in scheduler.pods):
        return True
    of_workload = rf"{re.escape(scheduler.owner.name)}(-[a-z0-9]{{1,10}})?-[a-z0-9]{{1,5}}"
    return host == scheduler.owner.name or re.fullmatch(of_workload, host) is not None
