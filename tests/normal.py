"""What of a diagnosis is pinned: everything but the tool's version."""

from __future__ import annotations

import json
from typing import Any

from whypending.diagnosis import Diagnosis
from whypending.renderers import json_v1


def pinned(diagnosis: Diagnosis) -> dict[str, Any]:
    tree: dict[str, Any] = json.loads(json_v1.render(diagnosis))
    tree["tool"]["version"] = "…"
    return tree


def expected_text(diagnosis: Diagnosis) -> str:
    return json.dumps(pinned(diagnosis), indent=1, ensure_ascii=False) + "\n"
