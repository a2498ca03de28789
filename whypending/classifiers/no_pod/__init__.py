"""Causes of the class no_pod, in the order in which they are judged and shown."""

from __future__ import annotations

from types import ModuleType

from whypending.classifiers.no_pod import (
    admission_policy_denied,
    controller_not_running,
    cronjob_missed_schedule,
    invalid_pod_template,
    job_failed,
    limit_range_violation,
    no_matching_node_for_daemonset,
    ordered_rollout_wait,
    pod_changed_by_webhook,
    pod_creation_rejected,
    pod_security_violation,
    priority_class_missing,
    quota_exceeded,
    quota_requires_requests,
    scaled_to_zero,
    scc_denied,
    service_account_missing,
    webhook_denied,
    webhook_unavailable,
)

MODULES: tuple[ModuleType, ...] = (
    job_failed,
    scaled_to_zero,
    no_matching_node_for_daemonset,
    pod_creation_rejected,
    quota_requires_requests,
    quota_exceeded,
    limit_range_violation,
    pod_security_violation,
    scc_denied,
    webhook_unavailable,
    webhook_denied,
    admission_policy_denied,
    service_account_missing,
    priority_class_missing,
    invalid_pod_template,
    pod_changed_by_webhook,
    ordered_rollout_wait,
    cronjob_missed_schedule,
    controller_not_running,
)
