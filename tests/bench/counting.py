"""The requests that one look sends."""

from __future__ import annotations

import contextlib
import io
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, unquote, urlsplit

from requests.adapters import HTTPAdapter

from whypending.cli.edge import run


def requests_of(*arguments: str) -> list[str]:
    """Paths with their parameters, in the order in which they were sent."""
    sent: list[str] = []
    send = HTTPAdapter.send

    def noted(self: HTTPAdapter, request: Any, *args: Any, **kwargs: Any) -> Any:
        sent.append(unquote(request.path_url))
        return send(self, request, *args, **kwargs)

    quiet = io.StringIO()
    with patch.object(HTTPAdapter, "send", noted), contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        status = run(arguments)
    if status not in (0, 1):
        raise RuntimeError(f"whypending {' '.join(arguments)} ended with {status}: {quiet.getvalue()}")
    return sent


def is_full_pod_list(request: str) -> bool:
    """Whether it lists Pods that nothing selects, or goes on with such a list."""
    parts = urlsplit(request)
    asked = parse_qs(parts.query)
    return parts.path.endswith("/pods") and not asked.keys() & {"fieldSelector", "labelSelector"}
