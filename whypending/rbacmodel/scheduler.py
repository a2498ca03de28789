"""As whom a scheduler asks, what it needs, and which of that it was found to lack."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.evidence import Access, Evidence, seen
from whypending.inventory.found import Scheduler
from whypending.inventory.process import KUBE_SCHEDULER, flags_of, runs
from whypending.objects.pod import Pod
from whypending.patterns import Pattern
from whypending.rbacmodel.needs import of_any_scheduler, of_kube_scheduler, of_lease
from whypending.rbacmodel.rules import Request

_NEWEST = (1, 37)
_VERSION = Pattern(r"v?(\d+)\.(\d+)\.")
_OWN_KUBECONFIG = Pattern(r"^\s*[\"']?kubeconfig[\"']?:\s*[\"']?[^\s\"'#]", re.MULTILINE)
_READS = frozenset({"list", "watch"})


def subject_of(scheduler: Scheduler) -> str:
    """The user that the API server sees; empty where that is in a kubeconfig that can't be read.

    A Pod without one uses its ServiceAccount. The cluster's own static Pod comes with system:kube-scheduler's.
    """
    if scheduler.is_default:
        return f"system:{KUBE_SCHEDULER}"
    owner = scheduler.owner
    if isinstance(owner, Pod) and "kubernetes.io/config.mirror" in owner.metadata.annotations:
        return ""
    if "kubeconfig" in flags_of(scheduler.template) or _names_kubeconfig(scheduler):
        return ""
    account = scheduler.template.service_account_name or "default"
    return f"system:serviceaccount:{owner.namespace}:{account}"


def _names_kubeconfig(scheduler: Scheduler) -> bool:
    """`clientConnection.kubeconfig` of its configuration."""
    found = scheduler.configuration
    return found is not None and _OWN_KUBECONFIG.search(found.source.data.get(found.key, "")) is not None


def needs_of(scheduler: Scheduler, server_version: str) -> Iterator[Request]:
    """Leader election on its Lease, and what its program is known to read and write.

    server_version: of the API server, which no scheduler is newer than.
    """
    if scheduler.lease is not None:
        yield from of_lease(*scheduler.lease)
    if scheduler.configuration is not None or runs(scheduler.template, KUBE_SCHEDULER):
        match = _VERSION.match(server_version)
        yield from of_kube_scheduler((int(match[1]), int(match[2])) if match else _NEWEST)
    else:
        yield from of_any_scheduler()


def missing(evidence: Evidence, subject: str) -> tuple[Access, ...]:
    """What that user was found to lack: of its Lease, of what it lists, and of the rest, in this order."""
    lacks = [a for a in seen(evidence.access) if a.subject == subject and a.allowed is False]
    return tuple(sorted(lacks, key=lambda a: (not is_of_lease(a), a.verb not in _READS)))


def is_of_lease(access: Access) -> bool:
    """Whether it is about leader election."""
    return access.group == "coordination.k8s.io" and access.resource == "leases"


def stops_start(access: Access) -> bool:
    """Whether a kube-scheduler that lacks it never begins: its caches wait for every list."""
    return access.verb in _READS and not is_of_lease(access)
