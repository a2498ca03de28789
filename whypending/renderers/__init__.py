"""A function from Diagnosis to text each; markup and style live here alone."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module

from whypending.diagnosis import Diagnosis
from whypending.renderers.layout import Canvas


class Format(StrEnum):
    """What `-o` takes."""

    TEXT = "text"
    WIDE = "wide"
    JSON = "json"
    YAML = "yaml"
    NDJSON = "ndjson"


_RENDERERS = {
    Format.TEXT: ("text", "render"),
    Format.WIDE: ("text", "render_wide"),
    Format.JSON: ("json_v1", "render"),
    Format.YAML: ("yaml_v1", "render"),
    Format.NDJSON: ("json_v1", "render_line"),
}
"""Module and function of each format; only the one that is asked for is imported (YAML alone costs 20 ms)."""


def render(diagnosis: Diagnosis, form: Format, canvas: Canvas) -> str:
    """The report in one format, ending in a line break. Only text looks at the canvas."""
    module, function = _RENDERERS[form]
    text: str = getattr(import_module(f"{__name__}.{module}"), function)(diagnosis, canvas)
    return text
