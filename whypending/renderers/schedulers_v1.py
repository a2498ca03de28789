"""Schedulers as data: the shape of `schedulers` in version 1 of the JSON (schema/v1.json describes it)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from whypending.diagnosis import SchedulerRecord
from whypending.objects.times import in_utc


def trees(records: tuple[SchedulerRecord, ...]) -> list[dict[str, Any]]:
    """Each scheduler as dicts and lists, every field there: null is "not known" or "there is none"."""
    return [{_camel(name): _plain(getattr(record, name)) for name in record.__struct_fields__} for record in records]


def _plain(value: Any) -> Any:  # noqa: ANN401
    """JSON values; an empty text is null."""
    if isinstance(value, msgspec.Struct):
        return {_camel(name): _plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return in_utc(value).isoformat().replace("+00:00", "Z")
    if isinstance(value, StrEnum):
        return value.value
    return None if value == "" else value


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
