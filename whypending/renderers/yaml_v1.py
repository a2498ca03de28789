"""The document of version 1 as YAML."""

from __future__ import annotations

from typing import Any

import yaml

from whypending.diagnosis import Diagnosis
from whypending.renderers.escape import is_harmless
from whypending.renderers.json_v1 import tree


def render(diagnosis: Diagnosis, _canvas: object = None) -> str:
    """The diagnosis as one YAML document."""
    return write(tree(diagnosis))


def write(document: object) -> str:
    """Any document as YAML; where it holds something that a terminal would act on, all but ASCII is escaped."""
    text = _dump(document, allow_unicode=True)
    if text.isprintable() or all(char == "\n" or is_harmless(char) for char in text):
        return text
    return _dump(document, allow_unicode=False)


def _dump(document: object, *, allow_unicode: bool) -> str:
    options: dict[str, Any] = {"sort_keys": False, "width": float("inf"), "allow_unicode": allow_unicode}
    text: str = yaml.dump(document, Dumper=_Dumper, **options)
    return text


class _Dumper(yaml.SafeDumper):
    """Plain YAML without anchors; enumerations are their values."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 (PyYAML's signature)
        return True


_Dumper.add_multi_representer(str, lambda dumper, value: dumper.represent_str(str(value)))
