"""Causes of the class no_pod, in the order in which they are judged and shown."""

from __future__ import annotations

from types import ModuleType

MODULES: tuple[ModuleType, ...] = ()
