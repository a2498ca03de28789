"""An entry of component-base's JSON log in the form of klog's text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

_HEAD = frozenset({"ts", "caller", "msg", "v", "level", "logger", "stacktrace"})


def as_klog(entry: Mapping[str, Any], at: datetime | None) -> str:
    """`E0512 08:09:10.123456 1 server.go:42] "command failed" err="…"`; without a time where it has none."""
    severity = "I" if "v" in entry else "E"
    when = f"{severity}{at:%m%d %H:%M:%S.%f} 1 " if at else ""
    caller = entry.get("caller")
    place = f"{caller.rpartition('/')[2]}] " if isinstance(caller, str) and when else ""
    values = "".join(f" {key}={_value(value)}" for key, value in entry.items() if key not in _HEAD)
    return f"{when}{place}{_quoted(str(entry.get('msg', '')))}{values}"


def _value(value: object) -> str:
    """References to objects as klog.KObj writes them: `"namespace/name"`."""
    if isinstance(value, Mapping) and set(value) <= {"name", "namespace"}:
        return _quoted("/".join(str(value[key]) for key in ("namespace", "name") if value.get(key)))
    return _quoted(value) if isinstance(value, str) else msgspec.json.encode(value).decode()


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()
