"""Causes of the class held, in the order in which they are judged and shown."""

from __future__ import annotations

from types import ModuleType

from whypending.classifiers.held import (
    job_suspended_by_queue,
    owner_suspended,
    permit_wait,
    queue_not_found,
    queue_not_permitted,
    queue_quota_exhausted,
    scheduling_gate_unresolved,
)
from whypending.classifiers.scheduled_not_ready import terminating_finalizer

MODULES: tuple[ModuleType, ...] = (
    scheduling_gate_unresolved,
    job_suspended_by_queue,
    owner_suspended,
    queue_not_found,
    queue_not_permitted,
    queue_quota_exhausted,
    permit_wait,
    terminating_finalizer,
)
