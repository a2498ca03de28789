"""A function from Diagnosis to text each; markup and style live here alone."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from whypending.diagnosis import Diagnosis
from whypending.renderers.layout import Canvas


class Format(StrEnum):
    """What `-o` takes."""

    TEXT = "text"
    WIDE = "wide"
    JSON = "json"
    YAML = "yaml"
    NDJSON = "ndjson"


def render(diagnosis: Diagnosis, form: Format, canvas: Canvas) -> str:
    """The report in one format. Each renderer is imported only when it is asked for: YAML alone costs 20 ms."""
    match form:
        case Format.TEXT | Format.WIDE:
            from whypending.renderers import text

            return text.render(diagnosis, canvas, wide=form is Format.WIDE)
        case Format.JSON | Format.NDJSON:
            from whypending.renderers import json_v1

            return json_v1.render(diagnosis) if form is Format.JSON else json_v1.render_line(diagnosis)
        case Format.YAML:
            from whypending.renderers import yaml_v1

            return yaml_v1.render(diagnosis)
    assert_never(form)
