"""Which metrics are kept, and whose they are: by name alone, whatever brought them."""

from __future__ import annotations

import re
from collections.abc import Iterable

KEPT = re.compile(
    r"scheduler_\w+|rest_client_(requests_total|rate_limiter_duration_seconds_\w+)|leader_election_\w+"
    r"|process_start_time_seconds|kubernetes_build_info"
)
_DETAIL = re.compile(r"scheduler_(plugin|framework|event|store|get|batch)_\w+|(scheduler|rest_client)_\w+_bucket")
_BUCKETS = re.compile(
    r"scheduler_(scheduling_attempt|e2e_scheduling|pod_scheduling\w*|permit_wait)_duration_seconds_bucket"
)
_OWN = re.compile(r"scheduler_(pending_|schedul|e2e_|pod_|queue|unschedulable_|preemption_|permit_|cache_)\w+")
_FOREIGN = (
    ("cluster_autoscaler_", "cluster-autoscaler"),
    ("karpenter_", "Karpenter"),
    ("volcano_", "Volcano"),
    ("yunikorn_", "YuniKorn"),
    ("kueue_", "Kueue"),
    ("kube_pod_", "kube-state-metrics"),
    ("apiserver_flowcontrol_", "an API server"),
    ("kubelet_running_", "a kubelet"),
    ("endpoint_slice_controller_", "kube-controller-manager"),
    ("node_cpu_", "node-exporter"),
    ("coredns_", "CoreDNS"),
    ("etcd_server_", "etcd"),
    ("prometheus_", "Prometheus itself"),
)
"""Prefixes that a component has and kube-scheduler has not, but for the autoscaler's: it holds the scheduler's code."""


def is_kept(name: str) -> bool:
    """Whether a question needs it; the buckets and plugins' times that make up most of a text are left out."""
    return bool(KEPT.fullmatch(name)) and (bool(_BUCKETS.fullmatch(name)) or not _DETAIL.fullmatch(name))


def is_autoscaler(name: str) -> bool:
    """A name by which cluster-autoscaler gives itself away among metrics that are called as the scheduler's."""
    return name.startswith(_FOREIGN[0][0])


def are_of_a_scheduler(names: Iterable[str]) -> bool:
    """Whether these are kube-scheduler's own, or those of a scheduler made from its code."""
    found = list(names)
    return any(_OWN.fullmatch(name) for name in found) and not any(is_autoscaler(name) for name in found)


def whose(names: Iterable[str]) -> str:
    """The component that has metrics of these names; empty where none of those that are known."""
    found = set(names)
    return next((who for prefix, who in _FOREIGN if any(name.startswith(prefix) for name in found)), "")
