"""What of a diagnosis is pinned: everything but the tool's version and the timeline, which has tests of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from whypending.diagnosis import Diagnosis
from whypending.renderers import json_v1


def pinned(diagnosis: Diagnosis, folder: Path) -> dict[str, Any]:
    """The folder of a case is not part of what it says."""
    tree: dict[str, Any] = json.loads(json_v1.render(diagnosis).replace(f"{folder}/", ""))
    tree["tool"]["version"] = "…"
    tree.pop("timeline", None)
    return tree


def expected_text(diagnosis: Diagnosis, folder: Path) -> str:
    return json.dumps(pinned(diagnosis, folder), indent=1, ensure_ascii=False) + "\n"
