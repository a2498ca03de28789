"""Whether everything was read that could show another reading; pure."""

from __future__ import annotations

from whypending.evidence import Evidence, is_known, seen
from whypending.inventory.found import schedulers_in
from whypending.inventory.leases import DEFAULT_LEASE, find_lease, is_held
from whypending.inventory.life import SAMPLE, last_sign, untouched
from whypending.inventory.process import BY_NAME, DEFAULT

_SEVERAL = 2


def all_was_read(evidence: Evidence) -> bool:
    """Workloads, Pods, configurations, Leases, binds and Events, each as the API server lists them, none in part."""
    lists = (
        evidence.scheduler_workloads, evidence.scheduler_pods, evidence.scheduler_configs, evidence.leases,
        evidence.served, evidence.events, evidence.scheduling_events,
    )  # fmt: skip
    whole = evidence.as_served and not evidence.partly and all(is_known(known) for known in lists)
    return whole and all(s.names is not None for s in schedulers_in(evidence))


def nobody_serves(evidence: Evidence, name: str) -> bool:
    """No process, Lease, bind or Event carries the name, while another scheduler is seen to lead or to work.

    A scheduler outside the cluster that nothing here could show would still have written PodScheduled within seconds:
    the Pod's absent condition excludes any that lives.
    """
    carried = any(s.may_serve(name) for s in schedulers_in(evidence)) or name in BY_NAME
    carried = carried or any(x.name == name for x in seen(evidence.leases)) or last_sign(evidence, name) is not None
    return all_was_read(evidence) and not carried and _cluster_schedules(evidence)


def _cluster_schedules(evidence: Evidence) -> bool:
    default = find_lease(evidence, DEFAULT_LEASE)
    if default is not None and is_held(evidence, default):
        return True
    pod, sign = evidence.the_pod, last_sign(evidence, DEFAULT)
    born = pod.metadata.creation_timestamp if pod else None
    return sign is not None and born is not None and sign.at > born


def default_is_silent(evidence: Evidence) -> bool:
    """Several Pods of the default scheduler were never looked at, and none of its Pods was bound or refused since.

    The sample of bound Pods has to be whole: one that is full may lack the newest.
    """
    mine = [s for s in seen(evidence.served) if s.scheduler_name == DEFAULT]
    whole = is_known(evidence.served) and is_known(evidence.scheduling_events) and len(mine) < SAMPLE
    return evidence.as_served and whole and len(untouched(evidence, DEFAULT)) >= _SEVERAL
