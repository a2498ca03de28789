"""The live source: a cluster by its API, GET only.

Only this package imports `kubernetes` and `requests`. The `kubernetes` package is loaded only for what it does better
(exec plugins, in-cluster): importing it costs more time than a whole `kubectl describe pod`.
"""

from whypending.sources.live import lean as _lean  # noqa: F401 - before anything else imports requests
from whypending.sources.live.source import LiveSource

__all__ = ["LiveSource"]
