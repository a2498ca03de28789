"""What a kube-scheduler must be allowed to do, from the ClusterRoles that Kubernetes itself ships for it.

`system:kube-scheduler` and `system:volume-scheduler` in plugin/pkg/auth/authorizer/rbac/bootstrappolicy of 1.37, with
the parts that are behind feature gates that are off left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.rbacmodel.rules import Request

_CORE, _STORAGE, _DRA, _EVENTS, _LEASES = (
    "", "storage.k8s.io", "resource.k8s.io", "events.k8s.io", "coordination.k8s.io",
)  # fmt: skip
_READ = ("list", "watch")
_LISTS: tuple[tuple[str, tuple[str, ...], tuple[int, int]], ...] = (
    (_CORE, ("nodes", "pods"), (1, 0)),
    (_CORE, ("persistentvolumeclaims", "persistentvolumes", "replicationcontrollers", "services"), (1, 0)),
    (_CORE, ("namespaces",), (1, 21)),
    ("apps", ("replicasets", "statefulsets"), (1, 9)),
    ("policy", ("poddisruptionbudgets",), (1, 21)),
    (_STORAGE, ("csinodes", "storageclasses"), (1, 17)),
    (_STORAGE, ("csidrivers", "csistoragecapacities"), (1, 24)),
    (_STORAGE, ("volumeattachments",), (1, 32)),
    (_DRA, ("deviceclasses", "resourceclaims", "resourceslices"), (1, 34)),
)
"""Group, resources, and the release from which its caches wait for them; a list that fails stops the start."""
_ACTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (_CORE, "pods/binding", ("create",)),
    (_CORE, "pods/status", ("patch",)),
    (_EVENTS, "events", ("create", "patch")),
)
_LEASE = ("get", "create", "update")


def of_lease(namespace: str, name: str) -> Iterator[Request]:
    """Leader election on that Lease: read it, make it where there is none, and renew it."""
    yield from (Request(verb, _LEASES, "leases", namespace, name) for verb in _LEASE)


def of_kube_scheduler(version: tuple[int, int]) -> Iterator[Request]:
    """Lists and watches of a kube-scheduler of that release, then what it does with Pods."""
    for group, resources, since in _LISTS:
        if version >= since:
            yield from (Request(verb, group, resource) for resource in resources for verb in _READ)
    yield from _acts()


def of_any_scheduler() -> Iterator[Request]:
    """What every scheduler does, whatever else it needs: read Pods and Nodes, and bind."""
    yield from (Request(verb, _CORE, resource) for resource in ("nodes", "pods") for verb in _READ)
    yield Request("create", _CORE, "pods/binding")


def _acts() -> Iterator[Request]:
    for group, resource, verbs in _ACTS:
        yield from (Request(verb, group, resource) for verb in verbs)
