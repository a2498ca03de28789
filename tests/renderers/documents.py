"""Strict validation of JSON output: the published schema, and nothing that it does not name."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator

from whypending import schema


def published() -> dict[str, Any]:
    """The schema as `whypending schema` prints it."""
    loaded: dict[str, Any] = json.loads(schema.text())
    return loaded


def strict(node: Any) -> Any:
    """The schema with every object closed that does not say what else it may hold."""
    if isinstance(node, list):
        return [strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    closed = {key: strict(value) for key, value in node.items()}
    if isinstance(node.get("properties"), dict):
        closed.setdefault("additionalProperties", False)
    return closed


def validate(document: Any) -> None:
    """Raises where the document breaks the schema or says more than it."""
    Draft202012Validator(strict(published())).validate(document)
