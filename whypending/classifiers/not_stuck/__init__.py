"""Causes of the class not_stuck, in the order in which they are judged and shown."""

from __future__ import annotations

from types import ModuleType

from whypending.classifiers.not_stuck import (
    completed,
    ready,
    stale_mount_event,
    stale_scheduling_event,
    terminating,
    too_young,
    waiting_for_schedule,
)

MODULES: tuple[ModuleType, ...] = (
    stale_mount_event,
    stale_scheduling_event,
    terminating,
    ready,
    completed,
    waiting_for_schedule,
    too_young,
)
