"""A classic histogram in three figures: count, mean and the 99th percentile, as PromQL's histogram_quantile has it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from whypending.diagnosis import Figure
from whypending.evidence import Sample

_QUANTILE = 0.99


def of_histogram(
    labels: tuple[tuple[str, str], ...], count: float, total: float | None, buckets: Sequence[Sample]
) -> Iterator[Figure]:
    """Count, mean and p99 in the histogram's unit; no mean or p99 of nothing, nor of what is not exposed."""
    yield Figure(labels=labels, value=count, statistic="count")
    if count <= 0:
        return
    if total is not None:
        yield Figure(labels=labels, value=total / count, statistic="mean")
    p99 = quantile(_QUANTILE, buckets)
    if p99 is not None:
        yield Figure(labels=labels, value=p99, statistic="p99")


def quantile(share: float, buckets: Sequence[Sample]) -> float | None:
    """By linear interpolation inside its bucket; the highest finite bound where it lies beyond. None without any."""
    bounds: dict[float, float] = {}
    for bucket in buckets:
        bound = _bound(bucket.label("le"))
        if bound is not None:
            bounds[bound] = bounds.get(bound, 0.0) + bucket.value
    ordered = sorted(bounds.items())
    if not ordered or ordered[-1][1] <= 0 or ordered[0][0] == math.inf:
        return None
    rank = share * ordered[-1][1]
    below, fewer = 0.0, 0.0
    for bound, many in ordered:
        if many >= rank:
            if bound == math.inf:
                return below
            return bound if many == fewer else below + (bound - below) * (rank - fewer) / (many - fewer)
        below, fewer = bound, many
    return below


def _bound(text: str) -> float | None:
    try:
        bound = float(text)
    except ValueError:
        return None
    return None if math.isnan(bound) else bound
