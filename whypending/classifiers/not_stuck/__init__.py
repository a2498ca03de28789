"""Causes of the class not_stuck, in the order in which they are judged and shown."""

from __future__ import annotations

from types import ModuleType

MODULES: tuple[ModuleType, ...] = ()
