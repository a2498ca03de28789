"""Where scheduler metrics come from: a Prometheus, a file, a URL, or the scheduler itself over a port-forward.

All of it only where the user asks (`--metrics…`, `--prometheus`). What goes wrong becomes a Gap: the report stands
without metrics. The user's own credential is for the API server alone; what a scheduler gets is a TokenRequest token,
and no credential goes to an endpoint whose certificate is not verified unless `--metrics-insecure` says so.
"""

from whypending.sources.metrics.wanted import Wanted

__all__ = ["Wanted"]
