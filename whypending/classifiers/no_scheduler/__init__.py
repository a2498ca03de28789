"""Nobody schedules this Pod: causes in the order in which they are judged and shown."""

from __future__ import annotations

from types import ModuleType

from whypending.classifiers.no_scheduler import (
    _old_verdict,
    default_scheduler_not_running,
    scheduler_auth_failed,
    scheduler_config_version_removed,
    scheduler_crashloop,
    scheduler_informer_not_synced,
    scheduler_lease_expired,
    scheduler_lease_rbac,
    scheduler_name_unknown,
    scheduler_not_leading,
    scheduler_profile_missing,
    scheduler_rbac,
    scheduler_scaled_to_zero,
    scheduler_self_dependency,
    scheduler_shares_lease,
    scheduler_version_skew,
)

MODULES: tuple[ModuleType, ...] = (
    scheduler_self_dependency,
    scheduler_config_version_removed,
    scheduler_rbac,
    scheduler_lease_rbac,
    scheduler_auth_failed,
    scheduler_version_skew,
    scheduler_shares_lease,
    scheduler_crashloop,
    scheduler_scaled_to_zero,
    default_scheduler_not_running,
    scheduler_lease_expired,
    scheduler_not_leading,
    scheduler_name_unknown,
    scheduler_profile_missing,
    scheduler_informer_not_synced,
    _old_verdict,
)
